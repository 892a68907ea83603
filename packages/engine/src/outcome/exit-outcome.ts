import {
  type Dialect,
  describeHook,
  type Exit,
  type HookDefinition,
  type HookEvent,
  type HookOutcome,
  type HookWarning,
  verdictOf,
} from '@tenterhook/protocol';
import { sentence } from '../runner/sentence.js';
import { brokenOutput } from './broken-output.js';
import { capturedFields, captureWarnings, endWarnings } from './captured.js';
import { withUsableOutput } from './check-output.js';
import { effectlessWords } from './effectless-words.js';
import { failureFieldOf } from './failure-policy.js';
import { outcomeBase } from './outcome.js';

/** What one end of a hook means as an outcome. Only a readable end is the dialect's to read; the others mean the same everywhere. */
export function outcomeOfExit(exit: Exit, dialect: Dialect, event: HookEvent, hook: HookDefinition): HookOutcome {
  const what = describeHook(hook);
  const base = { ...outcomeBase(hook), durationMs: roundMs(exit.durationMs), ...capturedFields(exit) };
  switch (exit.kind) {
    case 'timed-out':
      return {
        ...base,
        status: 'timed-out',
        warnings: [
          {
            code: 'timeout',
            message: `${what} did not end within ${exit.timeoutMs ?? hook.timeoutMs} ms and was stopped.${openOrClosed(hook, dialect)}`,
          },
        ],
      };
    case 'cancelled':
      return {
        ...base,
        status: 'cancelled',
        warnings: [{ code: 'cancelled', message: `${what} was running when the event was cancelled.` }],
      };
    case 'not-started':
      return { ...base, status: 'cancelled', warnings: [{ code: 'not_started', message: `${what} did not run: ${exit.message}` }] };
    case 'unrunnable':
      return {
        ...base,
        status: 'failed',
        warnings: [
          {
            code: exit.code,
            message: `${sentence(`${what} could not be run: ${exit.message}`)}${exit.code === 'ambiguous_input' ? '' : openOrClosed(hook, dialect)}`,
          },
        ],
      };
    case 'signalled':
      return {
        ...base,
        status: 'failed',
        signal: exit.signal,
        warnings: [
          { code: 'signal', message: `${what} was ended by ${exit.signal}.${openOrClosed(hook, dialect)}` },
          ...captureWarnings(exit, what),
        ],
      };
    case 'exited':
    case 'response':
    case 'answered': {
      const decoded = withUsableOutput(dialect.decode(exit, event, hook));
      const captured = endWarnings(exit, what);
      const exitCode = exit.kind === 'exited' ? { exitCode: exit.exitCode } : {};
      const broken = brokenOutput(decoded, hook);
      if (broken !== undefined) {
        const others = [...decoded.warnings.filter((warning) => warning !== broken.cause), ...captured];
        const stop = broken.stop === undefined ? {} : { output: broken.stop };
        return { ...base, ...exitCode, status: 'failed', ...stop, warnings: [broken.cause, ...bounded(others)] };
      }
      // What the dialect has said of the same thing is not said twice.
      const words = decoded.output === undefined ? [] : effectlessWords(decoded.output, hook.eventName);
      const warnings = bounded([...decoded.warnings, ...words, ...captured.filter((warning) => warning.code !== decoded.failure?.code)]);
      if (decoded.failure) {
        const status = decoded.failure.code === 'timeout' ? 'timed-out' : 'failed';
        return { ...base, ...exitCode, status, warnings: [decoded.failure, ...warnings] };
      }
      const output = decoded.output === undefined ? {} : { output: decoded.output };
      const status = verdictOf(decoded.output?.decision) === 'deny' ? 'blocked' : 'succeeded';
      return { ...base, ...exitCode, status, ...output, warnings };
    }
  }
}

/** Says what a failure means for the operation, since that is the first thing anybody asks. */
function openOrClosed(hook: HookDefinition, dialect: Dialect): string {
  if (hook.onError === 'block') return '';
  const field = failureFieldOf(dialect);
  return ` It has no say (${field}: continue); to block instead, set "${field}": "block".`;
}

/** The most warnings that one outcome keeps: a hook can print a million lines that each deserve one. */
const maxWarnings = 32;

/** The same of every line is said once. */
function bounded(warnings: readonly HookWarning[]): HookWarning[] {
  const distinct = [...new Map(warnings.map((warning) => [`${warning.code} ${warning.message}`, warning])).values()];
  if (distinct.length <= maxWarnings) return distinct;
  const rest = distinct.length - maxWarnings;
  return [...distinct.slice(0, maxWarnings), { code: 'more_warnings', message: `${rest} more warnings of this hook were left out.` }];
}

function roundMs(durationMs: number): number {
  return Math.round(durationMs * 1000) / 1000;
}
