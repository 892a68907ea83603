import { statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { Invocation } from '@tenterhook/protocol';

type Command = Pick<Extract<Invocation, { kind: 'command' }>, 'command' | 'cwd' | 'env'>;

/** No file system has longer names. A word of code, as in `node -e`, is often longer, and looking it up takes long because it fails. */
const longestName = 255;

/** The maximum number of words that are looked up. Commands of hooks name few files. */
const mostWords = 32;

/** A word: plain and escaped characters, and quoted texts. */
const word = /(?:"[^"]*"|'[^']*'|\\.|[^\s"'|&;<>()\\])+/g;
const variable = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g;

/** Names of files with code. The other files that a command names may be logs, which the hook itself changes. */
const ofCode = /\.(?:[cm]?[jt]s|[jt]sx|py|pyz|sh|bash|zsh|fish|rb|pl|php|lua|jar|exe|ps1|awk|jq|r|ex|exs|clj|bb|scm|tcl|wasm)$/i;

/**
 * Returns a function that tests whether a program or script that the command names was changed since this call. A resident process of a
 * hook is started again after such a change, as if each event read the script. Files that a script imports are not found here; those of
 * a project are checked by its trust.
 */
export function watchNamedCode(command: Command): () => boolean {
  const paths = namedPaths(command);
  const before = paths.map(stampOf);
  return () => paths.some((path, index) => stampOf(path) !== before[index]);
}

/** Returns the absolute paths that the words of a command may name. */
export function namedPaths({ command, cwd, env }: Command): string[] {
  const home = env['HOME'] ?? '~';
  const words =
    command.kind === 'program' ? [command.file, ...command.args] : (command.text.match(word) ?? []).map((text) => expand(text, env));
  const names = words.slice(0, mostWords).filter((text) => text !== '' && !text.startsWith('-') && !text.includes('\0'));
  const paths = new Set(names.map((name) => resolve(cwd, name.replace(/^~(?=\/)/, home))));
  return [...paths].filter((path) => path.split(sep).every((name) => name.length <= longestName));
}

function expand(text: string, env: Command['env']): string {
  return text.replace(/["']|\\(?=.)/g, '').replace(variable, (_, plain?: string, braced?: string) => env[plain ?? braced ?? ''] ?? '');
}

/** Returns what differs after a change of a file with code. Empty if there is no such file. */
function stampOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() && (ofCode.test(path) || (found.mode & 0o111) !== 0)
      ? `${found.dev} ${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`
      : '';
  } catch {
    return '';
  }
}
