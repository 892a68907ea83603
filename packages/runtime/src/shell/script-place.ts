import { keywords } from './names.js';
import type { ShellWord, SimpleCommand } from './shell-word.js';

/**
 * Whether a parser is inside `case … esac` or `[[ … ]]`, where brackets, `|` and `&` have other meanings. Each list of commands has
 * an object of its own, because `case` and `[[` end in the list in which they begin.
 */
export class ScriptPlace {
  isTest = false;
  readonly isScript: boolean;
  /** The number of `case` commands without their `esac` yet. */
  #cases = 0;
  #isPattern = false;
  /** The command of the last word, and how many of its first words are keywords. Counted once, because a command may be very long. */
  #command: SimpleCommand | undefined;
  #keywords = 0;

  constructor(isScript: boolean) {
    this.isScript = isScript;
  }

  /** Tests whether a character that is an operator elsewhere is an ordinary character here. */
  isSkipped(character: string): boolean {
    return (this.#isPattern && '()|'.includes(character)) || (this.isTest && '()|&<>'.includes(character));
  }

  /** Tests whether a character ends the patterns before the commands of one choice, as `)` in `a|b) ls;;`. */
  endsPattern(character: string): boolean {
    if (!this.#isPattern || character !== ')') return false;
    this.#isPattern = false;
    return true;
  }

  /** Called after `;`. Returns true if `next` belongs to the same operator, as in `;;` and `;&`. */
  noteSemicolon(next: string): boolean {
    const isEnd = this.#cases > 0 && /^[;&]/.test(next);
    this.#isPattern ||= isEnd;
    return isEnd;
  }

  noteWord({ written }: ShellWord, before: SimpleCommand): void {
    if (!this.isScript) return;
    const isFirst = this.#areKeywords(before);
    if (written === ']]') this.isTest = false;
    else if (written === '[[') this.isTest ||= isFirst;
    else if (written === 'case' && isFirst) this.#cases += 1;
    else if (written === 'in' && before.at(-2)?.written === 'case') this.#isPattern = true;
    else if (written === 'esac' && before.length === 0 && this.#cases > 0) {
      this.#cases -= 1;
      this.#isPattern = false;
    }
  }

  /** Tests whether all words are keywords. The parser adds words to the same array until the command ends. */
  #areKeywords(words: SimpleCommand): boolean {
    if (words !== this.#command) this.#keywords = 0;
    this.#command = words;
    while (keywords.has(words[this.#keywords]?.written ?? '')) this.#keywords += 1;
    return this.#keywords === words.length;
  }
}
