import {
  type Captured,
  type Dialect,
  describeHook,
  type Exit,
  type HookDefinition,
  type HookEvent,
  type HookOutcome,
  type HookWarning,
  type ReadableExit,
  verdictOf,
} from '@tenterhook/protocol';
import { withoutCutSecret } from '@tenterhook/runtime/log';
import { sentence } from '@tenterhook/runtime/text';
import { brokenOutput, missingAnswer, noEffectWarnings, withUsableOutput } from './check-output.js';
import { openOrClosed } from './failure-policy.js';
import { outcomeBase } from './outcome.js';

/**
 * Converts the exit of a hook to its outcome. The dialect reads only exits with output. Timeouts, cancels and failed starts mean the same
 * in every dialect. `applyFailurePolicy` is a separate step, because it is also needed for hooks that never ran.
 */
export function outcomeOfExit(ended: Exit, dialect: Dialect, event: HookEvent, hook: HookDefinition): HookOutcome {
  const exit = withoutCutSecrets(ended);
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

/** Half of a secret at the limit of an output would be shown, because no mask recognises it. Reasons are made of these texts, too. */
function withoutCutSecrets<Ended extends Exit>(exit: Ended): Ended {
  if (!('stdout' in exit) || !(exit.stdoutTruncated || exit.stderrTruncated)) return exit;
  const { stdout = '', stderr = '', stdoutTruncated, stderrTruncated } = exit;
  return {
    ...exit,
    stdout: stdoutTruncated ? withoutCutSecret(stdout) : stdout,
    stderr: stderrTruncated ? withoutCutSecret(stderr) : stderr,
  };
}

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
