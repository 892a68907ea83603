import type { HookDefinition } from '@tenterhook/protocol';
import type { OpenHooks } from '../../hooks.js';
import { escapeForTerminal } from '../terminal/escape.js';
import type { Paint } from '../terminal/palette.js';

type LoadedFiles = Pick<OpenHooks, 'files' | 'hooks' | 'off' | 'diagnostics'>;

/** The event in question, and whether the user named a format. If so, every file of that format is listed. */
export interface FilesAsked {
  readonly eventName?: string;
  readonly dialect?: string | undefined;
}

/**
 * Every settings file that was looked for, with its state (field failure 21). If some are found, the missing ones share one line: of the
 * files of all formats, most are missing.
 */
export function renderSettingsFiles(loaded: LoadedFiles, paint: Paint, { eventName, dialect: asked }: FilesAsked = {}): string[] {
  if (loaded.files.length === 0) return [];
  const isFolded = asked === undefined && loaded.files.some(({ state }) => state !== 'missing');
  const folded = isFolded ? loaded.files.filter(({ source, state }) => state === 'missing' && !isOfExtension(source)) : [];
  const shown = loaded.files.filter((file) => folded.length < 2 || !folded.includes(file));
  const width = Math.max(...shown.map(({ file }) => file.length));
  const lines = shown.map((file) => {
    const { source, dialect = '?', state } = file;
    const style = state === 'read' ? 'plain' : state === 'missing' ? 'dim' : 'red';
    const text = `${file.file.padEnd(width)}  ${source}, ${dialect}: ${state}${consequences(loaded, file, eventName)}`;
    return `  ${paint(style, escapeForTerminal(text, 600))}`;
  });
  return [paint('bold', 'Settings files'), ...lines, ...(folded.length < 2 ? [] : [`  ${paint('dim', missingLine(folded))}`])];
}

function isOfExtension(source: string): boolean {
  return source.includes(':');
}

function missingLine(files: LoadedFiles['files']): string {
  const levels = new Map<string, string[]>();
  for (const { dialect = '?', source } of files) levels.set(dialect, [...(levels.get(dialect) ?? []), source]);
  const whose = [...levels].map(([dialect, sources]) => `${dialect} (${sources.join(', ')})`).join(', ');
  return escapeForTerminal(`${files.length} more files are missing: ${whose}; pass --dialect to see their paths`, 600);
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
