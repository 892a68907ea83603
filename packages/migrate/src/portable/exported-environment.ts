import { shellWord } from './command-text.js';

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
