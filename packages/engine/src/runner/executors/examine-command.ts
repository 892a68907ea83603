import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CommandFindings, Invocation } from '@tenterhook/protocol';

type Command = Extract<Invocation, { kind: 'command' }>;

/** Limits of the search for files. The messages of real shells name few files, and real paths have few blanks. */
const maxFiles = 6;
const maxFirstLine = 256;
const maxText = 10_000;
const maxPath = 4096;

/**
 * Finds out from variables and files why a shell may not have found or executed a command. Called only after a failure, so that hooks
 * that succeed are not slowed down. The files may have changed since the run, so the finding can be wrong.
 */
export async function examineCommand(
  { command, cwd, env }: Command,
  exitCode: number,
  stderr: string,
): Promise<CommandFindings | undefined> {
  if (command.kind !== 'shell') return undefined;
  const text = command.text.slice(0, maxText);
  const variables = variablesIn(text);
  const assigned = assignedIn(text);
  const isOfShell = exitCode === 126 || exitCode === 127;
  const pathWithBlank = isOfShell ? await findPathWithBlank(text, cwd) : undefined;
  return {
    emptyVariables: variables.filter((name) => (env[name] ?? '') === '' && !assigned.has(name)),
    spacedVariables: variables.filter((name) => /\s/.test(env[name] ?? '')),
    scripts: isOfShell ? await readScripts(stderr, cwd) : [],
    ...(pathWithBlank === undefined ? {} : { pathWithBlank }),
  };
}

function variablesIn(text: string): string[] {
  const names = [...text.matchAll(/\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g)].map((match) => match[1] ?? match[2]);
  return [...new Set(names)].filter((name) => name !== undefined);
}

/**
 * Returns the variables that the command itself may set. One pattern for all names was chosen, because one pattern per name would take
 * quadratic time.
 */
function assignedIn(text: string): ReadonlySet<string> {
  const names = new Set([...text.matchAll(/\b([A-Za-z_]\w*)\+?=/g)].map((match) => match[1] as string));
  for (const statement of text.split(/[;&|\n]/)) {
    const keyword = /\b(?:for|read|mapfile|readarray)\b/.exec(statement);
    if (keyword === null) continue;
    for (const [name] of statement.slice(keyword.index + keyword[0].length).matchAll(/\b[A-Za-z_]\w*/g)) names.add(name);
  }
  return names;
}

async function findPathWithBlank(text: string, cwd: string): Promise<string | undefined> {
  const ends = [...text.slice(0, maxPath).matchAll(/ |$/g)].map((match) => match.index).slice(0, maxFiles);
  for (const end of ends) {
    const path = text.slice(0, end);
    if (/^[/.][^"'\\;&|<>$]* [^"'\\;&|<>$]*$/.test(path) && (await isFile(resolve(cwd, path)))) return path;
  }
  return undefined;
}

/** Returns the first line of each file that the last line of stderr names, e.g. `bash: line 1: ./guard.sh: cannot execute: …`. */
async function readScripts(stderr: string, cwd: string): Promise<CommandFindings['scripts']> {
  const lastLine = stderr.slice(-maxPath).trimEnd().split('\n').at(-1) ?? '';
  const scripts: { path: string; firstLine: string }[] = [];
  for (const path of lastLine.split(': ').slice(0, maxFiles)) {
    const firstLine = await readFirstLine(resolve(cwd, path));
    if (firstLine?.startsWith('#!')) scripts.push({ path, firstLine });
  }
  return scripts;
}

async function readFirstLine(file: string): Promise<string | undefined> {
  if (!(await isFile(file))) return undefined;
  try {
    // With O_NONBLOCK, opening does not wait if a pipe has just replaced the file.
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxFirstLine), 0, maxFirstLine, 0);
      return buffer.toString('utf8', 0, bytesRead).split('\n')[0];
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
