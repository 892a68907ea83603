import { isPlainObject, valueAt } from '@tenterhook/runtime/json';
import { escapeUnseen, textOfField } from '@tenterhook/runtime/text';
import type { ExchangeDifference, RecordingDiff } from './compare-recordings.js';
import { formatHooks, shortHook } from './format-hooks.js';
import { formatLines, linesOf } from './format-lines.js';
import type { ValueDifference } from './value-differences.js';

/** The width of the first column, and the column of the line number. */
const labelWidth = 18;
const headWidth = 66;

/**
 * Returns a comparison as lines for a terminal: per request first the verdict, then who decided, then the hooks, then texts. Characters that
 * a terminal interprets are escaped, and there is no colour. `title` names the two sides.
 */
export function formatDiff({ requests, same, different, times }: RecordingDiff, title = ''): string {
  const count = `${requests} ${requests === 1 ? 'request' : 'requests'}: ${same} same${counted(different, 'changed', 'differ')}${counted(different, 'added', 'added')}${counted(different, 'removed', 'missing')}`;
  const head = title === '' ? count : `${escapeUnseen(title).padEnd(headWidth)} ${count}`;
  const slower = times.map(({ ordinal, eventName, hookId, recordedMs, nowMs }) =>
    escapeUnseen(
      `~ #${ordinal} ${eventName} ${hookId === undefined ? 'the whole event' : shortHook(hookId)}: ${recordedMs} ms → ${nowMs} ms`,
    ),
  );
  return [
    head,
    ...(different.length === 0 ? [] : ['']),
    ...different.flatMap(formatExchange),
    ...(slower.length === 0 ? [] : ['', ...slower]),
  ]
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

function counted(different: readonly ExchangeDifference[], kind: ExchangeDifference['kind'], word: string): string {
  const count = different.filter((one) => one.kind === kind).length;
  return count === 0 ? '' : `, ${count} ${count === 1 && word === 'differ' ? 'differs' : word}`;
}

function formatExchange(exchange: ExchangeDifference): string[] {
  const { kind, ordinal, eventName = 'malformed request', subject, line } = exchange;
  const name = escapeUnseen(`#${ordinal} ${eventName}${subject === undefined ? '' : ` ${subject}`}`);
  if (kind === 'added') return [`+ ${name}: asked, and not in the recording`];
  if (kind === 'removed') return [`– ${name}: recorded, and not asked`];
  const head = line === undefined ? `≠ ${name}` : `${`≠ ${name}`.padEnd(headWidth)} line ${line}`;
  return [head, ...formatChanged(exchange).map((text) => `    ${text}`)];
}

/** What the lines about verdict, deciders, hooks and changes already show. */
const shown = /^output\.(?:verdict|outcomes\.\d+(?:$|\.(?:status|skipReason|exitCode|signal|warnings))|changes|errors|success)(?:\.|$)/;
/** The end of a hook. */
const ended = /^output\.outcomes\.(\d+)\.(?:status|skipReason)$/;
/** What follows from the verdict and from the outputs of the hooks. */
const derived = /^output\.(?:finalOutput|allOutputs)(?:\.|$)/;

function formatChanged({ recorded, now, differences }: ExchangeDifference): string[] {
  const [before, after] = [sideOf(recorded), sideOf(now)];
  const lines: string[] = [];
  const value = (side: object, ...path: string[]) => valueAt(side, path);
  const [kindBefore, kindNow] = [verdictText(before), verdictText(after)];
  if (kindBefore !== kindNow) lines.push(row('verdict', `${kindBefore} → ${kindNow}`));
  for (const [label, field] of [
    ['decided by', 'by'],
    ['stopped by', 'stoppedBy'],
  ] as const) {
    const [was, is] = [namesAt(value(before, 'output', 'verdict', field)), namesAt(value(after, 'output', 'verdict', field))];
    for (const id of was.filter((one) => !is.includes(one))) lines.push(row(label, `– ${id}`));
    for (const id of is.filter((one) => !was.includes(one))) lines.push(row(label, `+ ${id}`));
  }
  lines.push(...formatHooks(before, after).map(([label, text]) => row(label, text)));
  for (const [label, field] of [
    ['reason', 'reason'],
    ['stop reason', 'stopReason'],
  ] as const) {
    lines.push(...block(label, value(before, 'output', 'verdict', field), value(after, 'output', 'verdict', field)));
  }
  lines.push(...formatChanges(value(before, 'output', 'changes'), value(after, 'output', 'changes')));
  // Of a hook that ended in another way, its answer is shown by the verdict and its reason.
  const otherEnds = differences.flatMap(({ path }) => ended.exec(path)?.[1] ?? []).map((index) => `output.outcomes.${index}.`);
  const others = differences.filter(({ path }) => !shown.test(path) && !otherEnds.some((hook) => path.startsWith(hook)));
  const direct = others.filter(({ path }) => !derived.test(path));
  // A changed output of a hook changes the merged output too, which would be shown twice.
  const rest = lines.length > 0 || direct.length > 0 ? direct : others;
  lines.push(...rest.flatMap(({ path, recorded: was, now: is }: ValueDifference) => [escapeUnseen(path), ...formatLines(was, is)]));
  return lines.length > 0
    ? lines
    : differences.flatMap(({ path, recorded: was, now: is }) => [escapeUnseen(path), ...formatLines(was, is)]);
}

function sideOf(value: unknown): Record<string, unknown> {
  return isPlainObject(value) ? value : {};
}

function verdictText(side: Record<string, unknown>): string {
  const kind = valueAt(side, ['output', 'verdict', 'kind']) ?? valueAt(side, ['error', 'code']) ?? valueAt(side, ['state']) ?? 'none';
  return escapeUnseen(`${textOfField(kind)}${valueAt(side, ['output', 'verdict', 'stop']) === true ? ', stop' : ''}`);
}

function namesAt(value: unknown): string[] {
  return Array.isArray(value) ? value.map((id) => escapeUnseen(textOfField(id))) : [];
}

/** A short text in one line, and a longer one as a diff. */
function block(label: string, before: unknown, after: unknown): string[] {
  if (before === after) return [];
  const [was, is] = [linesOf(before), linesOf(after)];
  if (was.length > 1 || is.length > 1) return [label, ...formatLines(before, after)];
  return [...was.map((text) => row(label, `– ${text}`)), ...is.map((text) => row(label, `+ ${text}`))];
}

/** Joins changes by their path and hook, because one more change moves the others. */
function formatChanges(before: unknown, after: unknown): string[] {
  const [was, is] = [changesOf(before), changesOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => {
    const [one, other] = [was.get(key), is.get(key)];
    if (JSON.stringify(one) === JSON.stringify(other)) return [];
    return [row('changes', key), ...formatLines(one?.['after'], other?.['after'])];
  });
}

function changesOf(value: unknown): Map<string, Record<string, unknown>> {
  const changes = (Array.isArray(value) ? value : []).filter(isPlainObject);
  return new Map(
    changes.map((change) => [escapeUnseen(`${textOfField(change['path'])} by ${shortHook(textOfField(change['hookId']))}`), change]),
  );
}

function row(label: string, text: string): string {
  return `${label.length < labelWidth ? label.padEnd(labelWidth) : label} ${text}`;
}
