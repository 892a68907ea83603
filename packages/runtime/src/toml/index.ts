// The only module that imports smol-toml.
import { parse, stringify, TomlDate, TomlError } from 'smol-toml';

/** A TOML document as plain JSON, or why the text is not TOML. Line and column begin at 1. */
export type ReadToml =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: { readonly message: string; readonly line: number; readonly column: number } };

/**
 * Parses TOML. Dates become texts, and an integer that is too large becomes the nearest number. Throws a RangeError only if the stack
 * overflows.
 */
export function readToml(text: string): ReadToml {
  try {
    return { ok: true, value: toPlain(parse(text, { integersAsBigInt: 'asNeeded' })) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { message, line, column } = error;
    // The message ends with lines of the document, which may contain secrets.
    const [what = ''] = message.replace(/^Invalid TOML document: /, '').split('\n');
    return { ok: false, error: { message: what, line, column } };
  }
}

function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== 'object' || value === null) return value;
  // Built from entries, because an assignment to a key `__proto__` would set the prototype.
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toPlain(inner)]));
}

/** Writes an object as TOML, without empty lines. A list of objects becomes an array of tables. */
export function writeToml(value: Readonly<Record<string, unknown>>): string {
  return stringify(value).replaceAll('\n\n', '\n');
}

export { type TomlTable, tomlPlaces, tomlTables } from './places.js';
