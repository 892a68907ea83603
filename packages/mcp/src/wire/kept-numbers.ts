import { randomUUID } from 'node:crypto';
import { isPlainObject } from '@tenterhook/runtime/json';
import { hasExactNumbers, isUnambiguous, textAt } from './json-text.js';
import type { Message } from './message.js';

/** A number in a message that JavaScript has rounded, and its digits. */
export interface KeptNumber {
  readonly path: readonly string[];
  readonly text: string;
}

/** The numbers by which both sides find a message, and which no hook receives. */
const paths = [['id'], ['params', '_meta', 'progressToken']] as const;

/** Returns the digits of a number at this path of a JSON text. Undefined if JavaScript reads the number with its exact value. */
export function digitsAt(text: string, path: readonly string[]): string | undefined {
  const digits = textAt(text, path);
  return digits !== undefined && /^[-\d]/.test(digits) && !hasExactNumbers(digits) ? digits : undefined;
}

/** Returns the rounded numbers of a line that are still in the message that was made of it. */
export function keptNumbers(message: Message, source: { readonly message: unknown; readonly text: string } | undefined): KeptNumber[] {
  if (source === undefined || hasExactNumbers(source.text) || !isUnambiguous(source.text)) return [];
  return paths.flatMap((path) => {
    const value = valueAt(message, path);
    const text = typeof value === 'number' && value === valueAt(source.message, path) ? digitsAt(source.text, path) : undefined;
    return text === undefined ? [] : [{ path, text }];
  });
}

/** Writes a message as JSON with the digits of these numbers. */
export function writeWithNumbers(message: Message, numbers: readonly KeptNumber[]): string {
  let marked: unknown = message;
  const digits = new Map<string, string>();
  for (const { path, text } of numbers) {
    // JSON.stringify of Node 20 cannot write digits, so a text that occurs nowhere else holds their place.
    const mark = randomUUID();
    digits.set(JSON.stringify(mark), text);
    marked = withValue(marked, path, mark);
  }
  let line = JSON.stringify(marked);
  for (const [mark, text] of digits) line = line.replace(mark, () => text);
  return line;
}

function valueAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  return isPlainObject(value) && Object.hasOwn(value, key) ? valueAt(value[key], rest) : undefined;
}

function withValue(value: unknown, [key, ...rest]: readonly string[], replacement: unknown): unknown {
  if (key === undefined) return replacement;
  return isPlainObject(value) ? { ...value, [key]: withValue(value[key], rest, replacement) } : value;
}
