import { hasExactNumbers, isUnambiguous, textAt } from './json-text.js';
import { type KeptNumber, writeWithNumbers } from './kept-numbers.js';
import type { Message } from './message.js';

/** Line ends of some readers that JSON need not escape in texts: NEL, LINE SEPARATOR and PARAGRAPH SEPARATOR. */
const lineEnds = /[\u0085\u2028\u2029]/g;

/**
 * Writes a message as one line. It is one line for every reader, also for one that splits at more than line feeds: otherwise a text in a
 * message could be another message for it. `numbers` are written with their digits. Throws a RangeError if the message is nested too deeply to
 * be written.
 */
export function formatLine(message: Message, numbers: readonly KeptNumber[] = []): string {
  const text = writeWithNumbers(message, numbers);
  return `${text.replace(lineEnds, escapeUnit)}\n`;
}

/** A message, and the line from which it was read. */
export interface Source {
  readonly message: unknown;
  readonly text: string;
}

/**
 * Returns the line from which a message was read, if it can be passed on as it is: it keeps numbers that JavaScript cannot represent. Undefined
 * if the message was changed, and if two readers could find different things in the line. A hook that was shown the message (`isShown`) is
 * such a reader: it received the numbers of arguments and results as JavaScript represents them.
 */
export function originalLine(message: Message, source: Source | undefined, isShown = false): string | undefined {
  if (source === undefined || source.message !== message || !isUnambiguous(source.text)) return undefined;
  if (isShown && !shownParts.every((path) => hasExactNumbers(textAt(source.text, path) ?? ''))) return undefined;
  // A carriage return is only possible between the parts of the message.
  return `${source.text.replace(lineEnds, escapeUnit).replaceAll('\r', ' ').trim()}\n`;
}

/** The parts of a message that hooks receive. */
const shownParts = [['params', 'arguments'], ['result'], ['error']] as const;

/** What a line contains: its messages, or why it has none. A batch has several messages, and only another line has a source. */
export type ParsedLine = { readonly messages: readonly unknown[]; readonly source?: Source } | { readonly problem: string };

/** The maximum number of messages in a batch. The answers to a long line of tiny messages would fill our memory. */
const mostInBatch = 10_000;

/** Parses a line. Of keys that occur twice, the last one counts. */
export function parseLine(text: string): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: (error as Error).message };
  }
  if (Array.isArray(value) && value.length > mostInBatch) return { problem: `a batch has more than ${mostInBatch} messages` };
  if (Array.isArray(value) && value.length > 0) return { messages: value };
  return { messages: [value], source: { message: value, text } };
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
