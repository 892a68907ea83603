import type { ShellWord, SimpleCommand } from '@tenterhook/runtime/shell';
import { isPlainSedProgram } from './sed-program.js';

/** What makes a plain program run code that its words name, or that a file of the project holds. */
interface Running {
  readonly name: RegExp;
  /** Options that name a program, a module or a file with a program. GNU programs take the beginning of a long option for the option. */
  readonly option?: RegExp;
  /** A program in a word that starts other programs. */
  readonly word?: RegExp;
  /** Returns the words that may run code, of a program for which the safe words are listed. */
  readonly unsafe?: (words: SimpleCommand) => readonly ShellWord[];
}

const table: readonly Running[] = [
  { name: /^rg$/, option: /^--(?:pre|hostname-bin)/ },
  { name: /^sort$/, option: /^--co/ },
  { name: /^curl$/, option: /^(?:-\w*K|--conf)/ },
  { name: /^jq$/, option: /^(?:-\w*[fL]|--from-file|--library-path)/, word: /\b(?:import|include)\b/ },
  { name: /^g?sed$/, unsafe: unsafeInSed },
  { name: /^(?:g|m)?awk$/, word: /system|getline|@|(?<!\|)\|(?!\|)/, unsafe: unsafeInAwk },
  { name: /^jobs$/, option: /^-\w*x/ },
  { name: /^osascript$/, word: /^/ },
];

/** Returns why a plain program may run code that is not listed, or undefined. */
export function codeInWords(name: string, words: SimpleCommand): string | undefined {
  const running = table.find((one) => one.name.test(name));
  if (running === undefined) return undefined;
  const { option, word, unsafe } = running;
  // `$_`, as it is written, is the place of words that are read from stdin. They may be options.
  const found = words.find(({ text, written }) => option?.test(text) || word?.test(text) || written === '$_') ?? unsafe?.(words)[0];
  return found === undefined
    ? undefined
    : `The word ${JSON.stringify(found.written.slice(0, 80))} of ${name} may run code that is not listed.`;
}

/** Options of sed that take no argument. The ending of a copy follows `-i`; on macOS it is a word of its own, and may be empty. */
const plainOfSed =
  /^(?:-[nErzsu]*(?:[iI][\s\S]*)?|--(?:quiet|silent|regexp-extended|posix|null-data|separate|unbuffered|sandbox|debug|version|help|in-place(?:=[\s\S]*)?))$/;

function unsafeInSed(words: SimpleCommand): ShellWord[] {
  const programs: ShellWord[] = [];
  const operands: ShellWord[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    const attached = /^(?:-[nErzsu]*e|--expression=)([\s\S]*)$/.exec(word.text)?.[1];
    if (word.text === '--') {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (attached !== undefined && attached !== '') programs.push({ ...word, text: attached });
    else if (attached !== undefined || word.text === '--expression') {
      programs.push(...words.slice(at + 1, at + 2));
      at += 1;
    } else if (word.text === '-' || !word.text.startsWith('-')) operands.push(word);
    else if (!plainOfSed.test(word.text)) return [word];
  }
  // Without `-e`, the first word is the program. An empty one may be the argument of `-i`.
  if (programs.length === 0) programs.push(...operands.filter(({ text }) => text !== '').slice(0, 1));
  return programs.filter(({ text, isOpen, written }) => (isOpen && isExpanded(written)) || !isPlainSedProgram(text));
}

function unsafeInAwk(words: SimpleCommand): ShellWord[] {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    if (/^-[Fv]$/.test(word.text)) at += 1;
    else if (!/^(?:-[Fv][\s\S]+|--|--(?:posix|traditional|re-interval|version)|-V)$/.test(word.text)) {
      // The program, or an option that is not known.
      return /^-/.test(word.text) || isExpanded(word.written) ? [word] : [];
    }
  }
  return [];
}

/** Tests whether a variable or a command makes a part of a word, so that it may be any program. */
function isExpanded(written: string): boolean {
  const expanded = written.replace(/"(?:\\[\s\S]|[^"\\])*"|'[^']*'|\\[\s\S]/g, (part) =>
    part.startsWith('"') ? part.replace(/\\[\s\S]/g, '') : '',
  );
  return /[$`]/.test(expanded);
}
