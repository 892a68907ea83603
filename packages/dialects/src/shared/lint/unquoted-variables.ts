import type { HookEventName } from '@tenterhook/protocol';
import type { DocumentPath, Reporter } from '../settings/reporter.js';
import { formatValue } from '../text.js';

export interface CommandPlace {
  readonly reporter: Reporter;
  readonly eventName: HookEventName;
  readonly hookId: string;
  readonly path: DocumentPath;
}

/**
 * Reports a variable without quotes if its value contains white space, because a shell would split the value. `variables` are the
 * variables with known values.
 */
export function reportSplitPaths(
  command: string,
  variables: Readonly<Record<string, string>>,
  place: CommandPlace,
  platform: string,
): void {
  // The shells of Windows have another syntax, which this check does not support.
  if (platform === 'win32') return;
  const { reporter, eventName, hookId, path } = place;
  const spaced = Object.keys(variables).filter((name) => /\s/.test(variables[name] as string));
  for (const name of unquotedUses(command, spaced)) {
    const message = `$${name} is not quoted, and the shell splits its value ${formatValue(variables[name])} at white space.`;
    const remedy = `Write the variable in quotes: \\"$${name}\\".`;
    reporter.report('unquoted_variable', 'warning', [...path, 'command'], message, { remedy, eventName, hookId });
  }
}

/**
 * The state of the scanner: outside double quotes, or inside. Each `$(…)` begins a new command, so the scanner needs a stack of
 * states.
 */
type Place = 'open' | 'quotes';

/**
 * The kind of text before the scanner in the current word. It is needed to find `NAME=`, after which the shell does not split a
 * value.
 */
type Word = 'start' | 'name' | 'value' | 'other';

/**
 * Returns the variables in `names` that are used outside quotes, where a shell would split their value. Values of assignments are
 * left out, because a shell does not split them. This is not a shell parser: it reads comments, here-documents and `[[ … ]]` as
 * words, which is exact enough for a warning.
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
