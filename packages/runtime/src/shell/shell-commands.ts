import { type Closing, ExpansionParser, maxDepth } from './expansion-parser.js';
import { HereDocumentParser } from './here-document-parser.js';
import { ScriptPlace } from './script-place.js';
import { ShellText, Unreadable } from './shell-text.js';
import type { Redirection, ShellCommands, ShellWord, SimpleCommand } from './shell-word.js';
import { WordParser } from './word-parser.js';

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
  try {
    return new CommandParser(line, options).read();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** Parses lists of commands: operators, redirections and subshells, and the arrays and functions of scripts. */
class CommandParser {
  readonly #commands: SimpleCommand[] = [];
  readonly #redirections: Redirection[] = [];
  readonly #arrays: SimpleCommand[] = [];
  readonly #functions: string[] = [];
  readonly #isScript: boolean;
  readonly #from: ShellText;
  readonly #expansions: ExpansionParser;
  readonly #words: WordParser;
  readonly #documents: HereDocumentParser;
  /** How deep the current list of commands is nested. 0 is the whole line. */
  #depth = -1;
  /** Whether `[[ … ]]` contains an operator that is not one in a POSIX shell. */
  #hasTest = false;

  constructor(line: string, { expand, isScript = false }: ReadOptions) {
    this.#isScript = isScript;
    this.#from = new ShellText(line);
    this.#expansions = new ExpansionParser(this.#from, {
      expand,
      isScript,
      readList: (depth, closing) => this.#readList(depth, closing),
    });
    this.#words = new WordParser(this.#from, this.#expansions, expand);
    this.#documents = new HereDocumentParser(this.#from, this.#words);
  }

  read(): ShellCommands {
    this.#readList(0, undefined);
    return {
      commands: this.#commands,
      redirections: this.#redirections,
      hereDocuments: this.#documents.documents,
      arrays: this.#arrays,
      functions: this.#functions,
      hasExpansion: this.#expansions.hasExpansion || this.#documents.hasExpansion,
      isBashOnly: this.#expansions.isBashOnly || this.#hasTest,
    };
  }

  #readList(depth: number, closing: Closing): void {
    if (depth > maxDepth) throw new Unreadable();
    this.#depth += 1;
    this.#readCommands(depth, closing);
    this.#depth -= 1;
  }

  #readCommands(depth: number, closing: Closing): void {
    const from = this.#from;
    let words: ShellWord[] = [];
    let target = '';
    const place = new ScriptPlace(this.#isScript);
    const end = () => {
      if (words.length > 0) this.#commands.push(words);
      words = [];
      target = '';
    };
    while (!from.isAtEnd) {
      const character = from.next;
      if (place.isSkipped(character)) {
        this.#hasTest ||= place.isTest;
        from.at += 1;
        // The patterns of `case` are not commands.
        if (place.endsPattern(character)) {
          if (!words.some(({ written }) => written === 'case')) words = [];
          end();
        }
      } else if (character === closing) {
        // The text is rejected, because shells disagree about a here-document that is still open at the end of a substitution: `$(cat
        // <<EOF)`.
        if (this.#documents.isPending) throw new Unreadable();
        from.at += 1;
        end();
        return;
      } else if (character === ' ' || character === '\t' || character === '\r') from.at += 1;
      else if (from.startsWith('\\\n')) from.at += 2;
      else if (character === '#') this.#skipComment(closing);
      else if (from.isAtProcess) words.push(this.#expansions.readProcess(depth));
      else if (this.#documents.isAtOperator) this.#documents.readOperator(depth, closing);
      else if (this.#skipArithmetic() || (place.isScript && this.#addFunction(words))) words = [];
      else if (character === '<' || character === '>' || from.startsWith('&>')) {
        target = this.#skipRedirection();
      } else if (character === '(') {
        from.at += 1;
        end();
        this.#readList(depth + 1, ')');
      } else if (character === ')') throw new Unreadable();
      else if (';&|\n'.includes(character)) {
        if (place.isTest) throw new Unreadable();
        from.at += 1;
        end();
        if (character === ';' && place.noteSemicolon(from.next)) from.at += 1;
        if (character === '\n') this.#documents.readTexts();
      } else {
        const word = this.#words.readWord(depth, closing);
        const isDescriptor = /^(?:\d+|\{\w+\})$/.test(word.text) && /[<>]/.test(from.next);
        if (target !== '') this.#redirections.push({ operator: target, word });
        else if (!isDescriptor) {
          place.noteWord(word, words);
          if (place.isScript && /^\w+\+?=$/.test(word.written) && from.next === '(') this.#readArray(depth);
          words.push(word);
        }
        target = '';
      }
    }
    if (closing !== undefined || this.#documents.isPending) throw new Unreadable();
    end();
  }

  /**
   * Skips `((…))` if it contains no command. Returns whether it was skipped. A shell that does not know `((…))` runs the content as a
   * command in two subshells. So the arithmetic is skipped only if its content cannot be the name of a program.
   */
  #skipArithmetic(): boolean {
    if (!this.#isScript || !this.#from.startsWith('((')) return false;
    const text = this.#from.match(/^\(\([ \t]*\w+(?:\+\+|--|[-+*]?=[\w$+*% -]+)[ \t]*\)\)/, 500);
    this.#from.at += text?.length ?? 0;
    return text !== undefined;
  }

  /**
   * Skips the `()` after the name of a function. The name is listed only outside subshells and substitutions, because their
   * functions do not exist outside them.
   */
  #addFunction(words: SimpleCommand): boolean {
    // Called at each word, so a command with very many words must not be copied here.
    const name = words.length === 1 ? words[0] : undefined;
    if (name === undefined || !/^[\w-]+$/.test(name.written)) return false;
    const text = this.#from.match(/^\([ \t]*\)/, 50);
    if (text === undefined) return false;
    this.#from.at += text.length;
    if (this.#depth === 0) this.#functions.push(name.text);
    return true;
  }

  /** Reads the elements of an array, e.g. `NAME=(a b)`. */
  #readArray(depth: number): void {
    const from = this.#from;
    const words: ShellWord[] = [];
    from.at += 1;
    while (!from.isAtEnd) {
      const character = from.next;
      if (character === ')') {
        from.at += 1;
        this.#arrays.push(words);
        return;
      }
      if (/\s/.test(character)) from.at += 1;
      else if (from.startsWith('\\\n')) from.at += 2;
      else if (character === '#') this.#skipComment(')');
      else if (from.isAtProcess) words.push(this.#expansions.readProcess(depth));
      else if (';&|<>('.includes(character)) throw new Unreadable();
      else words.push(this.#words.readWord(depth, ')'));
    }
    throw new Unreadable();
  }

  /**
   * Skips the operator of a redirection and returns it. Returns an empty text if no target follows: in `2>&1` and `>&-` the file
   * descriptor is part of the operator.
   */
  #skipRedirection(): string {
    const from = this.#from;
    const start = from.at;
    while (/[<>&|]/.test(from.next) && !from.isAtProcess) from.at += 1;
    const descriptor = from.match(/^(?:\d+|-)(?=[\s;&|()<>]|$)/, 16);
    if (descriptor === undefined || from.text[from.at - 1] !== '&') return from.text.slice(start, from.at);
    from.at += descriptor.length;
    return '';
  }

  #skipComment(closing: Closing): void {
    if (closing === '`') throw new Unreadable();
    this.#from.skipLine();
  }
}
