import { type ShellText, Unreadable } from './shell-text.js';
import type { ShellWord } from './shell-word.js';

/** The maximum nesting of substitutions. The parser is recursive, so deep nesting could overflow the stack. */
export const maxDepth = 20;

/** Replaces a word whose value is unknown. It is itself a variable, so the word stays unknown if the text is parsed again. */
export const unknown = '$_';

/** A part of a word. */
export interface Part {
  readonly text: string;
  /** Whether the value of the part is unknown. */
  readonly isOpen: boolean;
  /** Whether the text is the value of an expansion. */
  readonly isExpanded?: boolean;
}

/** The character that ends a list of commands inside a word, e.g. `)` for `$(ls; pwd)`. */
export type Closing = ')' | '`' | undefined;

export interface ExpansionOptions {
  readonly expand?: ((written: string) => string | undefined) | undefined;
  readonly isScript: boolean;
  /** Parses the commands of a substitution, up to `closing`. */
  readonly readList: (depth: number, closing: Closing) => void;
}

/** Parses double quotes and what the shell expands, inside and outside of them: variables, substitutions, `${…}` and `$'…'`. */
export class ExpansionParser {
  /** Whether a variable or a substitution was parsed. */
  hasExpansion = false;
  /** Whether syntax was parsed that a POSIX shell reads differently than bash. */
  isBashOnly = false;
  readonly #from: ShellText;
  readonly #options: ExpansionOptions;

  constructor(from: ShellText, options: ExpansionOptions) {
    this.#from = from;
    this.#options = options;
  }

  /** Parses `"…"`. */
  readQuoted(depth: number): Part {
    const from = this.#from;
    let text = '';
    let isOpen = false;
    from.at += 1;
    while (!from.isAtEnd) {
      const character = from.next;
      if (character === '"') {
        from.at += 1;
        return { text, isOpen };
      }
      if (character === '\\') {
        if (from.second !== '\n') text += from.second;
        from.at += 2;
      } else if (character === '`' || (character === '$' && !/['"]/.test(from.second))) {
        const open = this.readExpansion(depth);
        text += open.text;
        isOpen ||= open.isOpen;
      } else {
        text += character;
        from.at += 1;
      }
    }
    throw new Unreadable();
  }

  /** Parses a variable, a command substitution, or a quoted text with escapes (`$'…'`), and replaces it if its value is known. */
  readExpansion(depth: number): Part {
    const start = this.#from.at;
    const read = this.#skipExpansion(depth);
    if (!read.isOpen || this.#options.expand === undefined) return read;
    const value = this.#options.expand(this.#from.text.slice(start, this.#from.at));
    return value === undefined ? read : { text: value, isOpen: false, isExpanded: true };
  }

  /** Parses `<(…)` or `>(…)`. */
  readProcess(depth: number): ShellWord {
    const start = this.#from.at;
    this.#from.at += 2;
    this.#options.readList(depth + 1, ')');
    return { text: unknown, isOpen: true, written: this.#from.text.slice(start, this.#from.at) };
  }

  #skipExpansion(depth: number): Part {
    const from = this.#from;
    const { next, second } = from;
    if (next === '$' && this.#skipArithmetic()) return this.#skipped();
    if (next === '`' || second === '(') {
      from.at += next === '`' ? 1 : 2;
      this.#options.readList(depth + 1, next === '`' ? '`' : ')');
      return this.#skipped();
    }
    if (second === '{') return this.#options.isScript ? this.#skipBraces(depth) : this.#skipPlainBraces();
    // `$[…]` is the older form of arithmetic, in which `<<` does not begin a here-document. This parser does not read it, so the
    // line is rejected.
    if (second === '[') throw new Unreadable();
    if (second === '"') {
      this.isBashOnly = true;
      from.at += 1;
      return this.readQuoted(depth);
    }
    if (second === "'") return this.#readEscaped();
    const name = from.match(/^\$(?:\w+|[@*#?$!-])?/) ?? '$';
    from.at += name.length;
    this.hasExpansion ||= name.length > 1;
    return { text: name, isOpen: name.length > 1 };
  }

  #skipped(): Part {
    this.hasExpansion = true;
    return { text: unknown, isOpen: true };
  }

  /** Skips `$((…))` if it contains no command. Returns whether it was skipped. */
  #skipArithmetic(): boolean {
    if (!this.#options.isScript) return false;
    const text = this.#from.match(/^\$\(\((?:[^'"`()$\\{}[\]#;]|\$\w+|\$\{#?\w+\})*\)\)/, 500);
    this.#from.at += text?.length ?? 0;
    return text !== undefined;
  }

  /** Skips `${…}` outside of scripts. */
  #skipPlainBraces(): Part {
    this.#from.at += 1;
    const content = this.#from.readUntil('}');
    // The default value in `${NAME:-…}` may contain commands. They are not parsed here, so the line is rejected.
    if (/[`'"{]|[$<>]\(/.test(content) || /^[\s|]/.test(content)) throw new Unreadable();
    return this.#skipped();
  }

  /** Skips `${…}` with the quotes, variables and commands in it. */
  #skipBraces(depth: number): Part {
    const from = this.#from;
    if (depth > maxDepth) throw new Unreadable();
    from.at += 2;
    // `${ command; }` and `${|command; }` run a command. They are not parsed, so the line is rejected.
    if (/[\s|]/.test(from.next)) throw new Unreadable();
    while (!from.isAtEnd) {
      const character = from.next;
      if (character === '}') {
        from.at += 1;
        return this.#skipped();
      }
      // Rejected, because the meaning of a single quote in `${…}` depends on the operator, on the quotes around the expansion, and on the
      // shell.
      if (character === "'" || character === '{') throw new Unreadable();
      if (character === '\\') from.at += 2;
      else if (character === '"') this.readQuoted(depth + 1);
      else if (character === '$' || character === '`') this.#skipExpansion(depth + 1);
      else from.at += 1;
    }
    throw new Unreadable();
  }

  /** Parses `$'…'`. */
  #readEscaped(): Part {
    this.isBashOnly = true;
    this.#from.at += 1;
    const text = this.#from.readUntil("'");
    if (text.includes('\\') && !(this.#options.isScript && /^(?:[^\\]|\\[ntr])*$/.test(text))) throw new Unreadable();
    return { text: text.replace(/\\[ntr]/g, '\n'), isOpen: false };
  }
}
