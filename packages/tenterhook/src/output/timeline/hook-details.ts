import type { Change, HookOutcome } from '@tenterhook/protocol';
import { canonicalOutputSchema } from '@tenterhook/protocol/internal';
import { formatPlace } from '../reports/hook-facts.js';
import { shortenPath } from '../reports/report-style.js';
import { escapeForTerminal } from '../terminal/escape.js';
import { wrapTo } from '../terminal/text-layout.js';

/** What to show below the line of a hook when users try their hooks. Reports of an agent's events show nothing there. */
export interface HookDetailsOptions {
  /** The current directory, to which paths are relative. Undefined if it was deleted. */
  readonly directory: string | undefined;
  /** True shows the input of the hook, and everything that it printed, added and changed. False shows only the first lines of stderr. */
  readonly isVerbose: boolean;
  /** True for a hook that ended after its event. Its context is shown, because it is not part of the result. @default false */
  readonly isLate?: boolean;
}

interface DetailsContext extends HookDetailsOptions {
  readonly changes: readonly Change[];
  readonly width: number;
}

/** The number of lines of stderr that are shown for a hook that succeeded. A shell may have reported an error there and continued. */
const briefLines = 2;
const verboseLines = 40;
/** The maximum length of a value, and of a line that a hook printed, in characters. */
const maxValue = 400;
/** The maximum length of the hook's input, in characters. The base fields come first, and take several hundred. */
const maxInput = 2000;

/** Formats the lines below the line of a hook: its location if it has warnings, its input, and what it printed, added and changed. */
export function renderHookDetails(outcome: HookOutcome, { directory, isVerbose, isLate, changes, width }: DetailsContext): string[] {
  if (outcome.status === 'skipped' && outcome.warnings.length === 0) return [];
  const hint = readNothing(outcome) ? ['hint: it did not read its input, the event as JSON on stdin'] : [];
  const place = outcome.warnings.length > 0 || hint.length > 0 || isVerbose ? placeOf(outcome, directory) : undefined;
  const where = place === undefined ? [] : [`at ${escapeForTerminal(place, maxValue)}`];
  // For a failed hook stderr is not shown, because the warning already quotes it.
  const showsStderr = isVerbose || outcome.status === 'succeeded';
  const read = isVerbose ? formatPrinted('stdin', outcome.stdin, 1, maxInput) : [];
  const others = [
    ...(isVerbose ? formatPrinted('stdout', outcome.stdout, verboseLines) : []),
    ...(showsStderr ? formatPrinted('stderr', outcome.stderr, isVerbose ? verboseLines : briefLines) : []),
    ...(isVerbose || isLate ? formatAdded(outcome, changes) : []),
  ];
  const wrap = (texts: readonly string[], maxLines = 4) => texts.flatMap((text) => wrapTo(text, width, maxLines));
  return [...wrap([...hint, ...where]), ...wrap(read, maxInput), ...wrap(others)];
}

/** Tests for a hook that made no decision and did not read its input. Often it made no decision because it did not read its input. */
function readNothing({ status, inputUnread, output, warnings }: HookOutcome): boolean {
  return inputUnread === true && status === 'succeeded' && output === undefined && warnings.length === 0;
}

/** Returns the file and line of the hook. Undefined if it is not in a file, or if a warning already begins with the file. */
function placeOf({ file, line, warnings }: HookOutcome, directory: string | undefined): string | undefined {
  if (file === undefined || warnings.some(({ message }) => message.startsWith(`${file}:`))) return undefined;
  return formatPlace(shortenPath(file, { directory }), line);
}

function formatPrinted(stream: string, text: string | undefined, most: number, longest = maxValue): string[] {
  const lines = (text ?? '').split(/\r?\n/).filter((line) => line.trim() !== '');
  const shown = lines.slice(0, most).map((line) => `${stream}: ${escapeForTerminal(line, longest)}`);
  const rest = lines.length - shown.length;
  return rest > 0 ? [...shown, `${stream}: … ${rest} more ${rest === 1 ? 'line' : 'lines'}`] : shown;
}

function formatAdded({ hookId, output }: HookOutcome, changes: readonly Change[]): string[] {
  const context = canonicalOutputSchema.safeParse(output?.hookSpecificOutput ?? {}).data?.['additionalContext'];
  const changed = changes.filter((change) => change.hookId === hookId);
  return [
    ...(typeof context === 'string' ? formatPrinted('context', context, verboseLines) : []),
    ...changed.map(({ path, before, after }) => `${escapeForTerminal(path, 60)}: ${formatJson(before)} → ${formatJson(after)}`),
  ];
}

function formatJson(value: unknown): string {
  return value === undefined ? 'not set' : escapeForTerminal(JSON.stringify(value), maxValue);
}
