import { type ShellCommands, type ShellWord, type SimpleCommand, withoutPrefix } from '@tenterhook/runtime/shell';
import { riskyVariable } from './programs.js';

/**
 * The index of an array, in a word, with a command in it. bash runs it although it is quoted: in arithmetic, and where a builtin expects the
 * name of a variable (`let 'a[$(…)]'`). The word may be the value of a variable that arithmetic uses later.
 */
function hasIndexWithCode(text: string): boolean {
  const key = text.startsWith('[') && /\]\+?=/.test(text) ? 0 : text.search(/\w\[/);
  return key !== -1 && /\$[({]|`/.test(text.slice(key));
}

/** The same in a here-document, which has code of other languages more often: on one line. */
const indexInText = /\w\[[^[\]\n]*(?:\$[({]|`)/;

/** Programs whose words are programs with arrays or patterns, which no shell reads. */
const otherLanguages = /^(?:[gm]?awk|g?sed|[efr]?grep|rg|jq)$/;

/** Returns why a text of a shell may run code in quoted words. */
export function codeInShellText(read: ShellCommands, text: string): string | undefined {
  const words = [
    ...read.commands.filter((command) => !isOfOtherLanguage(command, read, text)).flat(),
    ...read.arrays.flat(),
    ...read.redirections.map(({ word }) => word),
  ];
  const found =
    words.find((word) => hasIndexWithCode(word.text))?.written ??
    read.hereDocuments.find((document) => indexInText.test(document.text))?.text;
  return found === undefined ? undefined : `${JSON.stringify(found.slice(0, 80))} has a command in an index, which bash may run.`;
}

function isOfOtherLanguage(command: SimpleCommand, { functions }: ShellCommands, text: string): boolean {
  const name = withoutPrefix(command)[0]?.text ?? '';
  // What looks like a command may be arithmetic, a list of `for`, or the call of a function.
  return (
    otherLanguages.test(name) &&
    !functions.includes(name) &&
    !/\(\(|\bfunction\b/.test(text) &&
    !command.some(({ written }) => written === 'for' || written === 'select')
  );
}

/** A name in arithmetic that is set, with its operator. */
const arithmetic = /(?<!\w)([A-Za-z_]\w*)(?:\[[^\]]{0,100}\])?\s*(?:(?:[-+*/%&^|]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g;

/** Returns the variables that expansions, arithmetic and redirections of a text set, if they decide which code runs. */
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

/** What a command sets: variables that decide which code runs, and words of which it is not known what they set or run. */
interface Evaluated {
  readonly risky: readonly string[];
  readonly open: readonly ShellWord[];
}

/** Returns what a builtin does with words that it takes for names, assignments or arithmetic. */
export function evaluated(name: string, rest: SimpleCommand): Evaluated {
  const open = indexWithVariable(name, rest);
  const nameOf = ({ text }: ShellWord) => /^\w*/.exec(text)?.[0] ?? '';
  if (/^(?:export|declare|typeset|local|readonly)$/.test(name)) {
    // A reference to a name sets another variable than the one that is written.
    const reference = rest.find(({ text, isOpen }) => isOpen || /^-\w*n/.test(text));
    if (reference !== undefined && !/^\w+=/.test(reference.text)) open.push(reference);
    return { risky: rest.map(nameOf).filter((variable) => riskyVariable.test(variable)), open };
  }
  const names = namesSetBy(name, rest);
  open.push(...names.filter(({ text }) => /[$`]/.test(text)));
  return { risky: names.map(nameOf).filter(isRisky), open };
}

/** Returns the words of a builtin that are names of variables which it sets. */
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

/** Tests whether a variable decides which code runs. Loops and `read` often use the same names in lower case for something else. */
export function isRisky(name: string): boolean {
  return riskyVariable.test(name) && (/[A-Z]/.test(name) || /^npm_/.test(name));
}

/** Builtins that take words for names or arithmetic. Some of them do so only with certain options. */
const evaluating = /^(?:let|declare|typeset|local|readonly|export|unset|read|mapfile|readarray|getopts|wait)$/;
const tests = /^(?:\[|\[\[|test)$/;

/** Returns a word whose index bash expands a second time: `unset "a[$x]"`, whatever the value of `x` is. */
function indexWithVariable(name: string, rest: SimpleCommand): ShellWord[] {
  const isEvaluated =
    evaluating.test(name) ||
    (name === 'printf' && /^-v/.test(rest[0]?.text ?? '')) ||
    (tests.test(name) && rest.some(({ text }) => /^-(?:v|eq|ne|lt|le|gt|ge)$/.test(text)));
  // What a declaration assigns is only a text.
  const isDeclaration = /^(?:declare|typeset|local|readonly|export)$/.test(name);
  return isEvaluated ? rest.filter(({ text }) => /\w\[[^[\]]*[$`]/.test(isDeclaration ? text.replace(/=[\s\S]*/, '') : text)) : [];
}
