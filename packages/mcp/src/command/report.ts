import type { AdapterMessage } from '@tenterhook/agent/internal';
import { escapeForTerminal } from 'tenterhook';

/** The maximum number of characters of a message. */
const most = 2000;

/**
 * Writes to stderr, because stdout carries the protocol. Hooks and servers write the texts, so they are escaped: one message is one line, and
 * no text changes the terminal.
 */
export class Report {
  readonly #prefix: string;

  constructor(server: string) {
    this.#prefix = `tenterhook-mcp ${escapeForTerminal(server)}`;
  }

  readonly message = ({ text, eventName }: AdapterMessage): void => {
    for (const line of text.split('\n')) this.note(`${eventName}: ${line}`);
  };

  note(text: string): void {
    process.stderr.write(`${this.#prefix}: ${escapeForTerminal(text, most)}\n`);
  }
}
