import { brokenOutputCodes } from '@tenterhook/engine/internal';
import { type HookOutcome, type OutcomeStatus, type SkipReason, verdictOf } from '@tenterhook/protocol';
import { shortenPaths } from '../reports/report-style.js';
import { escapeForTerminal } from '../terminal/escape.js';
import type { Paint, Style } from '../terminal/palette.js';
import { countColumns, fitTo, padTo, wrapTo } from '../terminal/text-layout.js';
import { formatDuration, renderBar } from './duration.js';
import { type HookDetailsOptions, renderHookDetails } from './hook-details.js';
import { type OutcomeSummaryContext, summarizeOutcome } from './outcome-summary.js';

/** The columns, which are the same in all lines of one timeline. */
export interface TimelineColumns {
  readonly width: number;
  readonly name: number;
  readonly bar: number;
  readonly duration: number;
}

export interface HookLineContext extends OutcomeSummaryContext {
  readonly columns: TimelineColumns;
  readonly axisMs: number;
  readonly paint: Paint;
  readonly details: HookDetailsOptions | undefined;
}

const marks: Readonly<Record<OutcomeStatus, readonly [mark: string, style: Style]>> = {
  succeeded: ['✓', 'green'],
  blocked: ['✗', 'red'],
  failed: ['!', 'yellow'],
  'timed-out': ['⏱', 'yellow'],
  skipped: ['–', 'dim'],
  cancelled: ['◌', 'dim'],
  detached: ['…', 'cyan'],
};

/** The maximum length of a warning, in characters. Messages end with their remedy, so messages of the usual length must not be cut. */
const maxWarning = 1_000;
const maxWarningLines = 10;

/**
 * Returns the status that decides the mark and colour of an outcome. Two kinds of outcomes look like `failed`:
 * - a hook that was skipped and therefore denies, so that it does not look like a hook whose matcher did not match;
 * - a hook with an invalid answer, which may have been meant as a deny.
 */
function lookOf({ status, failedClosed, output, warnings }: HookOutcome): OutcomeStatus {
  if (status === 'skipped') return failedClosed ? 'failed' : status;
  const isUnclear = status === 'succeeded' && verdictOf(output?.decision) !== 'ask';
  return isUnclear && warnings.some(({ code }) => brokenOutputCodes.has(code)) ? 'failed' : status;
}

/** Formats one hook: mark, name, bar, duration and summary. Its problems follow below. */
export function renderHookLines(outcome: HookOutcome, context: HookLineContext): string[] {
  const { columns, paint } = context;
  const [mark, style] = marks[lookOf(outcome)];
  const name = padTo(fitLabel(context.labelOf(outcome.hookId), columns.name), columns.name);
  const summary = summarizeOutcome(outcome, context);
  if (context.started === undefined) {
    const line = fitTo(`${name}  ${summary}`, columns.width - 4);
    return [
      `  ${paint(style, mark)} ${paint(lookOf(outcome) === 'failed' ? 'plain' : 'dim', line)}`,
      ...renderBelowHook(outcome, { ...context, width: columns.width }),
    ];
  }
  const bar = padTo(
    columns.bar > 0 ? renderBar(context.started.elapsedMs, outcome.durationMs, context.axisMs, columns.bar) : '',
    columns.bar,
  );
  // A hook may detach itself while it runs. The duration is then the time for which the event waited.
  const duration = outcome.status === 'detached' && outcome.durationMs === 0 ? '' : formatDuration(outcome.durationMs);
  const columnsLeft = columns.width - (4 + columns.name + 2 + columns.bar + 2 + columns.duration + 2);
  const summaryStyle = getSummaryStyle(outcome, summary, style);
  // Hidden hooks are shown too, because a timeline shows what ran.
  const hidden = context.started.isHidden ? 'hidden' : '';
  const note = hidden === '' ? '' : ` · ${hidden}`;
  const [beside, below] =
    countColumns(summary + note) <= columnsLeft
      ? [`${paint(summaryStyle, summary)}${paint('dim', note)}`, []]
      : [paint('dim', hidden), wrapTo(summary, countColumnsBelow(columns), 3)];
  const cells = [name, paint(style, bar), paint('dim', duration.padStart(columns.duration)), beside];
  return [
    `  ${paint(style, mark)} ${cells.join('  ')}`.trimEnd(),
    ...below.map((line) => `      ${paint(summaryStyle, line)}`),
    ...renderBelowHook(outcome, { ...context, width: columns.width }),
  ];
}

