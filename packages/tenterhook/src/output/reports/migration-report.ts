import type { MigratedHook, MigrationPlan, PlannedFile } from '@tenterhook/migrate';
import type { HookDefinition } from '@tenterhook/protocol';
import { hookLabel } from '@tenterhook/protocol/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import { escapeUnseen } from '@tenterhook/runtime/text';
import type { Style } from '../terminal/palette.js';
import { counted } from './diagnostic-lines.js';
import { markedLine, paragraph, type ReportStyle } from './report-style.js';

/** A file of the target settings, and whether it was written. */
export interface FileOutcome {
  readonly file: PlannedFile;
  readonly outcome: { readonly state: 'written' | 'unwritten' } | { readonly state: 'failed'; readonly problem: string };
}

/** Returns why a file that should have been written was not, or undefined if there was no problem. */
export function problemOf({ file, outcome }: FileOutcome): string | undefined {
  return file.problem ?? (outcome.state === 'failed' ? outcome.problem : undefined);
}

const marks: Readonly<Record<MigratedHook['state'], readonly [mark: string, style: Style]>> = {
  converts: ['✓', 'green'],
  loses: ['~', 'yellow'],
  cannot: ['✗', 'red'],
  present: ['=', 'dim'],
};

/**
 * Formats every hook: whether it can be converted, what is lost or why it cannot be converted, and its locations in the old and the new
 * settings.
 */
export function renderMigratedHooks({ hooks, from, to, differences }: MigrationPlan, style: ReportStyle): string[] {
  const scripts =
    'Only the settings are converted, not the scripts. Until its script is changed, a guard may allow everything. The end of this report lists what to change.';
  return [
    ...paragraph(`${from.agent} → ${to.agent}: ${summary(hooks)}`, { indent: 0, look: 'bold' }, style),
    ...(differences.length === 0 ? [] : paragraph(scripts, { indent: 2, look: 'yellow' }, style)),
    ...hooks.flatMap((hook) => hookLines(hook, style)),
  ];
}

/** Formats what is added to each file. Users can copy it if the file was not written. */
export function renderFile(planned: FileOutcome, style: ReportStyle): string[] {
  const { file, outcome } = planned;
  const { added, notes, hookCount } = file;
  const place = `${file.file} (${file.source})`;
  const said = notes.flatMap((note) => labelled('yellow', 'note', note, style));
  const line = (state: string, look: Style = 'plain') => paragraph(`${place}: ${state}`, { indent: 0, hanging: 4, look, max: 2000 }, style);
  if (hookCount === 0) return [...line('nothing to add.'), ...said];
  const count = counted(hookCount, 'hook');
  const failed = problemOf(planned);
  if (outcome.state === 'written') return [...line(`${count} added.`), ...said];
  const state = failed === undefined ? line(`would get ${count}; pass --write to add them`) : line(`not written: ${failed}`, 'red');
  return [...state, ...said, ...jsonLines(added)];
}

/** Formats the differences that concern scripts: the input that they receive, and how their output is read. */
export function renderDifferences({ differences, from, to }: MigrationPlan, style: ReportStyle): string[] {
  if (differences.length === 0) return [];
  const title = `The scripts still read and print the format of ${from.agent}. Change them to the format of ${to.agent}:`;
  return [
    ...paragraph(title, { indent: 0, look: 'bold' }, style),
    ...differences.flatMap((difference) => [
      ...paragraph(`${difference.label}: ${difference.from}`, { indent: 2, hanging: 6 }, style),
      ...paragraph(`→ ${difference.to}`, { indent: 6, hanging: 8 }, style),
    ]),
  ];
}

/** Warns that the added hooks and the originals both run, until one of them is removed. */
export function renderRunsTwice({ hooks, from }: MigrationPlan, files: readonly FileOutcome[], style: ReportStyle): string[] {
  const written = new Set(files.filter(({ outcome }) => outcome.state === 'written').map(({ file }) => file.file));
  const added = hooks.filter(({ file, paths }) => file !== undefined && paths.length > 0 && written.has(file));
  const sources = new Set(added.flatMap(({ definitions }) => definitions.map(({ file, source }) => file ?? source)));
  if (sources.size === 0) return [];
  const where = `remove the original hooks (format of ${from.agent}) from ${[...sources].join(' and ')}`;
  return labelled('yellow', 'note', `An agent that reads both formats runs the added hooks twice. For such an agent, ${where}.`, style, 0);
}

function labelled(look: Style, label: string, text: string, style: ReportStyle, indent = 2): string[] {
  const [first = '', ...more] = paragraph(
    text,
    { indent: 0, hanging: indent + 2, max: 2000 },
    { ...style, width: style.width - label.length },
  );
  return [`${' '.repeat(indent)}${style.paint(look, label)} ${first}`, ...more];
}

