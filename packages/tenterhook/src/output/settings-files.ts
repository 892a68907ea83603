import type { HookDefinition } from '@tenterhook/protocol';
import type { Hooks } from '../create-hooks.js';
import { escapeForTerminal } from './escape.js';
import type { Paint } from './palette.js';

type LoadedFiles = Pick<Hooks, 'files' | 'hooks' | 'off' | 'diagnostics'>;

/** Every settings file that was looked for, found or not, and what came of it (field failure 21). */
export function renderSettingsFiles(loaded: LoadedFiles, paint: Paint, eventName?: string): string[] {
  if (loaded.files.length === 0) return [];
  const width = Math.max(...loaded.files.map(({ file }) => file.length));
  const lines = loaded.files.map((file) => {
    const { source, dialect = '?', state } = file;
    const style = state === 'read' ? 'plain' : state === 'missing' ? 'dim' : 'red';
    const text = `${file.file.padEnd(width)}  ${source}, ${dialect}: ${state}${consequences(loaded, file, eventName)}`;
    return `  ${paint(style, escapeForTerminal(text, 600))}`;
  });
  return [paint('bold', 'Settings files'), ...lines];
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
    ['invalid', on.filter((hook) => hook.skip?.skipReason === 'invalid').length],
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