/** Shortens a label, but keeps the part in parentheses that distinguishes it from a hook with the same name: `block… (claude-code)`. */
function fitLabel(label: string, columns: number): string {
  const [ending = ''] = / \([^()]*\)$/.exec(label) ?? [];
  const left = columns - countColumns(ending);
  return countColumns(label) <= columns || left < 4
    ? fitTo(label, columns)
    : `${fitTo(label.slice(0, -ending.length || undefined), left)}${ending}`;
}

/**
 * Returns the style of the summary. The mark of a hook that asks is green, because the hook has succeeded. Its question is yellow, so that
 * it is not overlooked.
 */
function getSummaryStyle({ output }: HookOutcome, summary: string, markStyle: Style): Style {
  if (markStyle !== 'green') return markStyle;
  if (summary.endsWith('no opinion')) return 'dim';
  return verdictOf(output?.decision) === 'ask' ? 'yellow' : 'plain';
}

/**
 * Chooses the columns for these names and this width. On a narrow terminal there are no bars. Short names get a minimum width, so that the
 * bars of consecutive events are aligned.
 */
export function planColumns(width: number, labels: readonly string[], title: string): TimelineColumns {
  const longest = Math.max(0, ...labels.map(countColumns));
  const bar = width >= 100 ? 24 : width >= 72 ? 16 : 0;
  // The title is as wide as the columns of names and bars together, so these columns must be wide enough for the title.
  const wanted = Math.max(longest, countColumns(title) - bar - 4);
  const name = Math.min(Math.max(wanted, 16), width >= 100 ? 28 : 20);
  // Apart from the name and the bar, the columns need 16 characters.
  return { width, name: Math.max(Math.min(name, width - bar - 16), 4), bar, duration: 8 };
}

/** Formats the problems of a hook, and its details if the caller asks for them. `width` is the width of the whole line. */
export function renderBelowHook(
  outcome: HookOutcome,
  { width: whole, changes, details, paint }: Pick<HookLineContext, 'changes' | 'details' | 'paint'> & { readonly width: number },
): string[] {
  const width = Math.max(whole - 6, 10);
  const shown = details === undefined ? [] : renderHookDetails(outcome, { ...details, changes, width });
  const lines = [...formatWarnings(outcome, { width, directory: details?.directory }), ...formatEngine(outcome), ...shown];
  return lines.map((line) => `      ${paint('dim', line)}`);
}

/** Names the engine in another process that answered, and its version. */
function formatEngine({ engine, status }: HookOutcome): string[] {
  if (engine === undefined || status === 'skipped') return [];
  const version = engine.version === undefined ? '' : `, version ${escapeForTerminal(engine.version, maxWarning)}`;
  return [`engine: ${escapeForTerminal(engine.name, maxWarning)}${version}`];
}

/**
 * Skip reasons that follow from the settings. If a hook is skipped for one of these reasons, its warnings only explain the reason, and need
 * no mark.
 */
const plannedSkips: ReadonlySet<string> = new Set<SkipReason>(['condition', 'disabled', 'duplicate']);

/** Formats warnings, each with a mark. A warning without a mark would look like an explanation of the line above, which may be green. */
function formatWarnings(
  { skipReason, warnings }: HookOutcome,
  { width, directory }: { readonly width: number; readonly directory: string | undefined },
): string[] {
  if (skipReason === 'matcher') return [];
  const [mark, indent] = skipReason !== undefined && plannedSkips.has(skipReason) ? ['', ''] : ['⚠ ', '  '];
  return warnings.flatMap(({ message }) => {
    const columns = width - indent.length;
    const lines = tellingLines(shortenPaths(message, { directory })).flatMap((line) =>
      wrapTo(escapeForTerminal(line, maxWarning), columns, maxWarningLines),
    );
    return lines.map((line, index) => `${index === 0 ? mark : indent}${line}`);
  });
}

/** Tests whether a terminal of the usual width shows a warning in full below its hook. */
export function isShownInFull(message: string): boolean {
  return !/[\r\n]/.test(message) && countColumns(message) <= maxWarning;
}

function countColumnsBelow({ width }: TimelineColumns): number {
  return Math.max(width - 6, 10);
}

/**
 * Returns the most useful lines of a message: the first one, and the line with the error if the message is a stack trace. The first line of
 * a stack trace is only a path (Node) or "Traceback" (Python).
 */
function tellingLines(message: string): string[] {
  const [first = '', ...rest] = message.slice(0, 10_000).split(/\r?\n/);
  const error = rest.find((line) => /^(?:[\w.]+\.)?\w*(?:Error|Exception)\b/.test(line));
  return error === undefined ? [first] : [first, error];
}
