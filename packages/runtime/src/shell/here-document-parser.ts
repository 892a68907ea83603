import type { Closing } from './expansion-parser.js';
import { type ShellText, Unreadable } from './shell-text.js';
import type { HereDocument } from './shell-word.js';
import type { WordParser } from './word-parser.js';

/** A here-document whose text has not been read yet. The text ends at a line that equals the delimiter. */
interface Pending {
  readonly delimiter: string;
  /** Whether the shell expands variables and runs commands in the text. */
  readonly isOpen: boolean;
  readonly withoutTabs: boolean;
}

/** Parses here-documents: first the delimiters after `<<`, then the texts that begin on the next line. */
export class HereDocumentParser {
  readonly documents: HereDocument[] = [];
  /** Whether the shell replaces variables in one of the texts. */
  hasExpansion = false;
  readonly #from: ShellText;
  readonly #words: WordParser;
  /** Set at the first here-document, because a line may have thousands. */
  #hasCarriageReturn: boolean | undefined;
  /** The here-documents that began on the current line, in order. */
  #pending: Pending[] = [];

  constructor(from: ShellText, words: WordParser) {
    this.#from = from;
    this.#words = words;
  }

  /** Whether the text of a here-document has not begun yet. */
  get isPending(): boolean {
    return this.#pending.length > 0;
  }

  get isAtOperator(): boolean {
    return this.#from.startsWith('<<') && !this.#from.startsWith('<<<');
  }

  /** Reads `<<` and the delimiter. */
  readOperator(depth: number, closing: Closing): void {
    const from = this.#from;
    const withoutTabs = from.text[from.at + 2] === '-';
    from.at += withoutTabs ? 3 : 2;
    while (from.next === ' ' || from.next === '\t') from.at += 1;
    const { text, written } = this.#words.readWord(depth, closing);
    const isQuoted = /['"]/.test(written);
    // Only plain words and quoted words are read. For other delimiters, shells disagree about where the here-document ends.
    this.#hasCarriageReturn ??= from.text.includes('\r');
    if (!/^(?:\w+|'\w+'|"\w+")$/.test(written) || this.#hasCarriageReturn) throw new Unreadable();
    this.#pending.push({ delimiter: text, isOpen: !isQuoted, withoutTabs });
  }

  /** Reads the texts. Called after the line break that ends the line with the delimiters. */
  readTexts(): void {
    for (const { delimiter, isOpen, withoutTabs } of this.#pending.splice(0)) {
      const lines: string[] = [];
      for (;;) {
        if (this.#from.isAtEnd) throw new Unreadable();
        const line = this.#from.readLine();
        const content = withoutTabs ? line.replace(/^\t+/, '') : line;
        if (content === delimiter) break;
        lines.push(content);
        // The shell would run the command in this here-document, but this parser does not read it. So the line is rejected.
        if (isOpen && /`|\$\(|\\$/.test(line)) throw new Unreadable();
        if (isOpen && line.includes('$')) this.hasExpansion = true;
      }
      const text = lines.join('\n');
      this.documents.push({ text, isOpen: isOpen && text.includes('$') });
    }
  }
}
