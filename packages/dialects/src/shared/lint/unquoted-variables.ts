import type { HookEventName } from '@tenterhook/protocol';
import type { DocumentPath, Reporter } from '../settings/reporter.js';
import { formatValue } from '../text.js';

export interface CommandPlace {
  readonly reporter: Reporter;
  readonly eventName: HookEventName;
  readonly hookId: string;
  /** The path of the hook in the document. */
  readonly path: DocumentPath;
}

/**
 * Reports variables without quotes whose value contains white space, because a shell would split the value. `variables` are the variables
 * with known values.
 */
export function reportSplitPaths(
  command: string,
  variables: Readonly<Record<string, string>>,
  place: CommandPlace,
  platform: string,
): void {
  // On Windows the shells have another syntax, which this check does not support.
  if (platform === 'win32') return;
  const { reporter, eventName, hookId, path } = place;
  const spaced = Object.keys(variables).filter((name) => /\s/.test(variables[name] as string));
  for (const name of unquotedUses(command, spaced)) {
    const message = `$${name} is not quoted, and the shell splits its value ${formatValue(variables[name])} at white space.`;
    const remedy = `Write it in quotes: \\"$${name}\\".`;
    reporter.report('unquoted_variable', 'warning', [...path, 'command'], message, { remedy, eventName, hookId });
  }
}

/** The state of the scanner: outside or inside of double quotes. A stack of states is needed, because each `$(…)` begins a new command. */
type Place = 'open' | 'quotes';

/** The kind of text before the scanner in the current word. After `NAME=` the shell does not split a value. */
type Word = 'start' | 'name' | 'value' | 'other';

/**
 * Returns the variables in `names` that are used outside of quotes, so that a shell would split their value. Ignores values of assignments,
 * which are not split. Exact enough for a warning, but not a shell parser: comments, here-documents and `[[ … ]]` are read as words.
 */
export function unquotedUses(command: string, names: readonly string[]): string[] {
  const found = new Set<string>();
  const places: Place[] = ['open'];
  let word: Word = 'start';
  for (let index = 0; index < command.length; index += 1) {
    const char = command[index] as string;
    const isOpen = places.at(-1) === 'open';
    if (isOpen && /[\s;&|()<>]/.test(char)) {
      word = 'start';
      if (char === ')' && places.length > 1) places.pop();
      continue;
    }
    if (isOpen && char === '$' && word !== 'value') {
      const name = /^\$\{?(\w+)/.exec(command.slice(index, index + 100))?.[1];
      if (name !== undefined && names.includes(name)) found.add(name);
    }
    if (isOpen) word = wordWith(char, word);
    if (char === '\\') index += 1;
    else if (char === "'" && isOpen) {
      const end = command.indexOf("'", index + 1);
      index = end === -1 ? command.length : end;
    } else if (char === '"') {
      if (isOpen) places.push('quotes');
      else places.pop();
    } else if (command.startsWith('$(', index)) {
      places.push('open');
      word = 'start';
      index += 1;
    }
  }
  return [...found];
}

function wordWith(char: string, word: Word): Word {
  if (word === 'value') return word;
  if (/\w/.test(char)) return word === 'other' ? word : 'name';
  return char === '=' && word === 'name' ? 'value' : 'other';
}
