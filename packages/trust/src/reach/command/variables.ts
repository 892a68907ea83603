import { commandsIn, type ShellCommands, type SimpleCommand } from '@tenterhook/runtime/shell';
import { createExpand, type ScriptPaths } from './expansions.js';

type Variables = Readonly<Record<string, string>>;

/** How often a text is read again with the values of variables that it sets, and how many of these are followed. */
const maxPasses = 4;
const maxConstants = 3;

/** A shell text whose variables are replaced as far as they are known. */
export interface KnownText {
  /** The text as it is read with each combination of values. Undefined if it cannot be parsed. */
  readonly reads: readonly ShellCommands[] | undefined;
  /** Known variables that the text sets, so that they count as unknown in it. */
  readonly overwritten: readonly string[];
  /** Variables that the text sets, and those whose value was followed. */
  readonly assigned: readonly string[];
  readonly constants: readonly string[];
}

/**
 * Reads a shell text with the variables that are known. A path to which the text sets a variable once counts as the value of the variable, and
 * so does the empty value that it has if the assignment is in a function or branch that does not run. A variable that was known before is
 * unknown if the text sets it.
 */
export function readKnown(text: string, variables: Variables, paths: ScriptPaths): KnownText {
  const whole = solve(text, variables, paths, []);
  if (whole === undefined) return { reads: undefined, overwritten: [], assigned: [], constants: [] };
  const { read, constants, assigned } = whole;
  const reads = [read];
  for (let subset = 1; subset < 2 ** constants.length; subset += 1) {
    const empty = constants.filter((_, index) => (subset & (1 << index)) !== 0);
    const variant = solve(text, variables, paths, empty);
    if (variant === undefined) return { reads: undefined, overwritten: [], assigned, constants };
    reads.push(variant.read);
  }
  return { reads, overwritten: assigned.filter((name) => Object.hasOwn(variables, name)), assigned, constants };
}

interface Solution {
  readonly read: ShellCommands;
  readonly assigned: readonly string[];
  readonly constants: readonly string[];
}

/** Reads a text until the values of its variables are known, with some of them empty. */
function solve(text: string, variables: Variables, paths: ScriptPaths, empty: readonly string[]): Solution | undefined {
  let values: Variables = {};
  for (let pass = 0; ; pass += 1) {
    const read = commandsIn(text, { expand: createExpand({ ...variables, ...values }, paths), isScript: true });
    if (read === undefined) return undefined;
    const set = variablesSetIn(read.commands, text);
    const assigned = [...set.keys()];
    const constants = [...set]
      .flatMap(([name, value]) => (isConstant(name, value, variables) ? [[name, value] as const] : []))
      .slice(0, maxConstants);
    const hidden = assigned.filter((name) => Object.hasOwn(variables, name));
    const next = Object.fromEntries([...constants, ...empty.map((name) => [name, ''] as const)]);
    const isSame = JSON.stringify(next) === JSON.stringify(values);
    const names = constants.map(([name]) => name);
    if (hidden.length > 0) {
      const rest = Object.fromEntries(Object.entries(variables).filter(([name]) => !hidden.includes(name)));
      const inner = solve(text, rest, paths, empty);
      return inner === undefined ? undefined : { ...inner, assigned: [...new Set([...assigned, ...inner.assigned])] };
    }
    if (isSame || pass >= maxPasses) return { read, assigned, constants: names };
    values = next;
  }
}

/** Variables that the shell sets itself. */
const dynamic =
  /^(?:_|REPLY|MAPFILE|PWD|OLDPWD|RANDOM|SRANDOM|SECONDS|LINENO|EPOCH.*|BASH.*|FUNCNAME|DIRSTACK|OPT.*|PIPESTATUS|GROUPS|E?UID|PPID|SHLVL)$/;

function isConstant(name: string, value: string | undefined, variables: Variables): value is string {
  return value?.includes('/') === true && !Object.hasOwn(variables, name) && !dynamic.test(name);
}

const declarers = new Set('export declare typeset local readonly'.split(' '));
const setters = new Set([...declarers, ...'read mapfile readarray getopts unset for select printf let wait coproc'.split(' ')]);

/** Returns the variables that commands set: with a value if it is known and the only one. */
function variablesSetIn(commands: readonly SimpleCommand[], text: string): Map<string, string | undefined> {
  const set = new Map<string, string | undefined>();
  // Arithmetic and default values set variables too.
  for (const [, inner = ''] of text.matchAll(/\(\(([^)]*)/g)) {
    if (/[-+]{2}|=/.test(inner)) for (const [name] of inner.matchAll(/[A-Za-z_]\w*/g)) set.set(name, undefined);
  }
  for (const [, name = ''] of text.matchAll(/\$\{!?([A-Za-z_]\w*)(?:\[[^\]]*\])?:?=/g)) set.set(name, undefined);
  for (const words of commands) addVariables(words, set);
  return set;
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
