import {
  type Dialect,
  describeHook,
  type Exit,
  type HookCode,
  type HookDefinition,
  type HookEvent,
  type HookExecutor,
  type HookOutcome,
} from '@tenterhook/protocol';
import { outcomeOfExit } from '../outcome/exit-outcome.js';
import { applyFailurePolicy } from '../outcome/failure-policy.js';
import { outcomeBase } from '../outcome/outcome.js';
import { type Detaching, settleInTime } from './contain-executor.js';

/** What the runner needs of its surroundings. */
export interface RunContext {
  readonly dialects: readonly Dialect[];
  readonly executors: ReadonlyMap<string, HookExecutor>;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const noEnvironment = Object.freeze({});

/**
 * One hook to one outcome. Never rejects: whatever goes wrong is this hook's failure and touches no other (decision 34). `detaching`: it is
 * told when the run says that nobody is to wait for it, where its dialect has a way to say so; the outcome is then that of its late end.
 */
export async function runHook(
  hook: HookDefinition,
  event: HookEvent,
  context: RunContext,
  onStart: () => void,
  detaching?: Detaching,
): Promise<HookOutcome> {
  const dialect = context.dialects.find((candidate) => candidate.name === hook.dialect);
  let outcome: HookOutcome;
  try {
    if (dialect === undefined) throw new Error(`the dialect "${hook.dialect}" is not loaded`);
    const exit = await execute(dialect, hook, event, context, onStart, detaching);
    outcome = outcomeOfExit(exit, dialect, event, hook);
  } catch (error) {
    outcome = {
      ...outcomeBase(hook),
      status: 'failed',
      durationMs: 0,
      warnings: [{ code: 'internal_error', message: `${describeHook(hook)} failed inside Tenterhook: ${messageOf(error)}` }],
    };
  }
  return applyFailurePolicy(outcome, hook, dialect);
}

async function execute(
  dialect: Dialect,
  hook: HookDefinition,
  event: HookEvent,
  context: RunContext,
  onStart: () => void,
  detaching: Detaching | undefined,
): Promise<Exit> {
  if (context.signal.aborted) {
    return { kind: 'not-started', message: 'the event was cancelled before it had its turn.', durationMs: 0 };
  }
  let invocation: ReturnType<Dialect['invocation']>;
  try {
    invocation = dialect.invocation(event, hook, dialect.readsEnvironment === false ? noEnvironment : context.environment);
  } catch (error) {
    return unrunnable('invalid_input', messageOf(error));
  }
  if (invocation.kind === 'refused') return unrunnable('ambiguous_input', invocation.reason);
  const kind = hook.executor ?? invocation.kind;
  const executor = context.executors.get(kind);
  if (executor === undefined) {
    return unrunnable('no_executor', `nothing here runs hooks of the kind "${kind}"; the host passes an executor for it.`);
  }
  const mayDetach = detaching !== undefined && invocation.kind === 'command' && invocation.detachesOnAsyncLine === true;
  return settleInTime(executor, { invocation, hook, event, signal: context.signal, onStart, ...(mayDetach ? { detaching } : {}) });
}

function unrunnable(code: HookCode, message: string): Exit {
  return { kind: 'unrunnable', code, message, durationMs: 0 };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
