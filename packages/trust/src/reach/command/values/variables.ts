import { commandsIn, type ShellCommands, type SimpleCommand } from '@tenterhook/runtime/shell';
import { ReadBudget } from '../read-budget.js';
import { createExpand, type ScriptPaths } from './expansions.js';

type Variables = Readonly<Record<string, string>>;

/** The maximum number of times that a text is read again with the values of the variables that it sets. */
const maxPasses = 4;
/** The maximum number of variables of a text whose values are used to read the text again. */
const maxConstants = 3;
/** The maximum length of a text that is read once for each combination of values (characters). */
const maxCombined = 16 * 1024;

/** A shell text in which known variables are replaced. */
export interface KnownText {
  /** The commands of the text, once for each combination of values of its variables. Undefined if the text cannot be parsed. */
  readonly reads: readonly ShellCommands[] | undefined;
  /** Variables that were known before the text and that the text sets. In the text their values are unknown. */
  readonly overwritten: readonly string[];
  /** Variables that the text sets (`assigned`), and those whose values are used (`constants`). */
  readonly assigned: readonly string[];
  readonly constants: readonly string[];
}

/**
 * Reads a shell text and replaces known variables. Returns `too much` if the budget does not suffice.
 * - If the text sets a variable once, and to a path, then this path is used as the variable's value: `dir=/opt/x; "$dir/run.sh"`.
 * - The assignment may be in a function or branch that does not run. So the text is read once more with an empty value. A long text is
 *   instead read once more without the values, so that words with these variables are unknown.
 * - A variable whose value was known before the text is unknown if the text sets it.
 */
export function readKnown(text: string, variables: Variables, paths: ScriptPaths, budget = new ReadBudget()): KnownText | 'too much' {
  const whole = solve({ text, paths, budget, isConstant: true }, variables, {}, []);
  if (typeof whole === 'string') return whole;
  if (whole === undefined) return { reads: undefined, overwritten: [], assigned: [], constants: [] };
  const { read, values, assigned } = whole;
  const constants = Object.keys(values);
  const reads = [read];
  const isLong = text.length > maxCombined;
  const last = isLong ? Math.min(1, constants.length) : 2 ** constants.length - 1;
  for (let subset = 1; subset <= last; subset += 1) {
    const empty = isLong ? [] : constants.filter((_, index) => (subset & (1 << index)) !== 0);
    const variant = solve({ text, paths, budget, isConstant: !isLong }, variables, isLong ? {} : values, empty);
    if (typeof variant === 'string') return variant;
    if (variant === undefined) return { reads: undefined, overwritten: [], assigned, constants };
    reads.push(variant.read);
  }
  return { reads, overwritten: assigned.filter((name) => Object.hasOwn(variables, name)), assigned, constants };
}

interface Text {
  readonly text: string;
  readonly paths: ScriptPaths;
  readonly budget: ReadBudget;
  /** Whether variables are replaced by the values that the text gives them. */
  readonly isConstant: boolean;
}

interface Solution {
  readonly read: ShellCommands;
  readonly assigned: readonly string[];
  /** The variables whose values are used. */
  readonly values: Variables;
}

/**
 * Reads a text until the values of its variables no longer change. The variables in `empty` have an empty value. `first` are the values
 * at the beginning.
 */
function solve(source: Text, variables: Variables, first: Variables, empty: readonly string[]): Solution | 'too much' | undefined {
  const { text, paths, budget } = source;
  const nothing = Object.fromEntries(empty.map((name) => [name, '']));
  let values: Variables = { ...first, ...nothing };
  for (let pass = 0; ; pass += 1) {
    if (!budget.take(text.length)) return 'too much';
    const read = commandsIn(text, { expand: createExpand({ ...variables, ...values }, paths), isScript: true });
    if (read === undefined) return undefined;
    const set = variablesSetIn(read.commands, text);
    const assigned = [...set.keys()];
    const constants = Object.fromEntries(
      [...set]
        .flatMap(([name, value]) => (source.isConstant && isConstant(name, value, variables) ? [[name, value] as const] : []))
        .slice(0, maxConstants),
    );
    const hidden = assigned.filter((name) => Object.hasOwn(variables, name));
    if (hidden.length > 0) {
      const rest = Object.fromEntries(Object.entries(variables).filter(([name]) => !hidden.includes(name)));
      const inner = solve(source, rest, first, empty);
      if (inner === undefined || inner === 'too much') return inner;
      return { ...inner, assigned: [...new Set([...assigned, ...inner.assigned])] };
    }
    const next = { ...constants, ...nothing };
    if (isSame(next, values) || pass >= maxPasses) return { read, assigned, values: constants };
    values = next;
  }
}

