import { unquotedUses } from '@tenterhook/dialects/internal';

/** How a portable command spells the project directory: as the canonical dialect does. */
export const projectVariable = 'LLXPRT_PROJECT_DIR';

/** How a portable command refers to the project directory. */
export interface CommandVariables {
  readonly text: string;
  /** The names as they were written. */
  readonly projectVariables?: readonly string[];
}

/** The text with the project directory in the portable spelling. `own` are the variables that the dialect sets to it. */
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

/** A word for the shell; the part before the first `/` may be a variable: `"$LLXPRT_PROJECT_DIR"/a b.sh`. */
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
 * A command that sets these variables for itself; those in `here` are set to the directory in which it starts. For dialects whose hooks
 * have no environment.
 */
export function withExports(text: string, env: Environment, here: readonly string[] = []): string {
  const assignments = [
    ...here.map((name) => `${name}=${workingDirectory}`),
    ...Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`),
  ];
  return assignments.length === 0 ? text : `export ${assignments.join(' ')}; ${text}`;
}

/** A name that a shell does not accept cannot be set that way. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}

/** The reverse, so that a hook that was migrated to such a dialect comes back unchanged. */
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

/** Without braces. With braces the agent inserts nothing, and the shell expands it everywhere. */
const uses = /(?<!\$)\$(\w+)/g;

/**
 * A command in which a shell keeps every `$NAME` of these variables in one word. For agents that insert a path as quoted text: there it
 * works without quotes, elsewhere a blank in the path splits it. Undefined if quotes could be text, in a here-document.
 */
export function quotedVariables(command: string, names: readonly string[]): string | undefined {
  const mark = unusedMark(command);
  const marks: string[] = [];
  // Each use gets its own name during the search, so that the result shows which of them are not quoted.
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
