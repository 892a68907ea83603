import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { baseName, keywords, shells } from '@tenterhook/runtime/shell';
import { interpreters } from '../command/programs/programs.js';
import { type HookCommand, readCommand, wordsOfProgram } from '../command/read-command.js';
import { readKnown } from '../command/values/variables.js';
import type { ReachProject } from '../files/project.js';
import { readContent } from '../files/read-content.js';
import { isSameStamp, type Stamp } from '../files/stamp.js';
import type { StartedCommand } from '../started-command.js';

/** The command to copy, and the files that it uses. */
export interface Original {
  readonly command: StartedCommand;
  readonly project: ReachProject;
  readonly stamps: ReadonlyMap<string, Stamp>;
}

/** A command that runs a copy. */
export type SnapshotCommand = Extract<HookCommand, { kind: 'program' }>;

/** The command that runs the copy, or why there is no copy. */
export type Snapshot = SnapshotCommand | 'impossible' | 'changed';

/**
 * Copies the files that a command uses to a new directory with the mode 0700, with the same relative paths as in the project. The copied
 * bytes are those that were hashed. Returns the command that runs the copy of the script. Returns a word if there is no copy:
 * - `impossible` if the command is not a single program with known words and one script of the project, or if a link leads to a file;
 * - `changed` if a file has changed since the files were found.
 *
 * `target` is the absolute path of the copy; an existing copy is replaced. Its parent must exist and belong to this process alone.
 */
export function writeSnapshot({ command, project, stamps }: Original, target: string): Snapshot {
  const started = findStart(command);
  if (started === undefined) return 'impossible';
  const { words, at } = started;
  const place = (word: string) => project.pass(() => project.locate(isAbsolute(word) ? word : command.cwd + sep + word));
  const script = place(words[at] as string);
  const relative = project.relative(script?.path ?? '');
  if (script === undefined || relative === undefined || script.links.length > 0 || !stamps.has(script.path)) return 'impossible';
  // No copy is made of an interpreter in the project.
  const interpreter = at === 0 ? interpreterOf(script.path) : (words[0] as string);
  if (interpreter?.includes('/') && project.relative(place(interpreter)?.path ?? '') !== undefined) return 'impossible';
  if (stamps.get(script.path) === undefined || [...stamps.values()].some(isLink)) return 'impossible';
  const partial = `${target}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  if (!copyFiles(project, stamps, partial)) {
    rmSync(partial, { recursive: true, force: true });
    return 'changed';
  }
  rmSync(target, { recursive: true, force: true });
  renameSync(partial, target);
  const [file = '', ...args] = words.map((word, index) => (index === at ? join(target, relative) : word));
  return { kind: 'program', file, args };
}

/** Returns the program in the first line of a script. */
function interpreterOf(path: string): string | undefined {
  const bytes = readContent(path, 4 * 1024 * 1024)?.bytes.subarray(0, 1024) ?? new Uint8Array();
  return /^#!\s*(\S+)/.exec(Buffer.from(bytes).toString('latin1'))?.[1];
}

function copyFiles(project: ReachProject, stamps: ReadonlyMap<string, Stamp>, target: string): boolean {
  for (const [path, stamp] of stamps) {
    const relative = project.relative(path);
    if (stamp === undefined || relative === undefined) continue;
    const kind = stamp.mode & 0o170000n;
    if (kind !== 0o100000n) continue;
    const content = readContent(path, project.limits.bytes);
    // If the stamp is the same, the bytes are those that were hashed.
    if (content === undefined || !isSameStamp(content.stamp, stamp)) return false;
    const copy = join(target, relative);
    mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
    writeFileSync(copy, content.bytes, { flag: 'wx', mode: 0o600 });
    chmodSync(copy, (stamp.mode & 0o111n) === 0n ? 0o400 : 0o500);
  }
  return true;
}

function isLink(stamp: Stamp): boolean {
  return stamp !== undefined && (stamp.mode & 0o170000n) === 0o120000n;
}

/**
 * Returns the words of a command, and the index of the only script among them. Returns undefined if the command is not one program with
 * known words.
 */
function findStart({ command, variables }: StartedCommand): { readonly words: readonly string[]; readonly at: number } | undefined {
  const words = wordsOf(command, variables);
  if (words === undefined) return undefined;
  const [file = '', ...args] = words;
  const { references, open } = readCommand({ kind: 'program', file, args }, variables);
  const scripts = references.flatMap((one) => (one.use === 'script' ? [one] : []));
  const others = references.filter(({ use }) => !['script', 'program', 'token', 'operand'].includes(use));
  // An interpreter that is named by its path looks like a script too, but it is not the one to copy.
  const [script, other] = scripts.filter(({ path, language }) => language !== undefined || path !== file || scripts.length === 1);
  if (open.list().length > 0 || script === undefined || other !== undefined || script.isSourced || others.length > 0) return undefined;
  const at = words.indexOf(script.path);
  const name = baseName(file);
  const isInterpreter = interpreters.some((one) => one.name.test(name)) || (shells.has(name) && !args.some((word) => /^-\w*c/.test(word)));
  return at === 0 || (at > 0 && isInterpreter) ? { words, at } : undefined;
}

function wordsOf(command: HookCommand, variables: Readonly<Record<string, string>>): readonly string[] | undefined {
  if (command.kind === 'program') return wordsOfProgram(command, variables);
  if (process.platform === 'win32') return undefined;
  const known = readKnown(command.text, variables, {});
  if (known === 'too much') return undefined;
  const { reads = [], assigned } = known;
  const [read, other] = reads;
  if (read === undefined || other !== undefined || assigned.length > 0) return undefined;
  const [words, more] = read.commands;
  if (words === undefined || more !== undefined || read.redirections.length + read.hereDocuments.length > 0) return undefined;
  const [first] = words;
  if (first === undefined || words.some(({ isOpen }) => isOpen) || keywords.has(first.written) || /^\w+\+?=/.test(first.text))
    return undefined;
  return words.map(({ text }) => text);
}
