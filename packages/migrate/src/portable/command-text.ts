import { unquotedUses } from '@tenterhook/dialects/internal';

/** The variable for the project directory in a portable command. LLxprt has the same variable. */
export const projectVariable = 'LLXPRT_PROJECT_DIR';

export interface CommandVariables {
  readonly text: string;
  /** The variables that the original command used for the project directory. */
  readonly projectVariables?: readonly string[];
}

/** Replaces the dialect's variables for the project directory (`own`) by the portable variable. */
export function portableCommand(text: string, own: readonly string[]): CommandVariables {
  const found = own.filter((name) => expansionOf(name).test(text));
  const renamed = found.reduce((command, name) => renamedVariable(command, name, projectVariable), text);
  return found.length === 0 ? { text } : { text: renamed, projectVariables: found };
}

/**
 * Renames a variable in every form that a shell expands: `$NAME`, `${NAME…}` and `$env:NAME`. Variables in single quotes are
 * renamed too, because a second shell may receive the text and expand them.
 */
export function renamedVariable(text: string, from: string, to: string): string {
  return text.replace(expansionOf(from, 'g'), `$1${to}`);
}

/** Quotes a text if necessary, so that it is one word for a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns a path that begins with a variable, quoted as one word, e.g. `"$LLXPRT_PROJECT_DIR"'/a b.sh'`. `rest` begins with `/`. */
export function shellPath(variable: string, rest: string): string {
  return `"$${variable}"${shellWord(rest)}`;
}

function expansionOf(name: string, flags = ''): RegExp {
  return new RegExp(`(\\$\\{?|\\$env:)${name}(?!\\w)`, flags);
}

type Environment = Readonly<Record<string, string>>;

const workingDirectory = '"$PWD"';
const assignment = /^([A-Za-z_]\w*)=("\$PWD"|(?:'[^']*'|\\'|[\w@%+=:,./-])*)(?: |; )/;

/**
 * Puts an `export` before a command, for dialects whose hooks cannot set variables. The variables in `here` are set to the
 * directory in which the command starts.
 */
export function withExports(text: string, env: Environment, here: readonly string[] = []): string {
  const assignments = [
    ...here.map((name) => `${name}=${workingDirectory}`),
    ...Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`),
  ];
  return assignments.length === 0 ? text : `export ${assignments.join(' ')}; ${text}`;
}

/** Tests whether a shell accepts a name for a variable. Other names cannot be exported. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}

/** Removes an `export` that `withExports` added. A hook that is migrated to another dialect and back is then unchanged. */
export function withoutExports(command: string): { readonly text: string; readonly env: Environment; readonly here: readonly string[] } {
  const none = { text: command, env: {}, here: [] };
  if (!command.startsWith('export ')) return none;
  const env: [string, string][] = [];
  const here: string[] = [];
  for (let rest = command.slice('export '.length); ; ) {
    const [whole, name, value] = assignment.exec(rest) ?? [];
    if (whole === undefined || name === undefined || value === undefined) return none;
    if (value === workingDirectory) here.push(name);
    else env.push([name, unquoted(value)]);
    rest = rest.slice(whole.length);
    if (whole.endsWith('; ')) return { text: rest, env: Object.fromEntries(env), here };
  }
}

function unquoted(word: string): string {
  return word.replace(/'([^']*)'|\\(')/g, (_whole, inner: string | undefined, quote: string | undefined) => inner ?? quote ?? '');
}

/** Matches a variable without braces. Gemini CLI replaces only these; the shell expands variables with braces. */
const uses = /(?<!\$)\$(\w+)/g;

/**
 * Puts the named variables in quotes where a shell would split their values. Commands for Gemini CLI need this, because Gemini CLI
 * inserts a path with quotes around it. Returns undefined if the new quotes could become part of a text, such as a here-document.
 */
export function quotedVariables(command: string, names: readonly string[]): string | undefined {
  const mark = unusedMark(command);
  const marks: string[] = [];
  // Each use of a variable gets a different name, so that the search below shows which uses have no quotes.
  const marked = command.replace(uses, (use: string, name: string) =>
    names.includes(name) ? `$${marks[marks.push(`${name}${mark}${marks.length}`) - 1]}` : use,
  );
  const split = new Set(unquotedUses(marked, marks));
  if (split.size === 0) return command;
  if (/(?<!<)<<(?!<)/.test(command)) return undefined;
  let index = 0;
  return command.replace(uses, (use: string, name: string) =>
    names.includes(name) && split.has(marks[index++] as string) ? `"${use}"` : use,
  );
}

function unusedMark(command: string): string {
  let mark = '_use';
  while (command.includes(mark)) mark = `${mark}_`;
  return mark;
}
