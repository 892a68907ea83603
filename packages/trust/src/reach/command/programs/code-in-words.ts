import type { ShellWord, SimpleCommand } from '@tenterhook/runtime/shell';
import type { OpenReason } from '../../open-reasons.js';
import { isPlainSedProgram } from './sed-program.js';

/** A program that runs other code only with certain words of its command line (`rg --pre`, `awk 'system(…)'`). */
interface Running {
  readonly name: RegExp;
  /**
   * Options that name a program, a module or a file with code. GNU programs accept shortened options, so a prefix of the option matches
   * too.
   */
  readonly option?: RegExp;
  /** A pattern for code in a word that starts other programs. */
  readonly word?: RegExp;
  /** Returns the words that may run code. Set for programs whose safe words are known; any other word counts as unsafe. */
  readonly unsafe?: (words: SimpleCommand) => readonly ShellWord[];
  /** `data`: the words may name files that are unknown, but these files cannot start a program. @default 'code' */
  readonly kind?: OpenReason['kind'];
}

const table: readonly Running[] = [
  { name: /^rg$/, option: /^--(?:pre|hostname-bin)/ },
  { name: /^sort$/, option: /^--co/ },
  { name: /^curl$/, option: /^(?:-\w*K|--conf)/, kind: 'data' },
  { name: /^jq$/, option: /^(?:-\w*[fL]|--from-file|--library-path)/, word: /\b(?:import|include)\b/, kind: 'data' },
  { name: /^g?sed$/, unsafe: unsafeInSed },
  { name: /^(?:g|m)?awk$/, word: /system|getline|@|(?<!\|)\|(?!\|)/, unsafe: unsafeInAwk },
  { name: /^jobs$/, option: /^-\w*x/ },
];

/** Returns why the words of a program may run code that is not in the pin, or undefined. */
export function codeInWords(name: string, words: SimpleCommand): OpenReason | undefined {
  const running = table.find((one) => one.name.test(name));
  if (running === undefined) return undefined;
  const { option, word, unsafe, kind = 'code' } = running;
  // `$_` here means words that `xargs` reads from stdin. These may be options.
  const found =
    words.find(({ text, written }) => option?.test(text) || word?.test(text) || written === '$_') ??
    unsafe?.(words)[0] ??
    (readsLateOptions.test(name) ? beforeDashes(words).find(mayBeOption) : undefined);
  if (found === undefined) return undefined;
  // The first word of `awk`, `sed` … is the program. After it, a word from stdin is a file name, and so only data.
  const isFile = found.written === '$_' && words.some(({ text }) => text !== '$_' && !text.startsWith('-'));
  const text = `The word ${JSON.stringify(found.written.slice(0, 80))} of ${name} may run code that is not listed.`;
  return { kind: isFile ? 'data' : kind, text };
}

/** Programs that read options after other words too. */
const readsLateOptions = /^(?:rg|sort|g?sed)$/;

/**
 * Tests for a pattern such as `*.md` that may match a file whose name is an option, such as `-e1e sh x`. The pattern `./*.md` is safe, and
 * so is `*.md` behind `--`: see `beforeDashes`.
 */
export function mayBeOption({ isOpen, written }: ShellWord): boolean {
  return isOpen && /^[*?[]/.test(written);
}

/** Returns the words before `--`, after which there are no options. */
export function beforeDashes(words: SimpleCommand): SimpleCommand {
  const end = words.findIndex(({ text }) => text === '--');
  return end === -1 ? words : words.slice(0, end);
}

/** Options of sed that take no argument. A suffix for backups may follow `-i`. On macOS the suffix is a separate word, and may be empty. */
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
  // Without `-e`, the first word is the program. An empty word may be the argument of `-i`.
  if (programs.length === 0) programs.push(...operands.filter(({ text }) => text !== '').slice(0, 1));
  return programs.filter(({ text, isOpen, written }) => (isOpen && isExpanded(written)) || !isPlainSedProgram(text));
}

function unsafeInAwk(words: SimpleCommand): ShellWord[] {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    if (/^-[Fv]$/.test(word.text)) at += 1;
    else if (!/^(?:-[Fv][\s\S]+|--|--(?:posix|traditional|re-interval|version)|-V)$/.test(word.text)) {
      // The word is the program of sed, or an unknown option.
      return /^-/.test(word.text) || isExpanded(word.written) ? [word] : [];
    }
  }
  return [];
}

/** Tests whether a variable or a command substitution is a part of a word. Such a word may be any program. */
function isExpanded(written: string): boolean {
  const expanded = written.replace(/"(?:\\[\s\S]|[^"\\])*"|'[^']*'|\\[\s\S]/g, (part) =>
    part.startsWith('"') ? part.replace(/\\[\s\S]/g, '') : '',
  );
  return /[$`]/.test(expanded);
}
