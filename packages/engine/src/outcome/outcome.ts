import {
  type Captured,
  type Dialect,
  describeHook,
  type Exit,
  eventEntry,
  type HookCode,
  type HookDefinition,
  type HookEvent,
  type HookOutcome,
  type HookOutput,
  type HookWarning,
  type ReadableExit,
  type SkippedHook,
  type SkipReason,
  verdictOf,
} from '@tenterhook/protocol';
import { levelOf, shownAction } from '@tenterhook/protocol/internal';
import { sentence } from '@tenterhook/runtime/text';
import { brokenOutput, missingAnswer, noEffectWarnings, withUsableOutput } from './check-output.js';

/**
 * Converts the exit of a hook to its outcome. The dialect reads only exits with output. Timeouts, cancels and failed starts mean the same
 * in every dialect. `applyFailurePolicy` is a separate step, because it is also needed for hooks that never ran.
 */
export function outcomeOfExit(exit: Exit, dialect: Dialect, event: HookEvent, hook: HookDefinition): HookOutcome {
  const what = () => describeHook(hook);
  const base = Object.assign(outcomeBase(hook), { durationMs: roundMs(exit.durationMs) }, capturedFields(exit));
  if ('limited' in exit && exit.limited) Object.assign(base, { limited: true });
  switch (exit.kind) {
    case 'timed-out':
      return Object.assign(base, {
        status: 'timed-out' as const,
        ...(exit.signal === undefined ? {} : { signal: exit.signal }),
        warnings: [
          {
            code: 'timeout' as const,
            message: `${what()} did not end within ${exit.timeoutMs ?? hook.timeoutMs} ms and was stopped. Raise its timeout, or make the hook faster.${openOrClosed(hook, dialect, { code: 'timeout', limited: base.limited })}`,
          },
          ...(exit.warnings ?? []),
        ],
      });
    case 'cancelled':
      return Object.assign(base, {
        status: 'cancelled' as const,
        warnings: [{ code: 'cancelled' as const, message: `${what()} was running when the event was cancelled.` }],
      });
    case 'not-started':
      return Object.assign(base, {
        status: 'cancelled' as const,
        warnings: [{ code: 'not_started' as const, message: `${what()} did not run: ${exit.message}` }],
      });
    case 'unrunnable':
      return Object.assign(base, {
        status: 'failed' as const,
        warnings: [
          {
            code: exit.code,
            message: `${sentence(`${what()} could not be run: ${exit.message}`)}${openOrClosed(hook, dialect, exit)}`,
          },
          ...(exit.warnings ?? []),
        ],
      });
    case 'signalled':
      return Object.assign(base, {
        status: 'failed' as const,
        signal: exit.signal,
        warnings: [
          {
            code: 'signal' as const,
            message: `${what()} was ended by ${exit.signal}.${openOrClosed(hook, dialect, { code: 'signal' })}`,
          },
          ...captureWarnings(exit, what),
        ],
      });
    case 'exited':
    case 'response':
    case 'answered': {
      const decoded = withUsableOutput(dialect.decode(exit, event, hook));
      const captured = endWarnings(exit, what);
      const exitCode = exit.kind === 'exited' ? { exitCode: exit.exitCode } : undefined;
      const broken = brokenOutput(decoded, hook) ?? missingAnswer(exit, decoded, hook);
      if (broken !== undefined) {
        const others = [...decoded.warnings.filter((warning) => warning !== broken.cause), ...captured];
        const stop = broken.stop === undefined ? {} : { output: broken.stop };
        return Object.assign(base, exitCode, { status: 'failed' as const }, stop, { warnings: [broken.cause, ...bounded(others)] });
      }
      // If the dialect reports a failure, warnings about the output with the same code are left out, because they would repeat the failure.
      const words = decoded.output === undefined ? none : noEffectWarnings(decoded.output, hook.eventName);
      const warnings = bounded([...decoded.warnings, ...words, ...captured.filter((warning) => warning.code !== decoded.failure?.code)]);
      if (decoded.failure) {
        const status: HookOutcome['status'] = decoded.failure.code === 'timeout' ? 'timed-out' : 'failed';
        return Object.assign(base, exitCode, { status, warnings: [decoded.failure, ...warnings] });
      }
      const { output } = decoded;
      const status: HookOutcome['status'] = verdictOf(output?.decision) === 'deny' ? 'blocked' : 'succeeded';
      if (output === undefined) return Object.assign(base, exitCode, { status, warnings });
      return Object.assign(base, exitCode, { status, output, warnings });
    }
  }
}

/** Frozen, because many outcomes share it. */
const none: readonly HookWarning[] = Object.freeze([]);

/** Returns the captured output as fields of the outcome. */
function capturedFields(exit: Exit): Partial<HookOutcome> | undefined {
  if (exit.kind === 'response') return exit.truncated ? { truncated: true } : undefined;
  if (!('stdout' in exit) || exit.stdout === undefined) return undefined;
  return {
    ...(exit.stdin === undefined ? {} : { stdin: exit.stdin }),
    stdout: exit.stdout,
    stderr: exit.stderr ?? '',
    stdoutBytes: exit.stdoutBytes ?? 0,
    stderrBytes: exit.stderrBytes ?? 0,
    ...(exit.stdoutTruncated || exit.stderrTruncated ? { truncated: true } : {}),
    ...(exit.route === undefined ? {} : { route: exit.route }),
    ...(exit.kind === 'exited' && exit.inputUnread ? { inputUnread: true } : {}),
  };
}

