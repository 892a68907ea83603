import { keywords } from './names.js';
import type { ShellWord, SimpleCommand } from './shell-word.js';

/**
 * The position of a parser: whether it is inside of `case … esac` or `[[ … ]]`. Brackets, `|` and `&` have other meanings there. Each
 * list of commands has its own object, because `case` and `[[` end in the list in which they begin.
 */
export class ScriptPlace {
  /** True while the words of `[[ … ]]` are read. */
  isTest = false;
  readonly isScript: boolean;
  /** The number of open `case` commands. */
  #cases = 0;
  #isPattern = false;

  constructor(isScript: boolean) {
    this.isScript = isScript;
  }

  /** Tests whether a character, which is an operator elsewhere, is an ordinary character here. */
  isSkipped(character: string): boolean {
    return (this.#isPattern && '()|'.includes(character)) || (this.isTest && '()|&<>'.includes(character));
  }

  /** Tests whether a character ends the patterns of one choice. */
  endsPattern(character: string): boolean {
    if (!this.#isPattern || character !== ')') return false;
    this.#isPattern = false;
    return true;
  }

  /** Notes `;`. Returns true if the next character belongs to it: `;;`, `;&`. */
  noteSemicolon(next: string): boolean {
    const isEnd = this.#cases > 0 && /^[;&]/.test(next);
    this.#isPattern ||= isEnd;
    return isEnd;
  }

  /** Notes a word that follows other words of the same command. */
  noteWord({ written }: ShellWord, before: SimpleCommand): void {
    if (!this.isScript) return;
    const isFirst = before.every((word) => keywords.has(word.written));
    if (written === ']]') this.isTest = false;
    else if (written === '[[') this.isTest ||= isFirst;
    else if (written === 'case' && isFirst) this.#cases += 1;
    else if (written === 'in' && before.at(-2)?.written === 'case') this.#isPattern = true;
    else if (written === 'esac' && before.length === 0 && this.#cases > 0) {
      this.#cases -= 1;
      this.#isPattern = false;
    }
  }
}