function summary(hooks: readonly MigratedHook[]): string {
  const weaker = hooks.filter((hook) => hook.state === 'present' && hook.weaker.length > 0).length;
  const count = (state: MigratedHook['state']) => hooks.filter((hook) => hook.state === state).length;
  const parts = [
    [count('converts'), 'converts', 'convert'],
    [count('loses'), 'converts with a loss', 'convert with a loss'],
    [count('cannot'), 'cannot', 'cannot'],
    [count('present') - weaker, 'exists already', 'exist already'],
    [weaker, 'exists, but guards less', 'exist, but guard less'],
  ] as const;
  const said = parts.filter(([number]) => number > 0).map(([number, one, several]) => `${number} ${number === 1 ? one : several}`);
  return [counted(hooks.length, 'hook'), ...said].join(', ');
}

function hookLines(hook: MigratedHook, style: ReportStyle): string[] {
  const { definitions, state, losses, weaker, reason, file, paths, there, off } = hook;
  const [mark, look] = marks[state === 'present' && weaker.length > 0 ? 'loses' : state];
  const [first] = definitions;
  const events = definitions.map(({ dialectEvent }) => dialectEvent).join(' and ');
  const lines = [
    ...markedLine({ mark, look, hookId: `${events}  ${formatMigratedLabel(first)}`, said: '' }, style),
    ...paragraph(definitions.map(placeOf).join(' and '), { indent: 6, hanging: 8 }, style),
  ];
  const say = (text: string) => lines.push(...paragraph(text, { indent: 6, hanging: 8, max: 1200 }, style));
  if (reason !== undefined) say(`cannot: ${reason}`);
  if (paths.length > 0) say(`→ ${file}  ${paths.join(', ')}`);
  if (there.length > 0) say(`exists already: ${there.map(placeOf).join(', ')}`);
  for (const { message } of weaker) say(`but ${message}`);
  // Losses are listed only for a hook that would be added. A hook that already exists in the target settings loses nothing, because its
  // author wrote it for that format.
  for (const { field, message } of state === 'present' ? [] : losses.slice(weaker.length)) say(`loses ${field}: ${message}`);
  if (off !== undefined) say(`The hook does not run in its original settings, but would run in the new ones. ${off}`);
  return lines;
}

function placeOf({ file, line, source }: HookDefinition): string {
  return file === undefined ? source : `${file}${line === undefined ? '' : `:${line}`}`;
}

/** Formats JSON for copying into a file. Escapes control characters, so that a terminal does not interpret them. */
function jsonLines(value: object): string[] {
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => escapeUnseen(line));
}

/** Returns the migration as a JSON document, for `--json`. */
export function migrationDocument({ hooks, differences }: MigrationPlan, files: readonly FileOutcome[]): object {
  return { hooks: hooks.map(hookDocument), files: files.map(fileDocument), differences };
}

function hookDocument({ definitions, state, losses, reason, off, file, paths, there }: MigratedHook): object {
  const [{ id, name, dialectEvent, eventName, source, file: from, line }, ...others] = definitions;
  return omitUndefined({
    hookId: id,
    // Several hooks may be converted into one.
    with: others.length === 0 ? undefined : others.map((hook) => hook.id),
    name,
    eventName,
    dialectEvent,
    source,
    file: from,
    line,
    state,
    losses,
    reason,
    off,
    target: file === undefined ? undefined : { file, paths, there: there.map(toHookReference) },
  });
}

function fileDocument(planned: FileOutcome): object {
  const { file, source, added, hookCount, notes } = planned.file;
  const problem = problemOf(planned);
  const state = hookCount === 0 ? 'unchanged' : problem === undefined ? planned.outcome.state : 'failed';
  return omitUndefined({ file, source, state, problem, hookCount, added, notes });
}

function toHookReference({ id: hookId, line }: HookDefinition): object {
  return omitUndefined({ hookId, line });
}

/** The maximum length of a question in a line, in characters. */
const maxQuestion = 60;

/** Returns the label of a hook in this report. A hook that asks a model has no command. Its question is shown instead of its id. */
function formatMigratedLabel(hook: HookDefinition): string {
  const { action, name } = hook;
  if (action.kind !== 'host' || name !== undefined) return hookLabel(hook);
  const { prompt, server, tool } = action.data;
  if (typeof prompt === 'string') return `${action.type} "${shortened(prompt.replace(/\s+/g, ' ').trim())}"`;
  const parts = [server, tool].filter((part) => typeof part === 'string');
  return parts.length === 0 ? `${action.type} hook` : `${action.type} ${shortened(parts.join('/'))}`;
}

function shortened(text: string): string {
  return text.length > maxQuestion ? `${text.slice(0, maxQuestion - 1)}…` : text;
}
