/** A word of a command line, as a shell passes it to a program. */
export interface ShellWord {
  /** The word with its variables expanded and its quotes removed. Do not use it if `isKnown` is false. */
  readonly text: string;
  /** The text of the word in the command line. */
  readonly written: string;
  /** True if `text` is certain: the word contains no variable with an unknown value, no command and no file name pattern. */
  readonly isKnown: boolean;
}

/** The first simple command of a command line. */
export interface SimpleCommand {
  readonly words: readonly ShellWord[];
  /** The operator after the command: `|`, `&&`, `||`, `;`, a line break …; `''` at the end of the text. */
  readonly end: string;
}

/** Variables with known values: directories at the beginning of paths, such as the project directory, and variables of the shell. */
type Variables = Readonly<Record<string, string>>;

/** Characters that end a word outside of quotes. */
const separators = /[\s;&|<>()]/;

/**
 * Returns the first simple command of a text for `bash -c` or `sh -c`, without redirections and without running a shell. Reads only what is
 * needed to find the script: a substitution makes its word unknown, and an operator ends the command.
 */
export function firstCommand(text: string, variables: Variables): SimpleCommand {
  const words: ShellWord[] = [];
  let index = 0;
  while (index < text.length) {
    const char = text[index] as string;
    if (char === ' ' || char === '\t' || text.startsWith('\\\n', index)) {
      index += char === '\\' ? 2 : 1;
      continue;
    }
    if (char === '#') return { words, end: '\n' };
    const redirection = /^(?:\d*(?:<<<|<<-?|<>|<&|>>|>&|>\||<|>)|&>>?)(?!\()/.exec(text.slice(index, index + 8))?.[0];
    if (redirection !== undefined && !/^\d+$/.test(redirection)) {
      index = skipBlanks(text, index + redirection.length);
      index = readWord(text, index, variables).end;
      continue;
    }
    const operator = /^(?:\|\||\|&|\||&&|&|;;|;|\r?\n|\(|\)|<\(|>\()/.exec(text.slice(index, index + 2))?.[0];
    if (operator !== undefined) return { words, end: operator.trim() === '' ? '\n' : operator };
    const word = readWord(text, index, variables);
    // Prevents an endless loop. No text is known that reaches this line.
    if (word.end === index) return { words, end: char };
    words.push(word);
    index = word.end;
  }
  return { words, end: '' };
}

function skipBlanks(text: string, from: number): number {
  let index = from;
  while (text[index] === ' ' || text[index] === '\t') index += 1;
  return index;
}

function readWord(text: string, start: number, variables: Variables): ShellWord & { readonly end: number } {
  let value = '';
  let isKnown = true;
  let index = start;
  if (/^~(?:\/|$|[\s;&|<>()])/.test(text.slice(start, start + 2)) && variables['HOME'] !== undefined) {
    value = variables['HOME'];
    index += 1;
  } else if (text[start] === '~') isKnown = false;
  while (index < text.length && !separators.test(text[index] as string)) {
    const char = text[index] as string;
    if (char === "'") {
      const close = text.indexOf("'", index + 1);
      const end = close === -1 ? text.length : close;
      value += text.slice(index + 1, end);
      index = end + 1;
    } else if (char === '"') {
      const quoted = readQuoted(text, index + 1, variables);
      value += quoted.text;
      isKnown &&= quoted.isKnown;
      index = quoted.end;
    } else if (char === '\\') {
      value += text[index + 1] ?? '';
      index += 2;
    } else if (char === '$') {
      const expanded = expand(text, index, variables);
      // Outside of quotes the shell splits a value at blanks, and drops an empty value.
      isKnown &&= expanded.value !== undefined && /^\S+$/.test(expanded.value) && !/[*?[]/.test(expanded.value);
      value += expanded.value ?? '';
      index = expanded.end;
    } else {
      if (/[`*?[{]/.test(char)) isKnown = false;
      // A backquote makes the word unknown, and the rest of the word does not matter. So the closing backquote is not searched for.
      value += char;
      index += 1;
    }
  }
  return { text: value, written: text.slice(start, index), isKnown, end: index };
}

/** Reads the rest of a text in double quotes. */
function readQuoted(text: string, start: number, variables: Variables): { text: string; isKnown: boolean; end: number } {
  let value = '';
  let isKnown = true;
  let index = start;
  while (index < text.length && text[index] !== '"') {
    const char = text[index] as string;
    if (char === '\\' && /["\\$`\n]/.test(text[index + 1] ?? '')) {
      value += text[index + 1];
      index += 2;
    } else if (char === '$') {
      const expanded = expand(text, index, variables);
      isKnown &&= expanded.value !== undefined;
      value += expanded.value ?? '';
      index = expanded.end;
    } else {
      if (char === '`') isKnown = false;
      value += char;
      index += 1;
    }
  }
  return { text: value, isKnown, end: index + 1 };
}

/** Reads a `$` and the name after it. Returns the value of `$NAME` and `${NAME}` if it is known. Returns undefined for anything else. */
function expand(text: string, start: number, variables: Variables): { value: string | undefined; end: number } {
  const [whole, bare, braced] = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/.exec(text.slice(start, start + 200)) ?? [];
  const name = bare ?? braced;
  if (whole === undefined || name === undefined) return { value: undefined, end: start + 1 };
  return { value: Object.hasOwn(variables, name) ? variables[name] : undefined, end: start + whole.length };
}
