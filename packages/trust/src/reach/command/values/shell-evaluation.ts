import { type ShellCommands, type ShellWord, type SimpleCommand, withoutPrefix } from '@tenterhook/runtime/shell';
import { riskyVariable } from '../programs/programs.js';

/**
 * Tests for a command in the index of an array: `let 'a[$(…)]'`. bash runs this command even if it is in quotes: in arithmetic, and where
 * a builtin expects the name of a variable. The word may also be assigned to a variable that arithmetic uses later.
 */
function hasIndexWithCode(text: string): boolean {
  const key = text.startsWith('[') && /\]\+?=/.test(text) ? 0 : text.search(/\w\[/);
  return key !== -1 && /\$[({]|`/.test(text.slice(key));
}

/**
 * Finds an array index with a command in a here-document. The index must be on one line, because here-documents often contain code of
 * other languages, in which brackets mean something else.
 */
const indexInText = /\w\[[^[\]\n]*(?:\$[({]|`)/;

/** Programs whose words are programs of another language. Brackets in them are not indexes of a shell. */
const otherLanguages = /^(?:[gm]?awk|g?sed|[efr]?grep|rg|jq)$/;

/**
 * Commands whose output is only a number: `wc -l < file`, `grep -c`, `date +%s`. With file names among their words, `wc` and `grep` do not
 * match, because then they also print these names.
 */
const numberOf =
  /^"?\$\((?:[^()]*\|)?\s*(?:wc\s+-[lwcm]+(?:\s*<\s*[^\s|;&()]+)?(?:\s*\|\s*(?:tr\s+-d\s+\S+(?:\s\S)?|xargs))?|grep\s+-\w*c\w*\s+(?:'[^']*'|"[^"$`]*"|[\w.-]+)(?:\s+(?:"[^"]*"|[\w./-]+))?|date\s+(?:-u\s+)?['"]?\+%s['"]?|nproc|id\s+-[ug])(?:\s+2>\s*\/dev\/null)?(?:\s*\|\|\s*(?:true|:|echo\s+\d+))?\s*\)"?$/;

/** Arithmetic, whose value is always a number. */
const sum = /\$\(\((?:[^()]|\([^()]*\))*\)\)/g;

function isOutput(written: string): boolean {
  const rest = written.replace(sum, '0');
  return /\$\(|`/.test(rest) && !(numberOf.test(rest) && !/grep\s+-\w*[rRHlLo]/.test(rest));
}

/** Returns the variables that hold the output of a command, or a copy of it. */
function outputsIn(commands: readonly SimpleCommand[]): ReadonlySet<string> {
  const assigned = commands.flat().flatMap(({ written }) => {
    const [, name, value] = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=([\s\S]*)$/.exec(written) ?? [];
    return name === undefined || value === undefined || !/[$`]/.test(value) ? [] : [{ name, value }];
  });
  const outputs = new Set(assigned.filter(({ value }) => isOutput(value)).map(({ name }) => name));
  // The first pass finds all copies if each variable is assigned before it is copied. In a loop, the copy may come first in the text. The
  // second pass finds these copies.
  for (let pass = 0; pass < 2 && outputs.size > 0; pass += 1) {
    for (const { name, value } of assigned) {
      if ([...value.matchAll(/\$\{?([A-Za-z_]\w*)/g)].some(([, used = '']) => outputs.has(used))) outputs.add(name);
    }
  }
  return outputs;
}

/** Returns the texts that bash evaluates as arithmetic, in which it expands the values of variables again. */
function arithmeticIn(commands: readonly SimpleCommand[], text: string): string[] {
  const found = [...text.matchAll(/\(\(((?:[^()]|\([^()]*\)){1,500})\)\)/g)].map(([, inner = '']) => inner);
  for (const words of commands) {
    const test = words.findIndex(({ written }) => written === '[[');
    const isDeclared = words.some(({ text }) => /^(?:declare|typeset|local)$/.test(text)) && words.some(({ text }) => /^-\w*i/.test(text));
    if (isDeclared || words.some(({ written }) => written === 'let')) for (const { written } of words) found.push(written);
    if (test === -1) continue;
    for (const [at, { text: operator }] of words.entries()) {
      if (at > test && /^-(?:eq|ne|lt|le|gt|ge)$/.test(operator)) found.push(words[at - 1]?.written ?? '', words[at + 1]?.written ?? '');
    }
  }
  return found;
}

/** Returns why a text may run commands in a value, in arithmetic or as a prompt (`${name@P}`), or undefined. */
export function codeInValues({ commands }: ShellCommands, text: string): string | undefined {
  const prompt = /\$\{[^}\s]{1,100}@P\}/.exec(text)?.[0];
  if (prompt !== undefined) return `${JSON.stringify(prompt)} runs commands in the value of a variable.`;
  const outputs = outputsIn(commands);
  const found = arithmeticIn(commands, text).find(
    (one) =>
      [...one.matchAll(/[A-Za-z_]\w*/g)].some(([name]) => outputs.has(name)) ||
      [...one.matchAll(/\$\([^()]*\)|`[^`]*`/g)].some(([written]) => isOutput(written)),
  );
  if (found === undefined) return undefined;
  return `${JSON.stringify(found.trim().slice(0, 80))} is arithmetic with the output of a command. Bash runs commands that it finds in such an output.`;
}

/** Returns why a shell text may run code in quoted words, or undefined. */
export function codeInShellText(read: ShellCommands, text: string): string | undefined {
  // In a text with `((` or `function`, a word that looks like the name of a command may be arithmetic or a function.
  const isUnsure = /\(\(|\bfunction\b/.test(text);
  const functions = new Set(read.functions);
  const words = [
    ...read.commands.filter((command) => isUnsure || !isOfOtherLanguage(command, functions)).flat(),
    ...read.arrays.flat(),
    ...read.redirections.map(({ word }) => word),
  ];
  const found =
    words.find((word) => hasIndexWithCode(word.text))?.written ??
    read.hereDocuments.find((document) => indexInText.test(document.text))?.text;
  return found === undefined ? undefined : `${JSON.stringify(found.slice(0, 80))} has a command in an array index, which bash may run.`;
}

function isOfOtherLanguage(command: SimpleCommand, functions: ReadonlySet<string>): boolean {
  const name = withoutPrefix(command)[0]?.text ?? '';
  // A word that looks like the name of a command may be an item of `for`, or the call of a function.
  return otherLanguages.test(name) && !functions.has(name) && !command.some(({ written }) => written === 'for' || written === 'select');
}

/** A variable that arithmetic sets, with the operator. */
const arithmetic = /(?<!\w)([A-Za-z_]\w*)(?:\[[^\]]{0,100}\])?\s*(?:(?:[-+*/%&^|]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g;

/** Returns the variables that decide which code runs and that an expansion, arithmetic or a redirection of the text sets. */
export function riskyInText(text: string): string[] {
  const names = [
    ...[...text.matchAll(/\$\{!?([A-Za-z_]\w*)(?:\[[^\]]{0,100}\])?:?=/g)].map(([, name]) => name),
    ...[...text.matchAll(/(?<!\$)\{([A-Za-z_]\w*)\}[<>]/g)].map(([, name]) => name),
    ...(/\(\(|\$\[/.test(text) ? assignedInArithmetic(text) : []),
  ];
  return names.filter((name) => name !== undefined && name !== 'IFS' && isRisky(name)) as string[];
}

function assignedInArithmetic(text: string): (string | undefined)[] {
  return [...text.matchAll(arithmetic)].map(([, set, counted]) => set ?? counted);
}

/** The effects of a builtin: `risky` are the variables it sets that decide which code runs, `open` are words whose effect is unknown. */
interface Evaluated {
  readonly risky: readonly string[];
  readonly open: readonly ShellWord[];
}

/** Returns the effects of a builtin that uses its words as names of variables, assignments or arithmetic. */
export function evaluated(name: string, rest: SimpleCommand): Evaluated {
  const open = indexWithVariable(name, rest);
  const nameOf = ({ text }: ShellWord) => /^\w*/.exec(text)?.[0] ?? '';
  if (/^(?:export|declare|typeset|local|readonly)$/.test(name)) {
    // With `-n`, the variable is a reference: setting it sets the variable that it refers to.
    const reference = rest.find(({ text, isOpen }) => isOpen || /^-\w*n/.test(text));
    if (reference !== undefined && !/^\w+=/.test(reference.text)) open.push(reference);
    return { risky: rest.map(nameOf).filter((variable) => riskyVariable.test(variable)), open };
  }
  const names = namesSetBy(name, rest);
  open.push(...names.filter(({ text }) => /[$`]/.test(text)));
  return { risky: names.map(nameOf).filter(isRisky), open };
}

/** Returns the words of a builtin that name variables which it sets. */
function namesSetBy(name: string, rest: SimpleCommand): ShellWord[] {
  if (name === 'read') return namesOfRead(rest);
  if (name === 'getopts') return rest.slice(1, 2);
  if (name === 'let') {
    return rest.flatMap(({ text, written }) => assignedInArithmetic(text).map((set) => ({ text: set ?? '', isOpen: false, written })));
  }
  const option = name === 'printf' ? 'v' : name === 'wait' ? 'p' : undefined;
  const at =
    option === undefined ? -1 : rest.findIndex(({ text }) => text.startsWith(`-${option}`) || (name === 'wait' && /^-\w*p/.test(text)));
  const word = rest[at];
  if (word === undefined) return [];
  const attached = word.text.slice(word.text.indexOf(option as string) + 1);
  return attached === '' ? rest.slice(at + 1, at + 2) : [{ ...word, text: attached }];
}

function namesOfRead(rest: SimpleCommand): ShellWord[] {
  const names: ShellWord[] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] as ShellWord;
    const [, option, argument = ''] = /^-[ersE]*([adinNptu])([\s\S]*)$/.exec(word.text) ?? [];
    if (option === 'a') names.push(argument === '' ? (rest[at + 1] ?? word) : { ...word, text: argument });
    if (option !== undefined) at += argument === '' ? 1 : 0;
    else if (!word.text.startsWith('-')) names.push(word);
  }
  return names;
}

