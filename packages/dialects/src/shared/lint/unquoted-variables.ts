import type { HookEventName } from '@tenterhook/protocol';
import type { DocumentPath, Reporter } from '../settings/reporter.js';
import { formatValue } from '../text.js';

export interface CommandPlace {
  readonly reporter: Reporter;
  readonly eventName: HookEventName;
  readonly hookId: string;
  /** Of the hook. */
  readonly path: DocumentPath;
}

/**
 * Reports variables without quotes whose value has white space, at which the shell splits it. `variables`: those whose values are known when the settings
 * are read.
 */
export function reportSplitPaths(
  command: string,
  variables: Readonly<Record<string, string>>,
  place: CommandPlace,
  platform: string,
): void {
  // The shells of Windows have another syntax.
  if (platform === 'win32') return;
  const { reporter, eventName, hookId, path } = place;
  const spaced = Object.keys(variables).filter((name) => /\s/.test(variables[name] as string));
  for (const name of unquotedUses(command, spaced)) {
    const message = `$${name} is not quoted, and the shell splits its value ${formatValue(variables[name])} at white space.`;
    const remedy = `Write it in quotes: \\"$${name}\\".`;
    reporter.report('unquoted_variable', 'warning', [...path, 'command'], message, { remedy, eventName, hookId });
  }
}

/** The state of the scanner: outside or inside of double quotes. A command in `$(…)` is a new level. */
type Place = 'open' | 'quotes';

/** The state of a word: it may be the name of a variable, and after `=` it is its value, which a shell does not split. */
type Word = 'start' | 'name' | 'value' | 'other';

/**
 * The variables of these names that a shell would split at white space: used outside of quotes, and not as the value of an assignment. This is
 * exact enough for a warning, but it is not a shell parser: comments, here-documents and `[[ … ]]` are read as plain words.
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
