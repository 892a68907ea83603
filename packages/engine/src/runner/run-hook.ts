import {
  type Detachment,
  type Dialect,
  describeHook,
  type Exit,
  type HookCode,
  type HookDefinition,
  type HookEvent,
  type HookExecutor,
  type HookOutcome,
  type HookWarning,
  type Invocation,
} from '@tenterhook/protocol';
import { LinkedSignal } from '@tenterhook/runtime/async';
import { describeThrown } from '@tenterhook/runtime/text';
import { OnePerTurn } from '@tenterhook/spawner/internal';
import { applyFailurePolicy, outcomeBase, outcomeOfExit } from '../outcome/outcome.js';
import type { RunTrust, TrustChecks } from '../trust/trust-check.js';
import { objectionOf, untrustedOutcome } from '../trust/untrusted-outcome.js';
import { readAsyncLine } from './executors/command-executor.js';
import { killed, type RanRanks } from './ran-ranks.js';
import { withSafeStart } from './start-environment.js';

/** What the runner needs besides the hook and the event. */
export interface RunContext {
  readonly dialects: readonly Dialect[];
  readonly executors: ReadonlyMap<string, HookExecutor>;
  readonly environment: () => Readonly<Record<string, string>>;
  /** Aborts when the event is cancelled. Its reason is a text for people, or `disposed`. */
  readonly signal: AbortSignal;
  /** The levels whose hooks have run. If absent, a hook that a signal ended is treated like any other failure. */
  readonly ranRanks?: RanRanks;
  /** Checks before and after a run whether the files of the hook are the trusted ones. If absent, every hook may run. */
  readonly trust?: TrustChecks;
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

/** How a run may continue after its event. */
export interface Detaching {
  /** Replaces the signal of the event after the run has detached itself. */
  readonly signal: AbortSignal;
  readonly onDetach: (detachment: Detachment) => void;
}

type RunOptions = Parameters<HookExecutor['run']>[3];

const noEnvironment = Object.freeze({});

/**
 * Runs one hook and returns its outcome. Never rejects, because every error is a failure of this hook only (decision 34). With `detaching`,
 * the hook may continue in the background if its dialect supports this. The promise then resolves when the hook ends.
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
  const trust = context.trust?.forRun(hook, event.input.cwd);
  try {
    if (dialect === undefined) throw new Error(`the dialect "${hook.dialect}" is not loaded`);
    const exit = await execute(dialect, hook, event, context, { onStart, trust }, detaching);
    if (trust?.refusal !== undefined) return untrustedOutcome(hook, trust.refusal, dialect);
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

async function execute(
  dialect: Dialect,
  hook: HookDefinition,
  event: HookEvent,
  context: RunContext,
  starting: Starting,
  detaching: Detaching | undefined,
): Promise<Exit> {
  if (context.signal.aborted) {
    return { kind: 'not-started', message: 'the event was cancelled before the hook was started.', durationMs: 0 };
  }
  let invocation: Invocation;
  try {
    invocation = dialect.invocation(event, hook, dialect.readsEnvironment === false ? noEnvironment : context.environment());
  } catch (error) {
    return unrunnable('invalid_input', describeThrown(error));
  }
  if (invocation.kind === 'refused') return unrunnable('ambiguous_input', invocation.reason);
  if (invocation.kind === 'command') invocation = withSafeStart(invocation, hook);
  const kind = hook.executor ?? invocation.kind;
  const executor = context.executors.get(kind);
  if (executor === undefined) {
    return unrunnable('no_executor', `no executor runs hooks of the kind "${kind}". The host must pass one in "executors".`);
  }
  const { trust } = starting;
  if (trust !== undefined && invocation.kind === 'command') invocation = { ...invocation, command: trust.replace(invocation.command) };
  // An executor with a queue calls the check itself, after the wait in the queue.
  if (executor.queues !== true) trust?.look();
  if (trust?.refusal !== undefined) return { kind: 'not-started', message: 'it is not trusted.', durationMs: 0 };
  const options = { signal: context.signal, ...startOptions(starting) };
  const detaches = invocation.kind === 'command' && invocation.detachesOnAsyncLine === true && mayDetach(hook);
  if (detaching === undefined || !detaches) return executor.run(invocation, hook, event, options);
  return runDetachable(executor, invocation, hook, event, options, {
    ...detaching,
    // If files of the hook have changed, the running program may not be the trusted one. Then the hook must not detach itself, and the
    // event waits for its end.
    onDetach: (detachment) => (trust?.isTouched() ? undefined : detaching.onDetach(detachment)),
  });
}

/** What to do when a run starts: first the trust is checked, then the start is reported. */
interface Starting {
  readonly onStart: () => void;
  readonly trust: RunTrust | undefined;
}

function startOptions({ onStart, trust }: Starting): Pick<RunOptions, 'onStart' | 'mayStart'> {
  if (trust === undefined) return { onStart };
  return {
    mayStart: () => trust.look() === undefined,
    onStart: () => {
      // An executor that does not call `mayStart` has already started the hook. If the check refuses the hook now, the hook's answer is
      // not used.
      if (!trust.hasLooked) trust.look();
      onStart();
    },
  };
}

/**
 * Runs a hook that may detach itself, i.e. continue in the background. Until it detaches itself, the run is cancelled with its event.
 * Afterwards only `detaching.signal` cancels it.
 */
export function runDetachable(
  executor: HookExecutor,
  invocation: Invocation,
  hook: HookDefinition,
  event: HookEvent,
  options: Omit<RunOptions, 'onDetach'>,
  detaching: Detaching,
): Promise<Exit> {
  const linked = new LinkedSignal(options.signal);
  const onDetach = (detachment: Detachment) => {
    // If the line is read after the abort, it has no effect.
    if (linked.signal.aborted) return;
    linked.follow(detaching.signal);
    detaching.onDetach(detachment);
  };
  return executor.run(invocation, hook, event, { ...options, signal: linked.signal, onDetach }).finally(() => linked.release());
}

/**
 * Whether a printed line can detach the hook. The settings of the hook must allow it, because the hook may only repeat a text that
 * contains such a line. A hook that fails closed cannot detach itself, so its event always waits for it. Both rules apply in all
 * dialects.
 */
function mayDetach({ mayDetach: isAllowed, onError }: HookDefinition): boolean {
  return isAllowed === true && onError !== 'block';
}

/** Whether the first line of a command, or the answer of a server, asks the event not to wait. */
function asksToDetach(exit: Exit): boolean {
  if (exit.kind === 'response') return readAsyncLine(exit.body) !== undefined;
  if (!('stdout' in exit) || exit.stdout === undefined) return false;
  const end = exit.stdout.indexOf('\n');
  return readAsyncLine(end < 0 ? exit.stdout : exit.stdout.slice(0, end)) !== undefined;
}

function detachIgnored(hook: HookDefinition, { detachField }: Dialect, { kind }: Exit): HookWarning {
  const isGuard = hook.onError === 'block';
  const isAnswer = kind === 'response';
  const why = isGuard ? 'its failures deny' : isAnswer ? 'only a command can do that' : 'its settings do not allow that';
  const remedy = isGuard || isAnswer || detachField === undefined ? '' : `, or write "${detachField}": true in its settings`;
  const message = `${describeHook(hook)} asked to run in the background ("async": true). The event waited for the hook, because ${why}. Remove that ${isAnswer ? 'field' : 'line'}${remedy}.`;
  return { code: 'async_ignored', message };
}

function unrunnable(code: HookCode, message: string): Exit {
  return { kind: 'unrunnable', code, message, durationMs: 0 };
}
