import { commandsIn, type ShellCommands, type SimpleCommand } from '@tenterhook/runtime/shell';
import { createExpand, type Expand } from './expansions.js';

/** The maximum number of times that a text is read again with the values of variables that it sets. */
const maxPasses = 4;

/** A shell text whose variables are replaced as far as they are known. */
export interface KnownText {
  /** Undefined if the text cannot be parsed. */
  readonly read: ShellCommands | undefined;
  readonly expand: Expand;
  readonly variables: Readonly<Record<string, string>>;
  /** Known variables that the text sets, so that they count as unknown in it. */
  readonly overwritten: readonly string[];
}

/**
 * Reads a shell text with the variables that are known. A variable that the text sets exactly once, to a known value, is known too. One that
 * was known before is not any more if the text sets it.
 */
export function readKnown(text: string, variables: Readonly<Record<string, string>>, script: string | undefined): KnownText {
  let known: Readonly<Record<string, string>> = variables;
  for (let pass = 0; ; pass += 1) {
    const expand = createExpand(known, script);
    const read = commandsIn(text, { expand, isScript: true });
    if (read === undefined) return { read, expand, variables: known, overwritten: [] };
    const set = variablesSetIn(read.commands);
    const overwritten = Object.keys(variables).filter((name) => set.has(name));
    const values = [...set].filter(([name, value]) => value !== undefined && !overwritten.includes(name)) as [string, string][];
    const next = Object.fromEntries([...Object.entries(variables).filter(([name]) => !set.has(name)), ...values]);
    const isSame = JSON.stringify(next) === JSON.stringify(known);
    if (isSame || pass >= maxPasses) return { read, expand, variables: known, overwritten };
    known = next;
  }
}

const declarers = new Set('export declare typeset local readonly'.split(' '));
const setters = new Set(
  'read mapfile readarray getopts unset for select printf let wait export declare typeset local readonly cd pushd popd'.split(' '),
);

/** The variables that commands set: with a value if it is known and the only one. */
function variablesSetIn(commands: readonly SimpleCommand[]): Map<string, string | undefined> {
  const set = new Map<string, string | undefined>();
  for (const words of commands) {
    let isPrefix = true;
    const names = new Set(words.slice(0, 4).map(({ text }) => text));
    const isSetter = [...names].some((name) => setters.has(name));
    if (names.has('cd') || names.has('pushd') || names.has('popd')) set.set('PWD', undefined);
    for (const { text, isOpen } of words) {
      const [, name, plus, value] = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?(\+?)=(.*)$/s.exec(text) ?? [];
      if (name !== undefined && (isPrefix || isSetter)) set.set(name, isOpen || plus === '+' || set.has(name) ? undefined : value);
      else if (isSetter && /^[A-Za-z_]\w*$/.test(text) && !setters.has(text) && !(declarers.has(words[0]?.text ?? '') && set.has(text))) {
        set.set(text, undefined);
      }
      if (name === undefined && !declarers.has(text)) isPrefix = isPrefix && /^(?:!|\{|if|then|elif|else|do|while|until|time)$/.test(text);
    }
  }
  return set;
}
