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
