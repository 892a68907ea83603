import { type Closing, type ExpansionParser, type Part, unknown } from './expansion-parser.js';
import { type ShellText, Unreadable } from './shell-text.js';
import type { ShellWord } from './shell-word.js';

/** Parses words: their quotes are removed, and expansions with a known value are replaced. */
export class WordParser {
  readonly #from: ShellText;
  readonly #expansions: ExpansionParser;
  readonly #expand: ((written: string) => string | undefined) | undefined;

  constructor(from: ShellText, expansions: ExpansionParser, expand: ((written: string) => string | undefined) | undefined) {
    this.#from = from;
    this.#expansions = expansions;
    this.#expand = expand;
  }

  /** Parses the word at the current position. `closing` ends the list of commands with the word. */
  readWord(depth: number, closing: Closing): ShellWord {
    const from = this.#from;
    let text = '';
    /** The part of the word outside quotes. The shell expands patterns such as `*` only there. */
    let bare = '';
    let lastBare = '';
    let isOpen = false;
    const start = from.at;
    while (!from.isAtEnd) {
      const character = from.next;
      if (character === closing || ' \t\r\n;&|<>()'.includes(character)) break;
      if (character === '~' && this.#expand !== undefined && (bare === '' ? from.at === start : lastBare === '=' || lastBare === ':')) {
        const home = this.#readHome(this.#expand);
        text += home.text;
        isOpen ||= home.isOpen;
      } else if (character === "'") text += from.readUntil("'");
      else if (character === '"') {
        const quoted = this.#expansions.readQuoted(depth);
        text += quoted.text;
        isOpen ||= quoted.isOpen;
      } else if (character === '\\') {
        // This parser cannot read nested backquotes, so it rejects the line.
        if (closing === '`' && from.second === '`') throw new Unreadable();
        if (from.second !== '\n') text += from.second || '\\';
        from.at += 2;
      } else if (character === '`' || character === '$') {
        const open = this.#expansions.readExpansion(depth);
        text += open.text;
        // Outside quotes the shell splits the value of a variable at blanks, and expands `*` in the value to file names. If the
        // value contains one of these characters, the word is unknown.
        isOpen ||= open.isOpen || (open.isExpanded === true && !/^[^\s*?[\]\\]+$/.test(open.text));
      } else {
        text += character;
        bare += character;
        lastBare = character;
        from.at += 1;
      }
    }
    return { text, isOpen: isOpen || isExpanding(bare), written: from.text.slice(start, from.at) };
  }

  /** Parses `~`. The value of `~name`, the home directory of another user, is unknown. */
  #readHome(expand: (written: string) => string | undefined): Part {
    const name = this.#from.match(/^~[^\s/;&|<>():'"$`\\]*/) ?? '~';
    this.#from.at += name.length;
    const home = name === '~' ? expand(name) : undefined;
    return { text: home ?? unknown, isOpen: home === undefined };
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
