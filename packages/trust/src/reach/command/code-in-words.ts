import type { SimpleCommand } from '@tenterhook/runtime/shell';

/** What makes a plain program run code that its words name, or that a file of the project holds. */
interface Running {
  readonly name: RegExp;
  /** Options that name a program, a module or a file with a program. */
  readonly option?: RegExp;
  /** A program in a word that starts other programs. */
  readonly word?: RegExp;
}

const table: readonly Running[] = [
  { name: /^rg$/, option: /^--(?:pre|hostname-bin)/ },
  { name: /^sort$/, option: /^--compress-program/ },
  { name: /^curl$/, option: /^(?:-\w*K|--config)/ },
  { name: /^jq$/, option: /^(?:-\w*[fL]|--from-file|--library-path)/, word: /\b(?:import|include)\b/ },
  {
    name: /^g?sed$/,
    option: /^(?:-[a-zA-Z]*f|--file)/,
    word: /[^\w\s-][gipmIM\d]*e[gipmIMw\d]*\s*(?:[;}\n]|$)|(?:^|[;{}\n])[\d$,!\s]*(?:\/[^/]*\/)?\s*e(?:[\s;}]|$)/,
  },
  { name: /^(?:g|m)?awk$/, option: /^(?:-[filE]|--file|--include|--load|--exec)/, word: /system|getline|@|(?<!\|)\|(?!\|)/ },
  { name: /^osascript$/, word: /^/ },
];

/** Returns why a plain program may run code that is not listed, or undefined. */
export function codeInWords(name: string, words: SimpleCommand): string | undefined {
  const running = table.find((one) => one.name.test(name));
  const found = words.find(
    ({ text }) => running?.option?.test(text) || running?.word?.test(text.replace(/^(?:-[nrEsz]*e|--expression=)/, '')),
  );
  return found === undefined
    ? undefined
    : `The word ${JSON.stringify(found.written.slice(0, 80))} of ${name} may run code that is not listed.`;
}
