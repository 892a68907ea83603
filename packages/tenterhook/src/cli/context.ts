import { escapeForTerminal } from '../output/escape.js';

/** Diagnostics go to stderr, so that stdout is the answer alone. */
export function say(message: string): void {
  process.stderr.write(`tenterhook: ${escapeForTerminal(message, 4000)}\n`);
}
