/**
 * The parser throws this error at syntax that it does not read, or that shells read differently. No part of the text is then used, because
 * a guard must not rely on the commands of half a text.
 */
export class Unreadable extends Error {}

/** How much of a text a pattern sees. Without a limit, each match could copy the rest of a long text. */
const lookAhead = 256;

/** A text that is parsed, and the position up to which it has been read. */
export class ShellText {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** The next character. Empty at the end. */
  get next(): string {
    return this.text[this.at] ?? '';
  }

  /** The character after the next one. Empty at the end. */
  get second(): string {
    return this.text[this.at + 1] ?? '';
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  /** Matches a pattern that begins with `^` at the current position. Skips nothing. */
  match(pattern: RegExp, most = lookAhead): string | undefined {
    return pattern.exec(this.text.slice(this.at, this.at + most))?.[0];
  }

  /** Skips the next character, which opens a quote or a brace. Returns the text up to the closing character, and skips both. */
  readUntil(closing: string): string {
    const end = this.text.indexOf(closing, this.at + 1);
    if (end === -1) throw new Unreadable();
    const content = this.text.slice(this.at + 1, end);
    this.at = end + 1;
    return content;
  }

  /** Returns the rest of the line, and skips it with its line break. */
  readLine(): string {
    const end = this.text.indexOf('\n', this.at);
    const line = this.text.slice(this.at, end === -1 ? undefined : end);
    this.at = end === -1 ? this.text.length : end + 1;
    return line;
  }

  /** Skips the rest of the line, but not its line break. */
  skipLine(): void {
    const end = this.text.indexOf('\n', this.at);
    this.at = end === -1 ? this.text.length : end;
  }

  /** Tests for `<(` and `>(`, which start a process. */
  get isAtProcess(): boolean {
    return this.startsWith('<(') || this.startsWith('>(');
  }
}
