import { type Change, canonicalOutputSchema, type HookOutcome } from '@tenterhook/protocol';
import { formatPlace } from '../reports/hook-facts.js';
import { shortenPath } from '../reports/report-style.js';
import { escapeForTerminal } from '../terminal/escape.js';
import { wrapTo } from '../terminal/text-layout.js';

/** What users who try a hook see of it below its line. A report of an agent's events does not show it. */
export interface HookDetailsOptions {
  /** The current directory, from which paths are shown; undefined if it was deleted. */
  readonly directory: string | undefined;
  /** Everything that the hook printed, added and changed, instead of the first lines of stderr. */
  readonly isVerbose: boolean;
}

interface DetailsContext extends HookDetailsOptions {
  readonly changes: readonly Change[];
  readonly width: number;
}

/** The number of lines of stderr that are shown for a hook that succeeded: a shell reports mistakes there and continues. */
const briefLines = 2;
const verboseLines = 40;
/** Characters of one value, and of one line that a hook printed. */
const maxValue = 400;

/** Lines below the line of a hook: where it is configured if it has warnings, and what it printed, added and changed. Pure. */
export function renderHookDetails(outcome: HookOutcome, { directory, isVerbose, changes, width }: DetailsContext): string[] {
  if (outcome.status === 'skipped' && outcome.warnings.length === 0) return [];
  const hint = readNothing(outcome) ? ['hint: it did not read its input, the event as JSON on stdin'] : [];
  const place = outcome.warnings.length > 0 || hint.length > 0 || isVerbose ? placeOf(outcome, directory) : undefined;
  const where = place === undefined ? [] : [`at ${escapeForTerminal(place, maxValue)}`];
  // The warning of a failed hook quotes its stderr.
  const showsStderr = isVerbose || outcome.status === 'succeeded';
  return [
    ...hint,
    ...where,
    ...(isVerbose ? formatPrinted('stdout', outcome.stdout, verboseLines) : []),
    ...(showsStderr ? formatPrinted('stderr', outcome.stderr, isVerbose ? verboseLines : briefLines) : []),
    ...(isVerbose ? formatAdded(outcome, changes) : []),
  ].flatMap((line) => wrapTo(line, width, 4));
}

/** A hook that needs no input has done something else: of one without an opinion, this is often the reason. */
function readNothing({ status, inputUnread, output, warnings }: HookOutcome): boolean {
  return inputUnread === true && status === 'succeeded' && output === undefined && warnings.length === 0;
}

/** Undefined if the hook is not in a file, or if a warning begins with the place. */
function placeOf({ file, line, warnings }: HookOutcome, directory: string | undefined): string | undefined {
  if (file === undefined || warnings.some(({ message }) => message.startsWith(`${file}:`))) return undefined;
  return formatPlace(shortenPath(file, { directory }), line);
}

function formatPrinted(stream: string, text: string | undefined, most: number): string[] {
  const lines = (text ?? '').split(/\r?\n/).filter((line) => line.trim() !== '');
  const shown = lines.slice(0, most).map((line) => `${stream}: ${escapeForTerminal(line, maxValue)}`);
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