/**
 * Tests whether a variable decides which code runs. Names in lower case do not count, because loops and `read` often use them for other
 * values.
 */
export function isRisky(name: string): boolean {
  return riskyVariable.test(name) && (/[A-Z]/.test(name) || /^npm_/.test(name));
}

/** Builtins that use their words as names of variables or as arithmetic, some of them only with certain options. */
const evaluating = /^(?:let|declare|typeset|local|readonly|export|unset|read|mapfile|readarray|getopts|wait)$/;
const tests = /^(?:\[|\[\[|test)$/;

/** Returns the words with an array index that bash expands a second time: `unset "a[$x]"` runs a command that is in the value of `x`. */
function indexWithVariable(name: string, rest: SimpleCommand): ShellWord[] {
  const isEvaluated =
    evaluating.test(name) ||
    (name === 'printf' && /^-v/.test(rest[0]?.text ?? '')) ||
    (tests.test(name) && rest.some(({ text }) => /^-(?:v|eq|ne|lt|le|gt|ge)$/.test(text)));
  // In a declaration, bash does not expand the text after `=` a second time.
  const isDeclaration = /^(?:declare|typeset|local|readonly|export)$/.test(name);
  return isEvaluated ? rest.filter(({ text }) => /\w\[[^[\]]*[$`]/.test(isDeclaration ? text.replace(/=[\s\S]*/, '') : text)) : [];
}
