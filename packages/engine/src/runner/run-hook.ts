import {
  type Dialect,
  describeHook,
  type Exit,
  type HookCode,
  type HookDefinition,
  type HookEvent,
  type HookExecutor,
  type HookOutcome,
  type Invocation,
} from '@tenterhook/protocol';
import type { ContainedHook } from '@tenterhook/protocol/internal';
import type { Abortable, DeadlineTimer } from '@tenterhook/runtime/async';
import { describeThrown } from '@tenterhook/runtime/text';
import { OnePerTurn } from '@tenterhook/spawner/internal';
import { outcomeOfExit } from '../outcome/exit-outcome.js';
import { applyFailurePolicy } from '../outcome/failure-policy.js';
import { outcomeBase } from '../outcome/outcome.js';
import type { RunTrust, TrustChecks } from '../trust/trust-check.js';
import { objectionOf, untrustedOutcome } from '../trust/untrusted-outcome.js';
import { asksToDetach, type Detaching, detachIgnored, mayDetach, runDetachable } from './detach.js';
import { killed, type RanRanks } from './ran-ranks.js';
import { RunOptions } from './run-options.js';
import type { SessionVariables } from './session-variables.js';
import { withStartEnvironment } from './start-environment.js';
import { withTraceFields, withTraceHeaders, withTraceVariables } from './trace-carriers.js';

/** What the runner needs besides the hook and the event. */
export interface RunContext {
  readonly dialects: readonly Dialect[];
  readonly executors: ReadonlyMap<string, HookExecutor>;
  readonly environment: () => Readonly<Record<string, string>>;
  /** Aborts when the event is cancelled. Its reason is a text for people, or `disposed`. */
  readonly signal: Abortable;
  /** The deadline timer that function hooks share, which run one after another. If absent, each has its own. */
  readonly timer?: DeadlineTimer | undefined;
  /** The levels whose hooks have run. If absent, a hook that a signal ended is treated like any other failure. */
  readonly ranRanks?: RanRanks;
  /** Checks before and after a run whether the files of the hook are the trusted ones. If absent, every hook may run. */
  readonly trust?: TrustChecks;
  /** The variables that hooks of the session have set. If absent, hooks set no variables for others. */
  readonly sessionVariables?: SessionVariables;
  /** Called when a hook is started, with what it is about to read. If absent, inputs are not reported. */
  readonly tellInput?: (hook: HookDefinition, invocation: Invocation, recheck: boolean) => void;
  /** Present only in a recheck, in which a hook is asked again about a rewritten input. */
  readonly recheck?: RecheckContext;
}

/** What is different when a hook is asked again about a rewritten input. */
export interface RecheckContext {
  /**
   * The keys (`keyOfHook`) of the hooks that have run in this event. A hook with `once` may run again in a recheck of the same event:
   * both runs count as one.
   */
  readonly ran: ReadonlySet<string>;
  /** Marks the outcome as one of a recheck, and refuses a rewrite. */
  outcomeOf(outcome: HookOutcome, hook: HookDefinition): HookOutcome;
}

/** What a run reports. */
export interface RunStart {
  /** The process may start at any time from now on. Its start is reported later, maybe after the effects of what it does. */
  starting?(): void;
  /** The process was started, or the function was called. */
  started(): void;
  /** The record of the run. If absent, the run is not recorded. */
  readonly trace?: ContainedHook | undefined;
}

const noEnvironment = Object.freeze({});

/**
 * Runs one hook and returns its outcome. Never rejects, because every error is a failure of this hook only (decision 34). With `detaching`,
 * the hook may continue in the background if its dialect supports this. The promise then resolves when the hook ends.
 */
export async function runHook(
  hook: HookDefinition,
  event: HookEvent,
  context: RunContext,
  start: RunStart,
  detaching?: Detaching,
): Promise<HookOutcome> {
  const dialect = context.dialects.find((candidate) => candidate.name === hook.dialect);
  let outcome: HookOutcome;
  try {
    const trust = context.trust?.forRun(hook, event.input.cwd);
    if (dialect === undefined) throw new Error(`the dialect "${hook.dialect}" is not loaded`);
    const starting = { onStarting: () => start.starting?.(), onStart: () => start.started(), trust, trace: start.trace };
    const exit = await execute(dialect, hook, event, context, starting, detaching);
    if (trust?.refusal !== undefined) return untrustedOutcome(hook, trust.refusal, dialect);
    if (exit.kind === 'response') start.trace?.responded(exit.status);
    if (isLarge(exit)) await decoding.take();
    outcome = outcomeOfExit(exit, dialect, event, hook);
    if (!hook.async && !mayDetach(hook) && asksToDetach(exit)) {
      outcome = { ...outcome, warnings: [...outcome.warnings, detachIgnored(hook, dialect, exit)] };
    }
    if (trust?.isTouched()) outcome = objectionOf(outcome, hook);
    if (context.ranRanks?.mayHaveKilled(hook, outcome)) outcome = killed(outcome, hook);
  } catch (error) {
    const message = `${describeHook(hook)} failed inside Tenterhook: ${describeThrown(error)}`;
    outcome = { ...outcomeBase(hook), status: 'failed', durationMs: 0, warnings: [{ code: 'internal_error', message }] };
  }
  if (context.recheck !== undefined) outcome = context.recheck.outcomeOf(outcome, hook);
  outcome = context.sessionVariables?.note(hook, event.input.session_id, outcome) ?? outcome;
  return applyFailurePolicy(outcome, hook, dialect);
}

