import { closeSync, constants, openSync, readSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ProcessJob } from '../job.js';
import { findOnPath } from '../run/spawn-process.js';

/** The parent of a program, which is the lane. */
const parent = /ppid/i;

/**
 * Expressions that differ in a lane from `bash -c`: the parent, the number of the shell, that of the last background process, the last
 * argument, variables that count from the start of the shell, the signals that do not stop a process which leads a session, and errors of
 * expansions, after which `bash -c` exits with 127 and a subshell with 1.
 */
const revealing =
  /ppid|\$\$|\$\{\$|\$\{?!|\$_(?!\w)|\$\{_\}|SECONDS|BASH_SUBSHELL|BASH_EXECUTION_STRING|BASH_COMMAND|__th_|nounset|monitor|xtrace|\bset\b[^;&|\n]*\s-[a-z]*[mux]|\$\{[^}?\s]*\?|\b(?:SIG)?(?:TSTP|TTIN|TTOU|QUIT)\b|\bsuspend\b|^[-+]/i;

/** Larger files are programs, or libraries in one file, that were not written as a hook. */
const mostScriptBytes = 256 * 1024;

/** The maximum number of words of a text that may name a file, and of remembered files and texts. */
const mostWords = 64;
const mostRemembered = 256;

/** The files that a text names are looked up again after this number of milliseconds. */
const lookupMs = 10_000;

/** A file that a text names. */
interface NamedFile {
  readonly name: string;
  readonly path: string;
}

/** What a file contains, as long as the file is the same. */
interface KnownFile {
  readonly stats: Stats;
  /** What it contains of `parent`, or of `revealing` if bash may run it in its own process. */
  readonly asProgram: string | undefined;
  readonly asSource: string | undefined;
}

const texts = new Map<string, string | undefined>();
const files = new Map<string, KnownFile>();
const namedFiles = new Map<string, { readonly files: readonly NamedFile[]; readonly at: number }>();

/** The start of a compiled program. Most of them contain `getppid`, as a part of the language that they run. */
const compiled = '\x7fELF';

/** Characters that end a word of a shell command. */
const separators = /[\s;|&()<>`]+/;

/** A text that may run a file in the shell itself. */
const sourcing = /(?:^|[\s;|&({!])(?:\.|source)\s/;

/** Returns what the text of a command contains that differs in a lane. */
export function findRevealing(text: string): string | undefined {
  if (texts.has(text)) return texts.get(text);
  const found = revealing.exec(text)?.[0];
  remember(texts, text, found);
  return found;
}

/**
 * Returns a script that a command names, and what it contains that differs in a lane. A program differs only by its parent, as in `$PPID` or
 * `os.getppid()`. Bash runs a sourced file in its own process, and a file without `#!`. A file is read when it has changed; otherwise each
 * call takes one `stat` per file.
 */
export function findRevealingScript(
  text: string,
  { cwd, env }: Pick<ProcessJob, 'cwd' | 'env'>,
): { readonly name: string; readonly found: string } | undefined {
  const isSourced = sourcing.test(text);
  for (const { name, path } of filesIn(expandVariables(text, env), cwd, env['PATH'])) {
    const file = readScript(path);
    const found = isSourced ? file?.asSource : file?.asProgram;
    if (found !== undefined) return { name, found };
  }
  return undefined;
}

/** A blank in a value is not the end of a word, so it is replaced until the text has been split. */
const blank = '\0';

function expandVariables(text: string, env: ProcessJob['env']): string {
  if (!text.includes('$')) return text;
  return text.replaceAll(/\$(?:(\w+)|\{(\w+)\})/g, (_, name?: string, braced?: string) =>
    (env[name ?? braced ?? ''] ?? '').replaceAll(' ', blank),
  );
}

/** Returns the files that the words of a text name, in the directory or on PATH. */
function filesIn(text: string, cwd: string, path: string | undefined): readonly NamedFile[] {
  const key = `${text}\n${cwd}\n${path}`;
  const now = performance.now();
  const known = namedFiles.get(key);
  if (known !== undefined && now - known.at < lookupMs) return known.files;
  const found = text.split(separators, mostWords).flatMap((word): NamedFile[] => {
    const name = word.replaceAll(/["']/g, '').replaceAll(blank, ' ');
    if (!/^[\w./~@%+][^*?{}$\\]*$/.test(name)) return [];
    const program = name.includes('/') ? undefined : findOnPath(name, { PATH: path });
    return [resolve(cwd, name), ...(program === undefined ? [] : [program])].filter(isFile).map((file) => ({ name, path: file }));
  });
  remember(namedFiles, key, { files: found, at: now });
  return found;
}

function isFile(path: string): boolean {
  return readStats(path)?.isFile() === true;
}

function readStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function readScript(path: string): KnownFile | undefined {
  const stats = readStats(path);
  if (stats === undefined || !stats.isFile() || stats.size > mostScriptBytes) return undefined;
  const known = files.get(path);
  if (known !== undefined && isSame(known.stats, stats)) return known;
  const content = readContent(path, stats.size);
  const asSource = revealing.exec(content)?.[0];
  const read = { stats, asProgram: content.startsWith('#!') ? parent.exec(content)?.[0] : asSource, asSource };
  remember(files, path, read);
  return read;
}

function isSame(one: Stats, other: Stats): boolean {
  return one.mtimeMs === other.mtimeMs && one.ctimeMs === other.ctimeMs && one.size === other.size && one.ino === other.ino;
}

/** Returns the text of a file. Empty for a compiled program, and for a file that cannot be read: the job can hardly read it either. */
function readContent(path: string, size: number): string {
  try {
    // The file may have become a FIFO since it was checked, and opening that would wait for a writer.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const bytes = Buffer.alloc(size);
      const content = bytes.subarray(0, readSync(fd, bytes, 0, size, 0)).toString('latin1');
      return content.startsWith(compiled) ? '' : content;
    } finally {
      closeSync(fd);
    }
  } catch {
    return '';
  }
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > mostRemembered && oldest !== undefined) map.delete(oldest);
}
