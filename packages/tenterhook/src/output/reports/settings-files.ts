import type { HookDefinition } from '@tenterhook/protocol';
import type { OpenHooks } from '../../hooks.js';
import { escapeForTerminal } from '../terminal/escape.js';
import { countColumns, padTo } from '../terminal/text-layout.js';
import { paragraph, type ReportStyle, shortenPath, shortenPaths } from './report-style.js';

type LoadedFiles = Pick<OpenHooks, 'files' | 'hooks' | 'off' | 'diagnostics'>;

/** What the user asked for. If the user named a format, every file of this format is listed. */
export interface FilesAsked {
  readonly eventName?: string;
  readonly dialect?: string | undefined;
}

/**
 * Formats every file where settings were looked for, with its state (field failure 21). If at least one file is found, the missing ones
 * share one line, because most files of all formats are missing.
 */
export function renderSettingsFiles(loaded: LoadedFiles, style: ReportStyle, { eventName, dialect: asked }: FilesAsked = {}): string[] {
  if (loaded.files.length === 0) return [];
  const isFolded = asked === undefined && loaded.files.some(({ state }) => state !== 'missing');
  const folded = isFolded ? loaded.files.filter(({ source, state }) => state === 'missing' && !isOfExtension(source)) : [];
  const shown = loaded.files.filter((file) => folded.length < 2 || !folded.includes(file));
  const names = shown.map(({ file }) => escapeForTerminal(shortenPath(file, style), 400));
  const width = Math.max(...names.map(countColumns));
  const lines = shown.flatMap((file, index) => {
    const { source, dialect = 'format unknown', state } = file;
    const look = state === 'read' ? 'plain' : state === 'missing' ? 'dim' : 'red';
    const said = shortenPaths(`${source}, ${dialect}: ${state}${consequences(loaded, file, eventName)}`, style);
    const name = names[index] as string;
    // If there is enough room, state and path are on one line.
    const whole = `${padTo(name, width)}  ${said}`;
    if (countColumns(whole) + 2 <= style.width) return paragraph(whole, { indent: 2, look, max: 600 }, style);
    return [...paragraph(name, { indent: 2, hanging: 4, look, max: 600 }, style), ...paragraph(said, { indent: 6, look, max: 600 }, style)];
  });
  const rest = folded.length < 2 ? [] : paragraph(missingLine(folded.length), { indent: 2, look: 'dim' }, style);
  return [style.paint('bold', 'Settings files'), ...lines, ...rest];
}

function isOfExtension(source: string): boolean {
  return source.includes(':');
}

function missingLine(count: number): string {
  return `${count} more are missing; --dialect <name> shows where they would be`;
}

function consequences(loaded: LoadedFiles, file: LoadedFiles['files'][number], eventName: string | undefined): string {
  if (file.state === 'missing') return '';
  if (file.state === 'broken') {
    const problem = loaded.diagnostics.find((diagnostic) => diagnostic.file === file.file && diagnostic.severity === 'error');
    return problem === undefined ? '' : `, ${problem.line === undefined ? '' : `line ${problem.line}: `}${problem.message}`;
  }
  const isOfFile = (hook: HookDefinition) => hook.file === file.file && hook.source === file.source;
  const on = Object.values(loaded.hooks).flat().filter(isOfFile);
  const off = Object.values(loaded.off)
    .flat()
    .filter(({ hook }) => isOfFile(hook));
  const all = [...on, ...off.map(({ hook }) => hook)];
  if (all.length === 0) return ', no hooks';
  const counts = [
    ['invalid', on.filter((hook) => hook.skip?.skipReason === 'invalid' && hook.action.kind !== 'host').length],
    ['only in an agent', on.filter((hook) => hook.skip?.skipReason === 'invalid' && hook.action.kind === 'host').length],
    ['disabled', on.filter((hook) => hook.skip?.skipReason === 'disabled').length],
    ['switched off', off.length],
  ] as const;
  const ofEvent = all.filter((hook) => hook.eventName === eventName).length;
  const details = [
    ...(eventName === undefined ? [] : [`${ofEvent || 'none'} of ${eventName}`]),
    ...counts.filter(([, count]) => count > 0).map(([what, count]) => `${count} ${what}`),
  ];
  return `, ${all.length} hook${all.length === 1 ? '' : 's'}${details.length === 0 ? '' : ` (${details.join(', ')})`}`;
}
