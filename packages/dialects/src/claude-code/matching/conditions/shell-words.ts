/** One word of a command line, after its quotes were removed. */
export interface ShellWord {
  readonly text: string;
  /** True if the word contains a variable, a command substitution or a file name pattern, so that its value is unknown. */
  readonly isOpen: boolean;
}

/** The words of a simple command, without redirections. */
export type SimpleCommand = readonly ShellWord[];

/** The content of a command line. */
export interface ShellCommands {
  readonly commands: readonly SimpleCommand[];
  /** Whether the line contains a variable, `$(…)` or backquotes. Targets of redirections and here-documents count too. */
  readonly hasExpansion: boolean;
}

/**
 * Returns every simple command in a command line for a POSIX shell or bash, including those in lists, pipes, subshells, `$(…)` and
 * backquotes. Returns undefined if the line cannot be parsed, for example because a quote is not closed. The parser may find commands that
 * the shell would not run: the hook then runs too often, which is safe.
 */
export function commandsIn(line: string): ShellCommands | undefined {
  const reader = new ShellReader(line);
  try {
    reader.readList(0, undefined);
    return reader;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** The maximum nesting of substitutions. The parser is recursive, so an unlimited depth could overflow the stack. */
const maxDepth = 20;

class Unreadable extends Error {}

/**
 * The text that replaces an unknown word. It is a variable, so that the word is still unknown if the text is parsed again as a command
 * line.
 */
const unknown = '$_';

/** A here-document: text for a command's stdin, which ends at a line that equals the delimiter. */
interface Heredoc {
  readonly delimiter: string;
  /** True if the shell expands variables and runs commands in the text. */
  readonly isOpen: boolean;
  readonly withoutTabs: boolean;
}

/** The character that ends a list of commands inside a word. */
type Closing = ')' | '`' | undefined;

class ShellReader implements ShellCommands {
  readonly commands: SimpleCommand[] = [];
  hasExpansion = false;
  readonly #line: string;
  #at = 0;
  /** The here-documents that began on the current line, in this order. Their texts follow on the next lines. */
  #heredocs: Heredoc[] = [];

  constructor(line: string) {
    this.#line = line;
  }

  readList(depth: number, closing: Closing): void {
    if (depth > maxDepth) throw new Unreadable();
    let words: ShellWord[] = [];
    let isTarget = false;
    const end = () => {
      if (words.length > 0) this.commands.push(words);
      words = [];
      isTarget = false;
    };
    while (this.#at < this.#line.length) {
      const character = this.#line[this.#at] as string;
      if (character === closing) {
        // Shells disagree about a here-document that is still open at the end of the substitution that contains it, as in `$(cat <<EOF)`.
        if (this.#heredocs.length > 0) throw new Unreadable();
        this.#at += 1;
        end();
        return;
      }
      if (character === ' ' || character === '\t' || character === '\r') this.#at += 1;
      else if (this.#line.startsWith('\\\n', this.#at)) this.#at += 2;
      else if (character === '#') this.#skipComment(closing);
      else if (this.#isProcess()) words.push(this.#readProcess(depth));
      else if (this.#line.startsWith('<<', this.#at) && !this.#line.startsWith('<<<', this.#at)) this.#readHeredoc(depth, closing);
      else if (character === '<' || character === '>' || this.#line.startsWith('&>', this.#at)) {
        isTarget = this.#skipRedirection();
      } else if (character === '(') {
        this.#at += 1;
        end();
        this.readList(depth + 1, ')');
      } else if (character === ')') throw new Unreadable();
      else if (';&|\n'.includes(character)) {
        this.#at += 1;
        end();
        if (character === '\n') this.#skipHeredocs();
      } else {
        const word = this.#readWord(depth, closing);
        const isDescriptor = /^(?:\d+|\{\w+\})$/.test(word.text) && /[<>]/.test(this.#line[this.#at] ?? '');
        if (!isTarget && !isDescriptor) words.push(word);
        isTarget = false;
      }
    }
    if (closing !== undefined || this.#heredocs.length > 0) throw new Unreadable();
    end();
  }

  /** Reads the delimiter after `<<`. */
  #readHeredoc(depth: number, closing: Closing): void {
    const withoutTabs = this.#line[this.#at + 2] === '-';
    this.#at += withoutTabs ? 3 : 2;
    while (this.#line[this.#at] === ' ' || this.#line[this.#at] === '\t') this.#at += 1;
    const start = this.#at;
    const word = this.#readWord(depth, closing);
    const written = this.#line.slice(start, this.#at);
    const isQuoted = /['"]/.test(written);
    // Shells disagree about where a here-document ends if its delimiter is written in another way.
    if (!/^(?:\w+|'\w+'|"\w+")$/.test(written) || this.#line.includes('\r')) throw new Unreadable();
    this.#heredocs.push({ delimiter: word.text, isOpen: !isQuoted, withoutTabs });
  }

  #skipHeredocs(): void {
    for (const { delimiter, isOpen, withoutTabs } of this.#heredocs.splice(0)) {
      for (;;) {
        if (this.#at >= this.#line.length) throw new Unreadable();
        const end = this.#line.indexOf('\n', this.#at);
        const line = this.#line.slice(this.#at, end === -1 ? undefined : end);
        this.#at = end === -1 ? this.#line.length : end + 1;
        if ((withoutTabs ? line.replace(/^\t+/, '') : line) === delimiter) break;
        // The shell would run commands in this text.
        if (isOpen && /`|\$\(|\\$/.test(line)) throw new Unreadable();
        if (isOpen && line.includes('$')) this.hasExpansion = true;
      }
    }
  }

  #readWord(depth: number, closing: Closing): ShellWord {
    let text = '';
    /** The part of the word outside of quotes. Only this part is expanded by the shell. */
    let bare = '';
    let isOpen = false;
    while (this.#at < this.#line.length) {
      const character = this.#line[this.#at] as string;
      if (character === closing || ' \t\r\n;&|<>()'.includes(character)) break;
      if (character === "'") text += this.#readUntil("'");
      else if (character === '"') {
        const quoted = this.#readQuoted(depth);
        text += quoted.text;
        isOpen ||= quoted.isOpen;
      } else if (character === '\\') {
        // Nested backquotes are not parsed.
        if (closing === '`' && this.#line[this.#at + 1] === '`') throw new Unreadable();
        if (this.#line[this.#at + 1] !== '\n') text += this.#line[this.#at + 1] ?? '\\';
        this.#at += 2;
      } else if (character === '`' || character === '$') {
        const open = this.#readExpansion(depth);
        text += open.text;
        isOpen ||= open.isOpen;
      } else {
        text += character;
        bare += character;
        this.#at += 1;
      }
    }
    return { text, isOpen: isOpen || isExpanding(bare) };
  }

  #readQuoted(depth: number): ShellWord {
    let text = '';
    let isOpen = false;
    this.#at += 1;
    while (this.#at < this.#line.length) {
      const character = this.#line[this.#at] as string;
      if (character === '"') {
        this.#at += 1;
        return { text, isOpen };
      }
      if (character === '\\') {
        if (this.#line[this.#at + 1] !== '\n') text += this.#line[this.#at + 1] ?? '';
        this.#at += 2;
      } else if (character === '`' || (character === '$' && this.#line[this.#at + 1] !== "'")) {
        const open = this.#readExpansion(depth);
        text += open.text;
        isOpen ||= open.isOpen;
      } else {
        text += character;
        this.#at += 1;
      }
    }
    throw new Unreadable();
  }

  /** Reads what begins with a `$` or a backquote: a variable, a command substitution, or a quoted text with escapes (`$'…'`). */
  #readExpansion(depth: number): ShellWord {
    const [first, second] = [this.#line[this.#at], this.#line[this.#at + 1]];
    if (first === '`' || second === '(') {
      this.hasExpansion = true;
      this.#at += first === '`' ? 1 : 2;
      this.readList(depth + 1, first === '`' ? '`' : ')');
      return { text: unknown, isOpen: true };
    }
    if (second === '{') {
      this.hasExpansion = true;
      const name = this.#readUntil('}');
      // The default value in `${NAME:-…}` may contain commands, which this parser does not read.
      if (/[`'"{]|[$<>]\(/.test(name.slice(1)) || /^\{[\s|]/.test(name)) throw new Unreadable();
      return { text: unknown, isOpen: true };
    }
    // `$[…]` is an older form of arithmetic, in which `<<` does not begin a here-document.
    if (second === '[') throw new Unreadable();
    if (second === '"') {
      this.#at += 1;
      return this.#readQuoted(depth);
    }
    if (second === "'") {
      this.#at += 1;
      const text = this.#readUntil("'");
      if (text.includes('\\')) throw new Unreadable();
      return { text, isOpen: false };
    }
    const name = /^\$(?:\w+|[@*#?$!-])?/.exec(this.#line.slice(this.#at, this.#at + 256))?.[0] ?? '$';
    this.#at += name.length;
    this.hasExpansion ||= name.length > 1;
    return { text: name, isOpen: name.length > 1 };
  }

  #isProcess(): boolean {
    return this.#line.startsWith('<(', this.#at) || this.#line.startsWith('>(', this.#at);
  }

  #readProcess(depth: number): ShellWord {
    this.hasExpansion = true;
    this.#at += 2;
    this.readList(depth + 1, ')');
    return { text: unknown, isOpen: true };
  }

  /** Returns the text after the current character up to the closing character, and skips the closing character. */
  #readUntil(closing: string): string {
    const end = this.#line.indexOf(closing, this.#at + 1);
    if (end === -1) throw new Unreadable();
    const text = this.#line.slice(this.#at + 1, end);
    this.#at = end + 1;
    return text;
  }

  /**
   * Tests whether the next word is the target of a redirection, and skips the operator. A file descriptor belongs to the operator: `2>&1`,
   * `>&-`.
   */
  #skipRedirection(): boolean {
    while (/[<>&|]/.test(this.#line[this.#at] ?? '') && !this.#isProcess()) this.#at += 1;
    const descriptor = /^(?:\d+|-)(?=[\s;&|()<>]|$)/.exec(this.#line.slice(this.#at, this.#at + 16));
    if (descriptor === null || this.#line[this.#at - 1] !== '&') return true;
    this.#at += descriptor[0].length;
    return false;
  }

  #skipComment(closing: Closing): void {
    if (closing === '`') throw new Unreadable();
    const end = this.#line.indexOf('\n', this.#at);
    this.#at = end === -1 ? this.#line.length : end;
  }
}

/**
 * Tests whether the shell may turn a word into other words: `{git,push}` becomes several words, and `gi?` becomes the names of files that
 * match. Uses no regular expression, because the model chooses this text and could make one slow.
 */
function isExpanding(bare: string): boolean {
  const [bracket, brace] = [bare.indexOf('['), bare.indexOf('{')];
  if (bare.includes('*') || bare.includes('?') || (bracket !== -1 && bare.indexOf(']', bracket) !== -1)) return true;
  const end = brace === -1 ? -1 : bare.lastIndexOf('}');
  const inner = end > brace ? bare.slice(brace, end) : '';
  return inner.includes(',') || inner.includes('..');
}