function isSame(one: Variables, other: Variables): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** Variables that the shell itself sets. */
const dynamic =
  /^(?:_|REPLY|MAPFILE|PWD|OLDPWD|RANDOM|SRANDOM|SECONDS|LINENO|EPOCH.*|BASH.*|FUNCNAME|DIRSTACK|OPT.*|PIPESTATUS|GROUPS|E?UID|PPID|SHLVL)$/;

function isConstant(name: string, value: string | undefined, variables: Variables): value is string {
  return value?.includes('/') === true && !Object.hasOwn(variables, name) && !dynamic.test(name);
}

const declarers = new Set('export declare typeset local readonly'.split(' '));
const setters = new Set([...declarers, ...'read mapfile readarray getopts unset for select printf let wait coproc'.split(' ')]);

/** Returns the variables that commands set. The value is undefined if it is unknown, or if the variable is set to several values. */
function variablesSetIn(commands: readonly SimpleCommand[], text: string): Map<string, string | undefined> {
  const set = new Map<string, string | undefined>();
  // Arithmetic and default values set variables too.
  for (const [, inner = ''] of text.matchAll(/\(\(([^)]*)/g)) {
    if (/[-+]{2}|=/.test(inner)) for (const [name] of inner.matchAll(/[A-Za-z_]\w*/g)) set.set(name, undefined);
  }
  for (const name of setByDefault(text)) set.set(name, undefined);
  for (const words of commands) addVariables(words, set);
  return set;
}

/**
 * Returns the variables that get a default value: `${NAME:=x}` or `${NAME[0]=x}`. A pattern with the whole index would search the closing
 * bracket again for each opening one.
 */
export function setByDefault(text: string): string[] {
  let close = -1;
  return [...text.matchAll(/\$\{!?([A-Za-z_]\w*)(\[)?/g)].flatMap(({ 0: written, 1: name = '', 2: bracket, index }) => {
    let end = index + written.length;
    if (bracket !== undefined) {
      if (close < end) close = text.indexOf(']', end);
      if (close === -1) close = text.length;
      end = close + 1;
    }
    return /^:?=/.test(text.slice(end, end + 2)) ? [name] : [];
  });
}

function addVariables(words: SimpleCommand, set: Map<string, string | undefined>): void {
  const first = words.slice(0, 4).map(({ text }) => text);
  const setter = first.find((name) => setters.has(name));
  const isDeclarer =
    setter !== undefined && declarers.has(setter) && words.every(({ text }) => !/^[-+]/.test(text) || /^-[gprx]+$/.test(text));
  if (first.some((name) => /^(?:cd|pushd|popd)$/.test(name))) set.set('PWD', undefined);
  let isPrefix = true;
  for (const { text, isOpen } of words) {
    const [, name, plus, value] = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?(\+?)=(.*)$/s.exec(text) ?? [];
    if (name !== undefined && (isPrefix || setter !== undefined)) {
      const isKnown = !isOpen && plus === '' && !set.has(name) && (setter === undefined || isDeclarer);
      set.set(name, isKnown ? value : undefined);
    } else if (setter !== undefined && !(isDeclarer && set.has(text))) {
      for (const [each] of text.matchAll(/[A-Za-z_]\w*/g)) if (!setters.has(each)) set.set(each, undefined);
    }
    isPrefix &&= name !== undefined || declarers.has(text) || /^(?:!|\{|if|then|elif|else|do|while|until|time)$/.test(text);
  }
}
