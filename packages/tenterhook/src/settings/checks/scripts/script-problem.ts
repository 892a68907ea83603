import { accessSync, constants, readdirSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { quoteForShell, shebangOf } from '@tenterhook/dialects/internal';
import type { DiagnosticCode, DialectContext } from '@tenterhook/protocol';
import { nearestName } from '@tenterhook/runtime/text';
import { isPathOfWindows, type StartedScript } from './find-script.js';

/** The directories where a script is searched. */
export interface ScriptPlaces {
  /** The working directory of the hook. */
  readonly cwd: string;
  /** The folders in PATH, as absolute paths. */
  readonly path: readonly string[];
  /** Other folders against which the author may have expected relative paths to be resolved, such as the folder of the settings file. */
  readonly meant: readonly string[];
  /** The variable for the project directory, if the format has one. */
  readonly project?: { readonly variable: string; readonly directory: string };
  readonly files: DialectContext['files'];
}

export interface ScriptProblem {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly remedy: string;
}

const headBytes = 512;

/** Returns why a script cannot be started. Undefined if it can, or if this is unknown. Only reads files. */
export function findScriptProblem(script: StartedScript, places: ScriptPlaces): ScriptProblem | undefined {
  const { path, reader } = script;
  if (reader !== undefined && !isProgram(reader, places)) return missingInterpreter(`The command starts ${reader}`, reader);
  const file = resolve(places.cwd, path);
  const stats = look(file);
  if (stats === 'missing') return isFoundElsewhere(script, places) ? undefined : missing(script, file, places);
  if (stats === undefined) return undefined;
  const isShell = reader !== undefined && /sh$/.test(reader);
  if (stats.isDirectory()) return reader === undefined || isShell ? directory(file) : undefined;
  if (!stats.isFile()) return undefined;
  if (reader === undefined && !isExecutable(file)) {
    const message = `The script ${file} is not executable; the hook fails.`;
    return { code: 'not_executable', message, remedy: `Make it executable: chmod +x ${quoteForShell(file)}` };
  }
  return findHeadProblem(file, reader === undefined, isShell, places);
}

/** Returns a problem of the first line of a script. The line names the interpreter if the script is executed directly. */
function findHeadProblem(file: string, isExecuted: boolean, isShell: boolean, places: ScriptPlaces): ScriptProblem | undefined {
  const head = places.files.head(file, headBytes) ?? '';
  const line = /^[^\n]*/.exec(head)?.[0] ?? '';
  const shebang = shebangOf(head);
  if (line.endsWith('\r') && (isExecuted ? shebang !== undefined : isShell)) {
    const effect = isExecuted
      ? `the interpreter would be ${inQuotes(`${shebang?.program}\r`)}`
      : 'the shell reads the CR as a part of words';
    const message = `The lines of ${file} end with CR LF, and ${effect}; the hook fails.`;
    return { code: 'crlf_script', message, remedy: `Convert it: sed -i 's/\\r$//' ${quoteForShell(file)}` };
  }
  if (!isExecuted || shebang === undefined || isProgram(shebang.program, places)) return undefined;
  return missingInterpreter(`The first line of ${file} names ${shebang.program}`, shebang.program);
}

function missingInterpreter(what: string, program: string): ScriptProblem {
  const [where, remedy] = program.includes('/')
    ? ['which does not exist', `Install it, or write "/usr/bin/env ${basename(program)}" in its place.`]
    : ['which is in no folder of PATH', `Install ${program}, or add its folder to PATH.`];
  return { code: 'missing_interpreter', message: `${what}, ${where}; the hook fails.`, remedy };
}

function directory(file: string): ScriptProblem {
  return {
    code: 'not_executable',
    message: `${file} is a directory, not a script; the hook does nothing.`,
    remedy: 'Write the path of a script in it.',
  };
}

/**
 * Returns the problem of a script that does not exist. It names a mistake in the path that is hard to see, or a file with a similar name.
 */
function missing(script: StartedScript, file: string, places: ScriptPlaces): ScriptProblem | undefined {
  const { path, written, rest } = script;
  const found = (message: string, remedy: string): ScriptProblem => ({
    code: 'missing_script',
    message: `${message}; the hook fails.`,
    remedy,
  });
  if (isPathOfWindows(written)) {
    const slashes = written.replace(/^["']|["']$/g, '').replaceAll('\\', '/');
    return found(`A shell does not read ${inQuotes(written)} as a path: it removes backslashes`, `Write slashes: ${inQuotes(slashes)}.`);
  }
  if (path.startsWith('~/')) {
    const message = `"~" is not expanded in quotes, and ${inQuotes(path)} is not the path of a script`;
    return found(message, `Write "$HOME" in its place: ${inQuotes(`"$HOME${path.slice(1)}"`)}.`);
  }
  const joined = rest
    .map((_, index) => [path, ...rest.slice(0, index + 1)].join(' '))
    .find((text) => look(resolve(places.cwd, text)) !== 'missing');
  if (joined !== undefined) {
    const message = `The path ${inQuotes(joined)} has a blank without quotes, so the shell starts ${inQuotes(path)}, which does not exist`;
    return found(message, `Write it in quotes: ${inQuotes(`"${joined}"`)}.`);
  }
  const where = isAbsolute(path) ? '' : ` in ${places.cwd}, the directory that the hook starts in`;
  return found(`The script ${inQuotes(path)} does not exist${where}`, remedyForMissing(path, file, places));
}

function remedyForMissing(path: string, file: string, { cwd, meant, project }: ScriptPlaces): string {
  const elsewhere = isAbsolute(path) ? undefined : meant.map((folder) => join(folder, path)).find((other) => look(other) !== 'missing');
  if (elsewhere !== undefined) return `Did you mean ${inQuotes(elsewhere)}? Write ${inQuotes(pathFor(elsewhere, project))}.`;
  const nearest = nearestName(basename(file), namesIn(dirname(file)));
  if (nearest === undefined) return 'Create it, or correct the path in the command.';
  const near = join(dirname(file), nearest);
  return `Did you mean ${inQuotes(isAbsolute(path) ? near : relative(cwd, near))}?`;
}

/** Writes the path of a file so that it is valid in every working directory. */
function pathFor(file: string, project: ScriptPlaces['project']): string {
  if (project === undefined || !file.startsWith(`${project.directory}/`)) return quoteForShell(file);
  return `"$${project.variable}"/${quoteForShell(relative(project.directory, file))}`;
}

/**
 * Tests whether the program may find the script elsewhere: bash also searches PATH for a script without a slash, and node adds extensions.
 */
function isFoundElsewhere({ path, reader }: StartedScript, { cwd, path: folders }: ScriptPlaces): boolean {
  if (reader === undefined) return false;
  if (/node(?:js)?$/.test(reader)) return ['.js', '.json', '.cjs', '.mjs'].some((end) => look(resolve(cwd, path + end)) !== 'missing');
  return !path.includes('/') && folders.some((folder) => look(join(folder, path)) !== 'missing');
}

function isProgram(program: string, { cwd, path }: ScriptPlaces): boolean {
  const candidates = program.includes('/') ? [resolve(cwd, program)] : path.map((folder) => join(folder, program));
  return candidates.some((file) => look(file) !== 'missing' && isExecutable(file));
}

/** Returns undefined if the file exists but cannot be examined. */
function look(file: string): Stats | 'missing' | undefined {
  try {
    return statSync(file);
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '') ? 'missing' : undefined;
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).slice(0, 1000);
  } catch {
    return [];
  }
}

/** Quotes a text. Does not shorten it, because users copy it, and the system limits the length of paths. */
function inQuotes(text: string): string {
  return JSON.stringify(text);
}
