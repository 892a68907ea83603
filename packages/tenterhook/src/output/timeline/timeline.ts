import type { HookExecutionResponse, HookOutcome, ResponseError, Verdict, VerdictKind } from '@tenterhook/protocol';
import { hookOutcomeSchema } from '@tenterhook/protocol/internal';
import { escapeForTerminal } from '../terminal/escape.js';
import type { Paint, Style } from '../terminal/palette.js';
import { fitTo, padTo, wrapTo } from '../terminal/text-layout.js';
import { formatDuration } from './duration.js';
import { type EventRecord, hookLabel, isOfId } from './event-record.js';
import type { HookDetailsOptions } from './hook-details.js';
import { planColumns, renderHookLines } from './hook-line.js';

/** How a timeline is drawn. */
export interface TimelineOptions {
  /** The number of columns, without the indent. */
  readonly width: number;
  readonly paint: Paint;
  readonly details?: HookDetailsOptions | undefined;
}

/** Hooks skipped by a matcher are listed one by one up to this number. More are only counted. */
const maxNamedSkips = 8;

/** Formats an answered event as lines: title, hooks in plan order, verdict. */
export function renderTimeline(record: EventRecord, response: HookExecutionResponse, { width, paint, details }: TimelineOptions): string[] {
  const outcomes = response.output?.outcomes ?? outcomesSoFar(response);
  const labels = labelsOf(outcomes);
  const labelOf = (hookId: string) => labels.get(hookId) ?? record.planned.get(hookId) ?? hookLabel({ hookId });
  const shown = withoutManySkips(outcomes);
  const columns = planColumns(
    width,
    shown.map((outcome) => labelOf(outcome.hookId)),
    record.title,
  );
  const startedOf = ({ hookId, recheck }: HookOutcome) => (recheck ? record.rechecked : record.started).get(hookId);
  const ends = outcomes.map((outcome) => (startedOf(outcome)?.elapsedMs ?? 0) + outcome.durationMs);
  const axisMs = Math.max(response.output?.totalDuration ?? 0, ...ends);
  const changes = response.output?.changes ?? [];

  const titleColumns = columns.name + columns.bar + 6;
  const whole = outcomes.some(hasRun) ? formatDuration(axisMs).padStart(columns.duration + 2) : '';
  const lines = [`${paint('bold', padTo(fitTo(record.title, titleColumns), titleColumns))}${paint('dim', whole)}`.trimEnd()];
  for (const outcome of shown) {
    const started = startedOf(outcome);
    lines.push(...renderHookLines(outcome, { columns, axisMs, paint, changes, labelOf, started, details }));
  }
  const uncounted = outcomes.length - shown.length;
  if (uncounted > 0) lines.push(`  ${paint('dim', `– ${uncounted} hooks skipped: matcher`)}`);
  if (response.output !== undefined) {
    lines.push(...renderVerdict(response.output.verdict, { width, paint, labelOf, hasRun: outcomes.some(hasRun) }));
  } else if (response.error !== undefined) {
    lines.push(...renderFailure(response.error, width, paint));
  }
  return lines;
}

function hasRun(outcome: HookOutcome): boolean {
  return outcome.status !== 'skipped' && outcome.warnings[0]?.code !== 'not_started';
}

/** Returns the outcomes in the error details of a request that was aborted. */
function outcomesSoFar(response: HookExecutionResponse): HookOutcome[] {
  return hookOutcomeSchema.array().safeParse(response.error?.details?.['outcomes']).data ?? [];
}

function withoutManySkips(outcomes: readonly HookOutcome[]): readonly HookOutcome[] {
  const others = outcomes.filter((outcome) => outcome.skipReason !== 'matcher');
  return outcomes.length - others.length > maxNamedSkips ? others : outcomes;
}

/** Properties that distinguish hooks with the same name, the shortest first. */
const qualifiers: readonly ((outcome: HookOutcome) => string)[] = [
  ({ dialect }) => dialect,
  ({ source }) => source,
  ({ dialect, source }) => `${dialect}/${source}`,
  placeOf,
  ({ hookId }) => hookId,
];