/** Returns the warnings about the captured output, such as a truncation. These warnings are the same for all dialects. */
function endWarnings(exit: ReadableExit, what: () => string): readonly HookWarning[] {
  if (exit.kind === 'exited') return captureWarnings(exit, what);
  if (exit.kind === 'answered' || !exit.truncated) return none;
  return [
    {
      code: 'output_truncated',
      message: `${what()} received an answer that is longer than the limit. The rest was not read. Shorten the answer, or raise limits.stdoutBytes in the agent.`,
    },
  ];
}

function captureWarnings(exit: Captured & { leftProcesses?: number }, what: () => string): HookWarning[] {
  const warnings: HookWarning[] = [...(exit.warnings ?? [])];
  if (exit.stdoutTruncated || exit.stderrTruncated) {
    warnings.push({
      code: 'output_truncated',
      message: `${what()} wrote ${exit.stdoutBytes} bytes to stdout and ${exit.stderrBytes} to stderr. The part beyond the limit was dropped. Write large output to a file, or raise limits.stdoutBytes or limits.stderrBytes in the agent.`,
    });
  }
  if (exit.invalidUtf8)
    warnings.push({
      code: 'invalid_utf8',
      message: `${what()} printed bytes that are not UTF-8. They were replaced by U+FFFD. Print UTF-8: convert the text with "iconv -t UTF-8", or set PYTHONIOENCODING=utf-8 for a Python script.`,
    });
  if (exit.leftProcesses) {
    warnings.push({
      code: 'left_processes',
      message: `${what()} ended but left ${exit.leftProcesses} of its processes running. The processes were not stopped. Wait for them at the end of the hook (wait), or stop them there.`,
    });
  }
  return warnings;
}

/** Returns the sentence about a failure that is ignored. The other failures block the operation. */
function openOrClosed(
  hook: HookDefinition,
  dialect: Dialect,
  { code, limited }: { readonly code: string; readonly limited?: boolean | undefined },
): string {
  if (hook.onError === 'block' || deniesAlways(code, limited, hook)) return '';
  const { field, ignored, denies } = failureSettingOf(dialect);
  return ` The failure is ignored (${field}: ${ignored}). To block instead, set "${field}": ${JSON.stringify(denies)}.`;
}

/** The maximum number of warnings of one outcome. A hook can print a million lines, each with its own warning. */
const maxWarnings = 32;

/** Keeps each different warning once, up to the maximum. */
function bounded(warnings: readonly HookWarning[]): readonly HookWarning[] {
  if (warnings.length < 2) return warnings.length === 0 ? none : warnings;
  const distinct = [...new Map(warnings.map((warning) => [`${warning.code} ${warning.message}`, warning])).values()];
  if (distinct.length <= maxWarnings) return distinct;
  const rest = distinct.length - maxWarnings;
  return [...distinct.slice(0, maxWarnings), { code: 'more_warnings', message: `${rest} more warnings of this hook were left out.` }];
}

function roundMs(durationMs: number): number {
  return Math.round(durationMs * 1000) / 1000;
}

/** An outcome that is being built. Fields are added one by one: on Node 20, fields that follow a spread take a microsecond each. */
type Draft = { -readonly [Field in keyof HookOutcome]?: HookOutcome[Field] };

type BaseField = 'hookId' | 'name' | 'eventName' | 'source' | 'level' | 'dialect' | 'file' | 'line' | 'command' | 'engine';

/** Returns the fields of an outcome that are known before the hook runs, in a new object. */
export function outcomeBase(hook: HookDefinition): Pick<HookOutcome, BaseField> {
  const { command } = shownAction(hook.action);
  const base: Draft = { hookId: hook.id };
  if (hook.name !== undefined) base.name = hook.name;
  base.eventName = hook.eventName;
  base.source = hook.source;
  base.level = levelOf(hook);
  base.dialect = hook.dialect;
  if (hook.file !== undefined) base.file = hook.file;
  if (hook.line !== undefined) base.line = hook.line;
  if (command !== undefined) base.command = command;
  if (hook.engine !== undefined) base.engine = hook.engine;
  return base as Pick<HookOutcome, BaseField>;
}

/** Reasons to skip a hook that need no warning. They are expected, and a warning would appear at every event. */
const expectedSkips: ReadonlySet<SkipReason> = new Set<SkipReason>(['matcher', 'chain-ended', 'once']);

export function skippedOutcome(entry: SkippedHook): HookOutcome {
  const warning: HookWarning = entry.hook.skip?.warning ?? { code: entry.skipReason, message: entry.reason };
  return Object.assign(outcomeBase(entry.hook), {
    status: 'skipped' as const,
    skipReason: entry.skipReason,
    durationMs: 0,
    ...(entry.duplicateOf === undefined ? {} : { duplicateOf: entry.duplicateOf }),
    warnings: expectedSkips.has(entry.skipReason) ? [] : [warning],
  });
}

/** Whether the output of the hook has an effect. */
export function isObeyed({ status }: HookOutcome): boolean {
  return status === 'succeeded' || status === 'blocked';
}

/** Whether the hook is listed in `errors`: it failed, timed out, was cancelled, or was skipped in a way that denies (`failedClosed`). */
export function hasFailed({ status, failedClosed }: HookOutcome): boolean {
  return status === 'failed' || status === 'timed-out' || status === 'cancelled' || failedClosed === true;
}

/** Whether the hook was started. */
export function hasRun({ status, warnings }: HookOutcome): boolean {
  return status !== 'skipped' && !(status === 'cancelled' && warnings[0]?.code === 'not_started');
}

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

/** Tests whether an async hook ended in such a way that the agent wakes. */
export function wakesAgent({ rewake }: HookDefinition, { exitCode }: HookOutcome): boolean {
  return rewake === true && exitCode === 2;
}
