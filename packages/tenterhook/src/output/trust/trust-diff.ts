import { compareReach, type KnownReach, type OpenReason, type ReachChange, type ReachedEntry, type TrustEntry } from '@tenterhook/trust';
import { paragraph, type ReportStyle } from '../reports/report-style.js';
import { type DiffLine, diffContents } from '../reports/text-diff.js';
import type { Style } from '../terminal/palette.js';
import { describeHidden, type Hidden, nothingHidden, writeOut } from '../terminal/write-out.js';

/**
 * Functions that return the content of a hook's file by its SHA-256. `before` finds the contents that were accepted, `now` the present
 * ones.
 */
export interface Contents {
  readonly before: KnownReach['content'];
  readonly now: KnownReach['content'];
}

/** The maximum number of lines that are shown of the diff of one file. */
const maxLines = 2_000;

const looks: Readonly<Record<DiffLine['kind'], Style>> = { '-': 'red', '+': 'green', ' ': 'plain', '@': 'cyan' };

/**
 * Formats what changed since a hook was trusted: its definition, its variables, its files with a diff of each, and the reasons why it may
 * run code that cannot be listed.
 */
export function renderTrustDiff(
  hook: Pick<TrustEntry, 'before' | 'definition' | 'environment' | 'reach' | 'open'>,
  contents: Contents,
  style: ReportStyle,
): string[] {
  const { before } = hook;
  if (before === undefined) return paragraph('The hook was never trusted here, so there is nothing to compare.', { indent: 2 }, style);
  const hidden = nothingHidden();
  const lines = [
    ...fieldLines('settings', flat(before.definition), flat(hook.definition), hidden, style),
    ...fieldLines('variable', before.environment, hook.environment, hidden, style),
    ...compareReach({ entries: before.reach.entries, content: contents.before }, { entries: hook.reach, content: contents.now }).flatMap(
      (change) => fileLines(change, contents, hidden, style),
    ),
    ...listLines('not listed', textsOf(before.reach.open), textsOf(hook.open), style),
  ];
  return [
    ...paragraph(`Compared with what was trusted on ${before.at.slice(0, 16).replace('T', ' at ')} UTC`, { indent: 2, look: 'dim' }, style),
    ...(lines.length === 0 ? paragraph('Nothing has changed.', { indent: 2 }, style) : lines),
    ...describeHidden(hidden).flatMap((sentence) => paragraph(`It contains ${sentence}`, { indent: 2, hanging: 4, look: 'yellow' }, style)),
  ];
}

function fieldLines(
  what: string,
  before: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
  hidden: Hidden,
  style: ReportStyle,
): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  return names.flatMap((name) => {
    const [one, other] = [textOf(before[name]), textOf(now[name])];
    if (one === other) return [];
    const side = (kind: '-' | '+', text: string | undefined) =>
      text === undefined ? [] : text.split('\n').flatMap((line) => changedLines({ kind, text: line }, hidden, style, false));
    return [
      `  ${style.paint('bold', `${what} ${writeOut(name, { width: 200, paint: style.paint, hidden }).join('')}`)}`,
      ...side('-', one),
      ...side('+', other),
    ];
  });
}

function textsOf(reasons: readonly OpenReason[]): string[] {
  return reasons.map(({ text }) => text);
}

function listLines(what: string, before: readonly string[], now: readonly string[], style: ReportStyle): string[] {
  const hidden = nothingHidden();
  const removed = before.filter((item) => !now.includes(item)).flatMap((text) => changedLines({ kind: '-', text }, hidden, style, false));
  const added = now.filter((item) => !before.includes(item)).flatMap((text) => changedLines({ kind: '+', text }, hidden, style, false));
  return removed.length + added.length === 0 ? [] : [`  ${style.paint('bold', what)}`, ...removed, ...added];
}

function fileLines({ path, before, now }: ReachChange, contents: Contents, hidden: Hidden, style: ReportStyle): string[] {
  const name = writeOut(path, { width: Number.POSITIVE_INFINITY, paint: style.paint, hidden }).join('\\n');
  const head = `  ${style.paint('bold', `${(now ?? before)?.kind} `)}${name}  ${style.paint('dim', howOf(before, now))}`;
  if (before?.kind === 'folder' || now?.kind === 'folder') {
    const isKnown = before?.sha256 === undefined || contents.before(before.sha256) !== undefined;
    return [head, ...(isKnown ? [] : note('The earlier content of the folder was not kept, so its files cannot be compared.', style))];
  }
  if (before?.kind === 'link' || now?.kind === 'link') {
    const side = (kind: '-' | '+', entry: ReachedEntry | undefined) =>
      entry?.target === undefined ? [] : changedLines({ kind, text: entry.target }, hidden, style, false);
    return [head, ...side('-', before), ...side('+', now)];
  }
  if (before?.sha256 === now?.sha256) return [head];
  const diff = diffContents(bytesOf(before, contents.before), bytesOf(now, contents.now));
  if ('problem' in diff) return [head, ...note(diff.problem, style)];
  const { lines } = diff;
  const left = lines.length - maxLines;
  return [
    head,
    ...lines.slice(0, maxLines).flatMap((line) => changedLines(line, hidden, style, true)),
    ...(left > 0 ? note(`${left} more lines are not shown. To see them, view the file.`, style) : []),
  ];
}

function changedLines({ kind, text }: DiffLine, hidden: Hidden, style: ReportStyle, isFile: boolean): string[] {
  const lines = writeOut(text, { width: Math.max(style.width - 6, 20), paint: style.paint, look: looks[kind], hidden, isFile });
  return lines.map((line, index) => `    ${style.paint(looks[kind], index === 0 ? kind : ' ')} ${line}`);
}

function howOf(before: ReachedEntry | undefined, now: ReachedEntry | undefined): string {
  if (before === undefined) return 'was added';
  if (now === undefined) return 'is no longer used by the hook';
  if (before.kind !== now.kind) return `was a ${before.kind}`;
  if (before.executable !== now.executable) return now.executable === true ? 'is executable now' : 'is no longer executable';
  return 'has changed';
}

/**
 * Returns the content before or after the change. Returns an empty array if there was no file, and undefined if the content was not kept.
 */
function bytesOf(entry: ReachedEntry | undefined, content: KnownReach['content']): Uint8Array | undefined {
  if (entry === undefined) return new Uint8Array();
  return entry.sha256 === undefined ? undefined : content(entry.sha256);
}

/**
 * Returns the fields of a definition on one level, e.g. `action.command`. The report then shows only those fields of the action that have
 * changed.
 */
function flat(definition: Readonly<Record<string, unknown>>, prefix = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(definition).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(flat(value as Record<string, unknown>, `${prefix}${name}.`))
        : [[`${prefix}${name}`, value]],
    ),
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || value === undefined ? (value as string | undefined) : JSON.stringify(value);
}

function note(text: string, style: ReportStyle): string[] {
  return paragraph(text, { indent: 4, look: 'dim' }, style);
}