/**
 * The number of characters above which only one output is read per turn of the event loop. Reading megabytes takes tens of milliseconds,
 * and many hooks may end at once.
 */
const largeOutput = 65_536;
const decoding = new OnePerTurn();

function isLarge(exit: Exit): boolean {
  return ('stdout' in exit && (exit.stdout?.length ?? 0) > largeOutput) || (exit.kind === 'response' && exit.body.length > largeOutput);
}

function environmentOf(hook: HookDefinition, { input }: HookEvent, context: RunContext, trace: ContainedHook | undefined) {
  const { environment, sessionVariables } = context;
  const traced = withTraceVariables(environment(), hook, trace);
  return sessionVariables === undefined ? traced : sessionVariables.add(hook, input.session_id, traced);
}

/** Returns a promise only if an executor was called, because waiting for one takes time. */
function execute(
  dialect: Dialect,
  hook: HookDefinition,
  event: HookEvent,
  context: RunContext,
  starting: Starting,
  detaching: Detaching | undefined,
): Exit | Promise<Exit> {
  if (context.signal.aborted) {
    return { kind: 'not-started', message: 'the event was cancelled before the hook was started.', durationMs: 0 };
  }
  const { trust, trace } = starting;
  let invocation: Invocation;
  try {
    const environment = dialect.readsEnvironment === false ? noEnvironment : environmentOf(hook, event, context, trace);
    invocation = dialect.invocation(withTraceFields(event, dialect, trace), hook, environment);
  } catch (error) {
    return unrunnable('invalid_input', describeThrown(error));
  }
  if (invocation.kind === 'refused') return unrunnable('ambiguous_input', invocation.reason);
  if (invocation.kind === 'command') invocation = withStartEnvironment(invocation, hook);
  if (invocation.kind === 'http' && trace !== undefined) invocation = withTraceHeaders(invocation, trace.context);
  const kind = hook.executor ?? invocation.kind;
  const executor = context.executors.get(kind);
  if (executor === undefined) {
    return unrunnable('no_executor', `no executor runs hooks of the kind "${kind}". The host must pass one in "executors".`);
  }
  if (trust !== undefined && invocation.kind === 'command') invocation = { ...invocation, command: trust.replace(invocation.command) };
  // An executor with a queue calls the check itself, after the wait in the queue.
  if (executor.queues !== true) trust?.look();
  if (trust?.refusal !== undefined) return { kind: 'not-started', message: 'it is not trusted.', durationMs: 0 };
  // With trust, an executor with a queue asks before each start. Otherwise the hook may start as soon as the executor has it.
  if (executor.queues !== true || trust === undefined) starting.onStarting();
  const options = runOptions(context, tellingInput(starting, hook, invocation, context));
  const detaches = invocation.kind === 'command' && invocation.detachesOnAsyncLine === true && mayDetach(hook);
  const run = () => {
    if (detaching === undefined || !detaches) return executor.run(invocation, hook, event, options);
    return runDetachable(executor, invocation, hook, event, options, {
      ...detaching,
      // If files of the hook have changed, the running program may not be the trusted one. Then the hook must not detach itself, and the
      // event waits for its end.
      onDetach: (detachment) => (trust?.isTouched() ? undefined : detaching.onDetach(detachment)),
    });
  };
  return trace === undefined ? run() : trace.run(run);
}

/** What to do when a run starts: first the trust is checked, then the start is reported. */
interface Starting {
  readonly onStarting: () => void;
  readonly onStart: () => void;
  readonly trust: RunTrust | undefined;
  readonly trace: ContainedHook | undefined;
}

/** Tells what a hook reads right after its start, so that both are in order. */
function tellingInput(starting: Starting, hook: HookDefinition, invocation: Invocation, { tellInput, recheck }: RunContext): Starting {
  if (tellInput === undefined) return starting;
  const onStart = () => {
    starting.onStart();
    tellInput(hook, invocation, recheck !== undefined);
  };
  return { ...starting, onStart };
}

function runOptions(context: RunContext, { onStarting, onStart, trust }: Starting): RunOptions {
  if (trust === undefined) return new RunOptions(context, onStart);
  const start = () => {
    // An executor that does not call `mayStart` has already started the hook. If the check refuses the hook now, the hook's answer is
    // not used.
    if (!trust.hasLooked) trust.look();
    onStart();
  };
  const mayStart = () => {
    const isAllowed = trust.look() === undefined;
    if (isAllowed) onStarting();
    return isAllowed;
  };
  return new RunOptions(context, start, { mayStart, isTouched: () => trust.isTouched() });
}

function unrunnable(code: HookCode, message: string): Exit {
  return { kind: 'unrunnable', code, message, durationMs: 0 };
}
