import type { Message } from './message.js';

/** Line ends of some readers that JSON need not escape in texts: NEL, LINE SEPARATOR and PARAGRAPH SEPARATOR. */
const lineEnds = /[\u0085\u2028\u2029]/g;

/**
 * Writes a message as one line. It is one line for every reader, also for one that splits at more than line feeds: otherwise a text in a
 * message could be another message for it. Throws a RangeError if the message is nested too deeply to be written.
 */
export function formatLine(message: Message): string {
  const text = JSON.stringify(message);
  return `${text.replace(lineEnds, escapeUnit)}\n`;
}

/** What a line contains: its messages, or why it has none. A batch has several messages. */
export type ParsedLine = { readonly messages: readonly unknown[] } | { readonly problem: string };

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
  return { messages: Array.isArray(value) && value.length > 0 ? value : [value] };
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
