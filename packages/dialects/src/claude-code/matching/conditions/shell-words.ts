import { isExpanding } from '../../conditions/expanding-word.js';
import type { Heredoc } from '../../conditions/heredoc.js';

/** One word of a command line, without its quotes. */
export interface ShellWord {
  readonly text: string;
  /** Whether a variable, the output of another command or the names of files are part of it, so that nobody can tell what it will be. */
  readonly isOpen: boolean;
}

/** A simple command: its words, redirections left out. */
export type SimpleCommand = readonly ShellWord[];

/**
 * Every simple command of a command line for a POSIX shell or bash: those of a list, of a pipe, of a subshell, of `$(…)` and of backquotes.
 * Undefined where it cannot be read, because a quote or a bracket is not closed, say. It need not be exact: what it takes for a command too
 * many runs a hook too often.
 */
export function commandsIn(line: string): readonly SimpleCommand[] | undefined {
  const reader = new ShellReader(line);
  try {
    reader.readList(0, undefined);
    return reader.commands;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** Substitutions stand no deeper in each other: nobody writes more, and the reading is recursive. */
const maxDepth = 20;

class Unreadable extends Error {}

/** What stands for words that nobody can tell: an open variable, should the text be read as a command line once more. */
const unknown = '$_';

/** What ends a list of commands that stands in a word. */
type Closing = ')' | '`' | undefined;

class ShellReader {
  readonly commands: SimpleCommand[] = [];
  readonly #line: string;
  #at = 0;
  /** Texts that follow in the lines behind this one, in the order in which they were named. */
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
        // A text that begins behind what closes its list is told apart by no two shells alike.
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

  /** `<<WORD`: what follows is text until a line that is the word. */
  #readHeredoc(depth: number, closing: Closing): void {
    const withoutTabs = this.#line[this.#at + 2] === '-';
    this.#at += withoutTabs ? 3 : 2;
    while (this.#line[this.#at] === ' ' || this.#line[this.#at] === '\t') this.#at += 1;
    const start = this.#at;
    const word = this.#readWord(depth, closing);
    const written = this.#line.slice(start, this.#at);
    const isQuoted = /['"]/.test(written);
    // What is less plain ends elsewhere in one shell or another.
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
        // Commands in such a text are run while it is made.
        if (isOpen && /`|\$\(|\\$/.test(line)) throw new Unreadable();
      }
    }
  }

  #readWord(depth: number, closing: Closing): ShellWord {
    let text = '';
    /** What stands in it without quotes: the shell makes other words of that. */
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
        // The beginning of backquotes within backquotes.
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

  /** A variable, the output of commands, or a quoted text with escapes; it stands at `$` or at a backquote. */
  #readExpansion(depth: number): ShellWord {
    const [first, second] = [this.#line[this.#at], this.#line[this.#at + 1]];
    if (first === '`' || second === '(') {
      this.#at += first === '`' ? 1 : 2;
      this.readList(depth + 1, first === '`' ? '`' : ')');
      return { text: unknown, isOpen: true };
    }
    if (second === '{') {
      const name = this.#readUntil('}');
      // A default may hold commands, which nobody needs to read: the word is open in any case.
      if (/[`'"{]|[$<>]\(/.test(name.slice(1)) || /^\{[\s|]/.test(name)) throw new Unreadable();
      return { text: unknown, isOpen: true };
    }
    // Arithmetic of old, in which what looks like a here-document is none.
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
    return { text: name, isOpen: name.length > 1 };
  }

  #isProcess(): boolean {
    return this.#line.startsWith('<(', this.#at) || this.#line.startsWith('>(', this.#at);
  }

  #readProcess(depth: number): ShellWord {
    this.#at += 2;
    this.readList(depth + 1, ')');
    return { text: unknown, isOpen: true };
  }

  /** What stands behind the character that it stands at, up to the closing one, which is passed as well. */
  #readUntil(closing: string): string {
    const end = this.#line.indexOf(closing, this.#at + 1);
    if (end === -1) throw new Unreadable();
    const text = this.#line.slice(this.#at + 1, end);
    this.#at = end + 1;
    return text;
  }

  /** Whether the word behind it is its file. That of a descriptor stands in it: `2>&1`, `>&-`. */
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
