import {
  type Dialect,
  describeHook,
  eventEntry,
  type HookCode,
  type HookDefinition,
  type HookOutcome,
  type HookOutput,
  type SkipReason,
} from '@tenterhook/protocol';
import { hasFailed } from './outcome.js';

/** Returns the name and the values that this dialect's settings have for `onError`. For an unknown dialect these are `onError` itself. */
function failureSettingOf({ failureField: field = 'onError', failureValues = ['continue', 'block'] }: Partial<Dialect> = {}) {
  const [ignored, denies] = failureValues;
  return { field, ignored, denies };
}

/**
 * Turns a failure of a hook with `onError: 'block'` into a deny. Examples are a timeout, a failed start or an open circuit. The outcome
 * keeps the status of the failure, so that readers can distinguish this deny from a decision of the hook (decision 26). Some failures deny
 * whatever `onError` is (`deniesAlways`).
 */
export function applyFailurePolicy(outcome: HookOutcome, hook: HookDefinition, dialect: Dialect | undefined): HookOutcome {
  const isUnasked = deniesAlways(outcome.warnings[0]?.code, outcome.limited, hook);
  if (!couldNotWork(outcome) || (hook.onError !== 'block' && !isUnasked)) return outcome;
  const what = describeHook(hook);
  // The cause begins with the name of the hook. The message already begins with this name, so here the name is replaced by "It".
  const cause = (outcome.warnings[0]?.message ?? `It ${outcome.status}.`).replace(`${what} `, 'It ');
  const { field, denies } = failureSettingOf(dialect);
  // A failure with this code denies whatever `onError` is, so the message must not give `onError` as the reason.
  const isOwnPolicy = hook.onError === 'block' && outcome.warnings[0]?.code !== 'rewrite_unchecked';
  const policy = isOwnPolicy ? `${field}: ${denies}` : `whatever its ${field}`;
  const denial = `${what} denies because it could not do its work (${policy}).`;
  const message = `${denial} ${cause}`;
  // After an operation the deny also removes the result, because the guard could not check it. The text in place of the result omits the
  // cause, because the cause may quote the result.
  const removed = dialect?.denied?.({ decision: 'deny', reason: denial }, hook).hookSpecificOutput ?? withheld(hook, denial);
  return {
    ...outcome,
    failedClosed: true,
    ...(removed === undefined ? {} : { output: { ...outcome.output, hookSpecificOutput: removed } }),
    warnings: [...outcome.warnings, { code: 'failed_closed', message }],
  };
}

/**
 * Returns the replacement for data from which the failed hook may have wanted to remove something. Used on events where a deny cannot
 * prevent anything.
 */
function withheld({ eventName }: HookDefinition, message: string): HookOutput['hookSpecificOutput'] | undefined {
  switch (eventName) {
    case 'AfterTool':
      return { updatedToolOutput: message };
    case 'AfterModel':
      return { llm_response: { text: '', candidates: [] } };
    default:
      return undefined;
  }
}

/**
 * The codes of failures after which no hook has decided about what will actually happen:
 * - `ambiguous_input`: the input has two meanings.
 * - `unstable_rewrite`: the hook rewrote the input in a recheck, and the other hooks have not received this input.
 * - `guard_killed`: the hook was killed.
 * - `rewrite_unchecked`: a hook of a lower level replaced this hook's rewrite, and this hook did not check the new data.
 * - `guard_untrusted`: the hook's files have changed since they were trusted.
 */
const unasked: ReadonlySet<string | undefined> = new Set<HookCode>([
  'ambiguous_input',
  'unstable_rewrite',
  'guard_killed',
  'rewrite_unchecked',
  'guard_untrusted',
]);

/** The codes of commands that could not be started, were ended by a signal, or exited with a code that means failure. */
const crashes: ReadonlySet<string | undefined> = new Set<HookCode>([
  'exit_code',
  'signal',
  'missing_command',
  'not_executable',
  'spawn_failed',
  'resident_failed',
]);

/** The codes of hooks that had not answered when the time of the event was over. */
const lates: ReadonlySet<string | undefined> = new Set<HookCode>(['timeout', 'cancelled', 'not_started']);

/**
 * Whether a failure denies even without `onError: 'block'`.
 * - The codes in `unasked` always deny. Otherwise a model or a program that causes such a failure could disable every guard.
 * - A limit (of this process, of the machine, of nested hooks) denies on events that can be blocked. On events after an operation, the
 *   client of the agent withholds the result instead. For an async hook a limit denies nothing, because an async hook cannot prevent
 *   anything.
 * - The codes in `crashes` deny if the hook has `deniesOnCrash`, and the codes in `lates` if it has `deniesOnTimeout`.
 */
function deniesAlways(code: string | undefined, limited: boolean | undefined, hook: HookDefinition): boolean {
  if (unasked.has(code) || isDenyingCrash(code, hook)) return true;
  return (limited === true || code === 'too_nested') && !hook.async && eventEntry(hook.eventName).may.block === true;
}

/** Tests whether a failure is a crash or a timeout with which the hook denies. */
export function isDenyingCrash(code: string | undefined, { deniesOnCrash, deniesOnTimeout }: HookDefinition): boolean {
  return (deniesOnCrash === true && crashes.has(code)) || (deniesOnTimeout === true && lates.has(code));
}

/** Reasons to skip a hook that was selected to run. */
const leftOut: ReadonlySet<SkipReason | undefined> = new Set<SkipReason>(['circuit-open', 'reentrant', 'invalid', 'untrusted']);

function couldNotWork(outcome: HookOutcome): boolean {
  return hasFailed(outcome) || leftOut.has(outcome.skipReason as SkipReason | undefined);
}

/** Returns the sentence about a failure that is ignored. The other failures block the operation. */
export function openOrClosed(
  hook: HookDefinition,
  dialect: Dialect,
  { code, limited }: { readonly code: string; readonly limited?: boolean | undefined },
): string {
  if (hook.onError === 'block' || deniesAlways(code, limited, hook)) return '';
  const { field, ignored, denies } = failureSettingOf(dialect);
  return ` The failure is ignored (${field}: ${ignored}). To block instead, set "${field}": ${JSON.stringify(denies)}.`;
}
