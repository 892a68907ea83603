import { unquotedUses } from '@tenterhook/dialects/internal';

/** How a portable command spells the project's directory: as the canonical dialect does. */
export const projectVariable = 'LLXPRT_PROJECT_DIR';

/** What a portable command knows of the project's directory. */
export interface CommandVariables {
  readonly text: string;
  /** Names as they were written. */
  readonly projectVariables?: readonly string[];
}

/** The text with the project's directory in the portable spelling. `own` are the variables that the dialect sets to it. */
export function portableCommand(text: string, own: readonly string[]): CommandVariables {
  const found = own.filter((name) => expansionOf(name).test(text));
  const renamed = found.reduce((command, name) => renamedVariable(command, name, projectVariable), text);
  return found.length === 0 ? { text } : { text: renamed, projectVariables: found };
}

/** `$NAME`, `${NAME…}`, `$env:NAME`: every form in which a shell expands it, also within quotes that another shell reads. */
export function renamedVariable(text: string, from: string, to: string): string {
  return text.replace(expansionOf(from, 'g'), `$1${to}`);
}

/** A text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A word for the shell, of which the part before the first `/` may be a variable: `"$LLXPRT_PROJECT_DIR"/a b.sh`. */
export function shellPath(variable: string, rest: string): string {
  return `"$${variable}"${shellWord(rest)}`;
}

function expansionOf(name: string, flags = ''): RegExp {
  return new RegExp(`(\\$\\{?|\\$env:)${name}(?!\\w)`, flags);
}

type Environment = Readonly<Record<string, string>>;

const workingDirectory = '"$PWD"';
const assignment = /^([A-Za-z_]\w*)=("\$PWD"|(?:'[^']*'|\\'|[\w@%+=:,./-])*)(?: |; )/;

/** A command that sets these variables for itself; `here` are set to the directory that it starts in. For dialects whose hooks have no environment. */
export function withExports(text: string, env: Environment, here: readonly string[] = []): string {
  const assignments = [
    ...here.map((name) => `${name}=${workingDirectory}`),
    ...Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`),
  ];
  return assignments.length === 0 ? text : `export ${assignments.join(' ')}; ${text}`;
}

/** A name that no shell takes cannot be set that way. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}

/** The same backwards, so that a hook that went to such a dialect comes back as it was. */
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

/** Without braces: with them nothing is filled in, the shell expands it everywhere. */
const uses = /(?<!\$)\$(\w+)/g;

/**
 * A command in which a shell keeps every `$NAME` of these variables in one word: for agents that fill a path in as quoted text, so that without
 * quotes it works there, and elsewhere a blank in the path splits it. Undefined where quotes could be text: in a here-document.
 */
export function quotedVariables(command: string, names: readonly string[]): string | undefined {
  const mark = unusedMark(command);
  const marks: string[] = [];
  // Each use has a name of its own while it is looked for, so that the answer tells which of them stand without quotes.
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
