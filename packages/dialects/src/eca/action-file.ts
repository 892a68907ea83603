import type { DialectContext, Invocation, SettingsDocument } from '@tenterhook/protocol';
import { isAbsolute, join, parentOf } from '../settings/file-paths.js';

type Command = Extract<Invocation, { kind: 'command' }>['command'];

/** The script of an action, or every place where it was looked for in vain. */
export type FoundScript = { readonly file: string } | { readonly tried: readonly string[] };

/** `~` is the home directory; a relative path is looked up beside the settings file that names it, then in the workspace (decision 55). */
export function findScript(written: string, document: SettingsDocument, context: DialectContext): FoundScript {
  const tried = placesOf(written, document, context);
  const file = tried.find((place) => context.files.isFile(place));
  return file === undefined ? { tried } : { file };
}

/** A script with a shebang and the executable bit is a program; any other is bash's, as is one that lost its bit on the way here. */
export function scriptCommand(file: string, context: DialectContext): Command {
  const isProgram = context.files.isExecutable(file) && context.files.head(file, 2) === '#!';
  return isProgram ? { kind: 'program', file, args: [] } : { kind: 'program', file: shellOf(context), args: [file] };
}

function placesOf(written: string, { file }: SettingsDocument, { home, projectDir }: DialectContext): string[] {
  if (written === '~' || written.startsWith('~/')) return [home === '' ? written : join(home, written.slice(2))];
  if (isAbsolute(written)) return [written];
  const beside = file === undefined ? undefined : parentOf(file);
  return [...new Set([...(beside === undefined ? [] : [join(beside, written)]), join(projectDir, written)])];
}

/** The bash of PATH, else its sh. Relative entries of PATH mean the workspace, where a repository could plant one. */
function shellOf({ environment, files, platform }: DialectContext): string {
  if (platform === 'win32') return 'bash';
  const folders = (environment['PATH'] ?? '').split(':').filter(isAbsolute);
  const find = (name: string) => folders.map((folder) => join(folder, name)).find((file) => files.isExecutable(file));
  return find('bash') ?? find('sh') ?? 'bash';
}
