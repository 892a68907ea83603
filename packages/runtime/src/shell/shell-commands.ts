import { ScriptPlace } from './script-place.js';
import type { HereDocument, Redirection, ShellCommands, ShellWord, SimpleCommand } from './shell-word.js';

export interface ReadOptions {
  /**
   * Returns the value of an expansion. `written` is its text, e.g. `$NAME`, `${…}`, `$(…)`, backquotes or `~`. Returns undefined if
   * the value is unknown. A word is not `isOpen` if the values of all its variables are known.
   * @default no value is known, and `~` is an ordinary character
   */
  readonly expand?: (written: string) => string | undefined;
  /**
   * Whether the syntax of scripts is parsed: `case … esac`, `[[ … ]]`, arithmetic, arrays, functions, and quotes in `${…}`. If
   * false, a text with this syntax may be rejected, or parsed into commands that it does not contain.
   * @default false
   */
  readonly isScript?: boolean;
}

/**
 * Returns every simple command in a command line for a POSIX shell or bash, even inside subshells, `$(…)` and backquotes. Returns
 * undefined if the line cannot be parsed, e.g. because a closing quote is missing. The result may contain commands that the shell
 * would not run. This is safe: a guard with a condition on commands then runs too often.
 */
export function commandsIn(line: string, options: ReadOptions = {}): ShellCommands | undefined {
  const reader = new ShellReader(line, options);
  try {
    reader.readList(0, undefined);
    return reader;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** The maximum nesting of substitutions. The parser is recursive, so deep nesting could overflow the stack. */
const maxDepth = 20;

class Unreadable extends Error {}

/** Replaces a word whose value is unknown. It is itself a variable, so the word stays unknown if the text is parsed again. */
const unknown = '$_';

/** A here-document whose text has not been read yet. The text ends at a line that equals the delimiter. */
interface Heredoc {
  readonly delimiter: string;
  /** Whether the shell expands variables and runs commands in the text. */
  readonly isOpen: boolean;
  readonly withoutTabs: boolean;
}

interface Part {
  readonly text: string;
  readonly isOpen: boolean;
  /** Whether the text is the value of an expansion. */
  readonly isExpanded?: boolean;
}

/** The character that ends a list of commands inside a word, e.g. `)` for `$(ls; pwd)`. */
type Closing = ')' | '`' | undefined;

class ShellReader implements ShellCommands {
  readonly commands: SimpleCommand[] = [];
  readonly redirections: Redirection[] = [];
  readonly hereDocuments: HereDocument[] = [];
  readonly arrays: SimpleCommand[] = [];
  readonly functions: string[] = [];
  /** How deep the current list of commands is nested. 0 is the whole line. */
  #depth = -1;
  hasExpansion = false;
  isBashOnly = false;
  readonly #line: string;
  readonly #options: ReadOptions;
  #at = 0;
  /** The here-documents that began on the current line, in order. Their texts begin on the next line. */
  #heredocs: Heredoc[] = [];

  constructor(line: string, options: ReadOptions) {
    this.#line = line;
    this.#options = options;
  }

  readList(depth: number, closing: Closing): void {
    if (depth > maxDepth) throw new Unreadable();
    this.#depth += 1;
    this.#readCommands(depth, closing);
    this.#depth -= 1;
  }

  #readCommands(depth: number, closing: Closing): void {
    let words: ShellWord[] = [];
    let target = '';
    const place = new ScriptPlace(this.#options.isScript === true);
    const end = () => {
      if (words.length > 0) this.commands.push(words);
      words = [];
      target = '';
    };
    while (this.#at < this.#line.length) {
      const character = this.#line[this.#at] as string;
      if (place.isSkipped(character)) {
        this.isBashOnly ||= place.isTest;
        this.#at += 1;
        // The patterns of `case` are not commands.
        if (place.endsPattern(character)) {
          if (!words.some(({ written }) => written === 'case')) words = [];
          end();
        }
      } else if (character === closing) {
        // The text is rejected, because shells disagree about a here-document that is still open at the end of a substitution: `$(cat
        // <<EOF)`.
        if (this.#heredocs.length > 0) throw new Unreadable();
        this.#at += 1;
        end();
        return;
      } else if (character === ' ' || character === '\t' || character === '\r') this.#at += 1;
      else if (this.#line.startsWith('\\\n', this.#at)) this.#at += 2;
      else if (character === '#') this.#skipComment(closing);
      else if (this.#isProcess()) words.push(this.#readProcess(depth));
      else if (this.#line.startsWith('<<', this.#at) && !this.#line.startsWith('<<<', this.#at)) this.#readHeredoc(depth, closing);
      else if (this.#skipArithmetic('((') || (place.isScript && this.#addFunction(words))) words = [];
      else if (character === '<' || character === '>' || this.#line.startsWith('&>', this.#at)) {
        target = this.#skipRedirection();
      } else if (character === '(') {
        this.#at += 1;
        end();
        this.readList(depth + 1, ')');
      } else if (character === ')') throw new Unreadable();
      else if (';&|\n'.includes(character)) {
        if (place.isTest) throw new Unreadable();
        this.#at += 1;
        end();
        if (character === ';' && place.noteSemicolon(this.#line.slice(this.#at, this.#at + 2))) this.#at += 1;
        if (character === '\n') this.#skipHeredocs();
      } else {
        const word = this.#readWord(depth, closing);
        const isDescriptor = /^(?:\d+|\{\w+\})$/.test(word.text) && /[<>]/.test(this.#line[this.#at] ?? '');
        if (target !== '') this.redirections.push({ operator: target, word });
        else if (!isDescriptor) {
          place.noteWord(word, words);
          if (place.isScript && /^\w+\+?=$/.test(word.written) && this.#line[this.#at] === '(') this.#readArray(depth);
          words.push(word);
        }
        target = '';
      }
    }
    if (closing !== undefined || this.#heredocs.length > 0) throw new Unreadable();
    end();
  }

  /** Skips `((…))` or `$((…))` if it contains no command. Returns whether it was skipped. */
  #skipArithmetic(opening: '((' | '$(('): boolean {
    if (!this.#options.isScript || !this.#line.startsWith(opening, this.#at)) return false;
    // A shell that does not know `((…))` runs the content as a command in two subshells. So the arithmetic is skipped only if its
    // content cannot be the name of a program.
    const form =
      opening === '((' ? /^\(\([ \t]*\w+(?:\+\+|--|[-+*]?=[\w$+*% -]+)[ \t]*\)\)/ : /^\$\(\((?:[^'"`()$\\{}[\]#;]|\$\w+|\$\{#?\w+\})*\)\)/;
    const text = form.exec(this.#line.slice(this.#at, this.#at + 500))?.[0];
    if (text === undefined) return false;
    this.#at += text.length;
    return true;
  }

  /**
   * Skips the `()` after the name of a function. The name is listed only outside subshells and substitutions, because their
   * functions do not exist outside them.
   */
  #addFunction([name, ...others]: SimpleCommand): boolean {
    if (name === undefined || others.length > 0 || !/^[\w-]+$/.test(name.written)) return false;
    const text = /^\([ \t]*\)/.exec(this.#line.slice(this.#at, this.#at + 50))?.[0];
    if (text === undefined) return false;
    this.#at += text.length;
    if (this.#depth === 0) this.functions.push(name.text);
    return true;
  }

  /** Reads the elements of an array, e.g. `NAME=(a b)`. */
  #readArray(depth: number): void {
    const words: ShellWord[] = [];
    this.#at += 1;
    while (this.#at < this.#line.length) {
      const character = this.#line[this.#at] as string;
      if (character === ')') {
        this.#at += 1;
        this.arrays.push(words);
        return;
      }
      if (/\s/.test(character)) this.#at += 1;
      else if (this.#line.startsWith('\\\n', this.#at)) this.#at += 2;
      else if (character === '#') this.#skipComment(')');
      else if (this.#isProcess()) words.push(this.#readProcess(depth));
      else if (';&|<>('.includes(character)) throw new Unreadable();
      else words.push(this.#readWord(depth, ')'));
    }
    throw new Unreadable();
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
    // Only plain words and quoted words are read. For other delimiters, shells disagree about where the here-document ends.
    if (!/^(?:\w+|'\w+'|"\w+")$/.test(written) || this.#line.includes('\r')) throw new Unreadable();
    this.#heredocs.push({ delimiter: word.text, isOpen: !isQuoted, withoutTabs });
  }

  #skipHeredocs(): void {
    for (const { delimiter, isOpen, withoutTabs } of this.#heredocs.splice(0)) {
      const lines: string[] = [];
      for (;;) {
        if (this.#at >= this.#line.length) throw new Unreadable();
        const end = this.#line.indexOf('\n', this.#at);
        const line = this.#line.slice(this.#at, end === -1 ? undefined : end);
        this.#at = end === -1 ? this.#line.length : end + 1;
        const content = withoutTabs ? line.replace(/^\t+/, '') : line;
        if (content === delimiter) break;
        lines.push(content);
        // The shell would run the command in this here-document, but this parser does not read it. So the line is rejected.
        if (isOpen && /`|\$\(|\\$/.test(line)) throw new Unreadable();
        if (isOpen && line.includes('$')) this.hasExpansion = true;
      }
      const text = lines.join('\n');
      this.hereDocuments.push({ text, isOpen: isOpen && text.includes('$') });
    }
  }

  #readWord(depth: number, closing: Closing): ShellWord {
    let text = '';
    /** The part of the word outside quotes. The shell expands patterns such as `*` only there. */
    let bare = '';
    let isOpen = false;
    const start = this.#at;
    while (this.#at < this.#line.length) {
      const character = this.#line[this.#at] as string;
      if (character === closing || ' \t\r\n;&|<>()'.includes(character)) break;
      if (character === '~' && this.#options.expand !== undefined && (bare === '' ? this.#at === start : /[=:]$/.test(bare))) {
        const home = this.#readHome();
        text += home.text;
        isOpen ||= home.isOpen;
      } else if (character === "'") text += this.#readUntil("'");
      else if (character === '"') {
        const quoted = this.#readQuoted(depth);
        text += quoted.text;
        isOpen ||= quoted.isOpen;
      } else if (character === '\\') {
        // This parser cannot read nested backquotes, so it rejects the line.
        if (closing === '`' && this.#line[this.#at + 1] === '`') throw new Unreadable();
        if (this.#line[this.#at + 1] !== '\n') text += this.#line[this.#at + 1] ?? '\\';
        this.#at += 2;
      } else if (character === '`' || character === '$') {
        const open = this.#readExpansion(depth);
        text += open.text;
        // Outside quotes the shell splits the value of a variable at blanks, and expands `*` in the value to file names. If the
        // value contains one of these characters, the word is unknown.
        isOpen ||= open.isOpen || (open.isExpanded === true && !/^[^\s*?[\]\\]+$/.test(open.text));
      } else {
        text += character;
        bare += character;
        this.#at += 1;
      }
    }
    return { text, isOpen: isOpen || isExpanding(bare), written: this.#line.slice(start, this.#at) };
  }

  /** Reads `~`. The value of `~name`, the home directory of another user, is unknown. */
  #readHome(): Part {
    const name = /^~[^\s/;&|<>():'"$`\\]*/.exec(this.#line.slice(this.#at, this.#at + 256))?.[0] ?? '~';
    this.#at += name.length;
    const home = name === '~' ? this.#options.expand?.(name) : undefined;
    return { text: home ?? unknown, isOpen: home === undefined };
  }

  #readQuoted(depth: number): Part {
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
      } else if (character === '`' || (character === '$' && !/['"]/.test(this.#line[this.#at + 1] ?? ''))) {
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

  /** Reads a variable, a command substitution, or a quoted text with escapes (`$'…'`). */
  #readExpansion(depth: number): Part {
    const start = this.#at;
    const read = this.#skipExpansion(depth);
    if (!read.isOpen || this.#options.expand === undefined) return read;
    const value = this.#options.expand(this.#line.slice(start, this.#at));
    return value === undefined ? read : { text: value, isOpen: false, isExpanded: true };
  }

  #skipExpansion(depth: number): Part {
    const [first, second] = [this.#line[this.#at], this.#line[this.#at + 1]];
    if (first === '$' && this.#skipArithmetic('$((')) {
      this.hasExpansion = true;
      return { text: unknown, isOpen: true };
    }
    if (first === '`' || second === '(') {
      this.hasExpansion = true;
      this.#at += first === '`' ? 1 : 2;
      this.readList(depth + 1, first === '`' ? '`' : ')');
      return { text: unknown, isOpen: true };
    }
    if (second === '{') {
      this.hasExpansion = true;
      if (this.#options.isScript) return this.#skipBraces(depth);
      const name = this.#readUntil('}');
      // The default value in `${NAME:-…}` may contain commands. They are not parsed here, so the line is rejected.
      if (/[`'"{]|[$<>]\(/.test(name.slice(1)) || /^\{[\s|]/.test(name)) throw new Unreadable();
      return { text: unknown, isOpen: true };
    }
    // `$[…]` is the older form of arithmetic, in which `<<` does not begin a here-document. This parser does not read it, so the
    // line is rejected.
    if (second === '[') throw new Unreadable();
    if (second === '"') {
      this.isBashOnly = true;
      this.#at += 1;
      return this.#readQuoted(depth);
    }
    if (second === "'") {
      this.isBashOnly = true;
      this.#at += 1;
      const text = this.#readUntil("'");
      if (text.includes('\\') && !(this.#options.isScript && /^(?:[^\\]|\\[ntr])*$/.test(text))) throw new Unreadable();
      return { text: text.replace(/\\[ntr]/g, '\n'), isOpen: false };
    }
    const name = /^\$(?:\w+|[@*#?$!-])?/.exec(this.#line.slice(this.#at, this.#at + 256))?.[0] ?? '$';
    this.#at += name.length;
    this.hasExpansion ||= name.length > 1;
    return { text: name, isOpen: name.length > 1 };
  }

  /** Skips `${…}` with the quotes, variables and commands in it. */
  #skipBraces(depth: number): Part {
    if (depth > maxDepth) throw new Unreadable();
    this.#at += 2;
    // `${ command; }` and `${|command; }` run a command. They are not parsed, so the line is rejected.
    if (/[\s|]/.test(this.#line[this.#at] ?? '')) throw new Unreadable();
    while (this.#at < this.#line.length) {
      const character = this.#line[this.#at] as string;
      if (character === '}') {
        this.#at += 1;
        return { text: unknown, isOpen: true };
      }
      // Rejected, because the meaning of a single quote in `${…}` depends on the operator, on the quotes around the expansion, and on the
      // shell.
      if (character === "'" || character === '{') throw new Unreadable();
      if (character === '\\') this.#at += 2;
      else if (character === '"') this.#readQuoted(depth + 1);
      else if (character === '$' || character === '`') this.#skipExpansion(depth + 1);
      else this.#at += 1;
    }
    throw new Unreadable();
  }

  #isProcess(): boolean {
    return this.#line.startsWith('<(', this.#at) || this.#line.startsWith('>(', this.#at);
  }

  #readProcess(depth: number): ShellWord {
    const start = this.#at;
    this.#at += 2;
    this.readList(depth + 1, ')');
    return { text: unknown, isOpen: true, written: this.#line.slice(start, this.#at) };
  }

  /** Returns the text between the current character and the closing character, and skips both. */
  #readUntil(closing: string): string {
    const end = this.#line.indexOf(closing, this.#at + 1);
    if (end === -1) throw new Unreadable();
    const text = this.#line.slice(this.#at + 1, end);
    this.#at = end + 1;
    return text;
  }

  /**
   * Skips the operator of a redirection and returns it. Returns an empty text if no target follows: in `2>&1` and `>&-` the file
   * descriptor is part of the operator.
   */
  #skipRedirection(): string {
    const start = this.#at;
    while (/[<>&|]/.test(this.#line[this.#at] ?? '') && !this.#isProcess()) this.#at += 1;
    const descriptor = /^(?:\d+|-)(?=[\s;&|()<>]|$)/.exec(this.#line.slice(this.#at, this.#at + 16));
    if (descriptor === null || this.#line[this.#at - 1] !== '&') return this.#line.slice(start, this.#at);
    this.#at += descriptor[0].length;
    return '';
  }

  #skipComment(closing: Closing): void {
    if (closing === '`') throw new Unreadable();
    const end = this.#line.indexOf('\n', this.#at);
    this.#at = end === -1 ? this.#line.length : end;
  }
}

/**
 * Tests whether the shell may turn one word into others: `{git,push}` into two words, or `gi?` into names of files. A regular
 * expression was rejected, because a model chooses the word and could make the matching slow.
 */
function isExpanding(bare: string): boolean {
  const [bracket, brace] = [bare.indexOf('['), bare.indexOf('{')];
  if (bare.includes('*') || bare.includes('?') || (bracket !== -1 && bare.indexOf(']', bracket) !== -1)) return true;
  const end = brace === -1 ? -1 : bare.lastIndexOf('}');
  const inner = end > brace ? bare.slice(brace, end) : '';
  return inner.includes(',') || inner.includes('..');
}
