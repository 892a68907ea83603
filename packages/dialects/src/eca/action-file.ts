import type { DialectContext, SettingsDocument } from '@tenterhook/protocol';
import { isAbsolute, join, parentOf } from '../shared/paths.js';
import type { EcaHookData } from './hook-data.js';

/** The script of an action: where it is, or where it would be first, and every place where it was looked for. */
export interface Script {
  readonly file: string;
  readonly isThere: boolean;
  readonly tried: readonly string[];
  /** It is named by another's settings, and lies in the workspace, or would. */
  readonly isOfWorkspace: boolean;
}

/** `~` is the home directory; a relative path is looked up beside the settings file that names it, then in the workspace (decision 55). */
export function findScript(written: string, document: SettingsDocument, context: DialectContext): Script {
  const { own, inWorkspace } = placesOf(written, document, context);
  const tried = [...new Set([...own, ...inWorkspace])];
  const found = tried.find((place) => context.files.isFile(place));
  const file = found ?? (tried[0] as string);
  const isOfWorkspace = inWorkspace.includes(file) && !own.includes(file) && document.source !== 'project';
  return { file, isThere: found !== undefined, tried, isOfWorkspace };
}

/** A script with a shebang and the executable bit is a program; any other is bash's, as is one that lost its bit on the way here. */
export function scriptCommand(file: string, context: DialectContext): EcaHookData['command'] {
  const isProgram = context.files.isExecutable(file) && context.files.head(file, 2) === '#!';
  return isProgram ? { kind: 'program', file, args: [] } : { kind: 'program', file: shellOf(context), args: [file] };
}

/**
 * A script that is not there yet: looked at anew each time that it runs, by the shell, and a failure until it is there. Not left to bash,
 * because a shell that does not find its script may end with 2, which would be a rejection.
 */
export function lateScriptCommand(file: string, context: DialectContext): EcaHookData['command'] {
  if (context.platform === 'win32') return scriptCommand(file, context);
  const [script, shell] = [file, shellOf(context)].map((text) => `'${text.replaceAll("'", "'\\''")}'`);
  const missing = `[ -f ${script} ] || { printf 'there is no file %s\\n' ${script} >&2; exit 127; }`;
  const asProgram = `[ -x ${script} ] && [ "$(head -c 2 ${script})" = '#!' ] && exec ${script}`;
  return { kind: 'shell', text: `${missing}; ${asProgram}; exec ${shell} ${script}` };
}

/** What a script asks for in its first line and will not get, because it is not executable; undefined where a shell is what it wants. */
export function lostInterpreter(file: string, context: DialectContext): string | undefined {
  if (context.files.isExecutable(file)) return undefined;
  const line = /^#!([^\r\n]*)/.exec(context.files.head(file, 200) ?? '')?.[1]?.trim();
  return line === undefined || line === '' || /(?:^|[\s/])(?:ba|da|a|k|mk)?sh(?:\s|$)/.test(line) ? undefined : line;
}

function placesOf(
  written: string,
  { file, directory }: SettingsDocument,
  { home, projectDir }: DialectContext,
): { own: readonly string[]; inWorkspace: readonly string[] } {
  if (written === '~' || written.startsWith('~/')) return { own: [home === '' ? written : join(home, written.slice(2))], inWorkspace: [] };
  if (isAbsolute(written)) return { own: [written], inWorkspace: [] };
  const beside = directory ?? (file === undefined ? undefined : parentOf(file));
  return { own: beside === undefined ? [] : [join(beside, written)], inWorkspace: [join(projectDir, written)] };
}

/** The bash of PATH, else its sh. Relative entries of PATH mean the workspace, where a repository could plant one. */
function shellOf({ environment, files, platform }: DialectContext): string {
  if (platform === 'win32') return 'bash';
  const folders = (environment['PATH'] ?? '').split(':').filter(isAbsolute);
  const find = (name: string) => folders.map((folder) => join(folder, name)).find((file) => files.isExecutable(file));
  return find('bash') ?? find('sh') ?? 'bash';
}