/**
 * Creates a different label for each hook, so that a verdict "by guard" names one hook. A suffix distinguishes hooks with the same name. A
 * hook without a name gets its source and the end of its id, and its format if there are several formats.
 */
function labelsOf(outcomes: readonly HookOutcome[]): Map<string, string> {
  const alike = new Map<string, HookOutcome[]>();
  const isMixed = new Set(outcomes.map(({ dialect }) => dialect)).size > 1;
  // A hook that ran again has two outcomes, but one label.
  const ofHooks = [...new Map(outcomes.map((outcome) => [outcome.hookId, outcome])).values()];
  for (const outcome of ofHooks) alike.set(hookLabel(outcome), [...(alike.get(hookLabel(outcome)) ?? []), outcome]);
  return new Map(
    ofHooks.map((outcome) => {
      const { hookId, dialect } = outcome;
      const label = hookLabel(outcome);
      const group = alike.get(label) ?? [];
      const named = (name: string) => hookLabel({ hookId, name });
      if (isOfId(outcome)) return [hookId, isMixed || group.length > 1 ? named(`${dialect}/${placeOf(outcome)}`) : label];
      if (group.length === 1) return [hookId, label];
      const tells = qualifiers.find((qualifier) => new Set(group.map(qualifier)).size === group.length) ?? placeOf;
      return [hookId, named(`${label} (${tells(outcome)})`)];
    }),
  );
}

/** The source of a hook and the end of its id: `project/0.1`. */
function placeOf({ source, hookId }: HookOutcome): string {
  return `${source}/${hookId.split('/').at(-1) ?? ''}`;
}

interface VerdictContext {
  readonly width: number;
  readonly paint: Paint;
  readonly labelOf: (hookId: string) => string;
  readonly hasRun: boolean;
}

const styles: Readonly<Record<VerdictKind, Style>> = { deny: 'red', ask: 'yellow', allow: 'green', none: 'dim' };

/**
 * Formats the decision, the hooks that made it, and the reason. A stop is a separate flag and is shown next to the decision (design §5).
 */
export function renderVerdict(verdict: Verdict, { width, paint, labelOf, hasRun }: VerdictContext): string[] {
  const lines: string[] = [];
  if (!verdict.stop || verdict.kind !== 'none') {
    const retry = verdict.retryAfterMs === undefined ? '' : ` (may be tried again in ${formatDuration(verdict.retryAfterMs)})`;
    const rest = `${by(verdict.by, labelOf)}${because(verdict.reason)}${retry}`;
    lines.push(
      ...renderConclusion(verdict.kind, rest || (hasRun ? ': no hook decided' : ': no hook ran'), styles[verdict.kind], width, paint),
    );
  }
  if (verdict.stop) {
    lines.push(...renderConclusion('stop', `${by(verdict.stoppedBy, labelOf)}${because(verdict.stopReason)}`, 'red', width, paint));
  }
  return lines;
}

/** Formats the error of a request that failed. It has no verdict. */
function renderFailure(error: ResponseError, width: number, paint: Paint): string[] {
  return renderConclusion(`not carried out, ${error.code}`, because(error.message), 'red', width, paint);
}

function renderConclusion(word: string, rest: string, style: Style, width: number, paint: Paint): string[] {
  const [first = '', ...more] = wrapTo(`${word}${rest}`, Math.max(width - 4, 10), 4);
  const head = style === 'dim' ? paint('dim', `→ ${first}`) : `${paint('dim', '→')} ${paint(style, word)}${first.slice(word.length)}`;
  return [`  ${head}`, ...more.map((line) => `    ${line}`)];
}

function by(hookIds: readonly string[], labelOf: (hookId: string) => string): string {
  return hookIds.length === 0 ? '' : ` by ${hookIds.map(labelOf).join(', ')}`;
}

/**
 * Tenterhook joins the reasons of several hooks with line breaks. A line break is shown as ` · `, because an escape such as `\n` is hard to
 * read.
 */
function because(reason: string | undefined): string {
  const lines = (reason ?? '').slice(0, 2_000).split(/\r?\n/);
  const shown = lines.map((line) => escapeForTerminal(line.trim(), 240)).filter((line) => line !== '');
  return shown.length === 0 ? '' : `: ${shown.join(' · ')}`;
}
