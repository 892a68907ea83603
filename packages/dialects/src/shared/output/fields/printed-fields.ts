import type { HookWarning } from '@tenterhook/protocol';
import { formatValue } from '../../text.js';

/** Checks the value of a field. Every zod schema has this interface. */
export interface FieldSchema {
  safeParse(value: unknown): { success: boolean };
}

/** The maximum number of unknown fields of an object that are kept. A hook that prints more fields has a bug. */
const maxUnknownFields = 1000;

/** Returns the fields to read: all known fields, and the first thousand unknown fields. A field with `null` counts as missing. */
export function keptFields(
  printed: Readonly<Record<string, unknown>>,
  isKnown: (field: string) => boolean,
  where: string,
  warnings: HookWarning[],
): string[] {
  let unknown = 0;
  const kept = Object.keys(printed).filter((field) => {
    if (isKnown(field)) return printed[field] !== null;
    if (unknown <= maxUnknownFields && printed[field] === null) return false;
    unknown += 1;
    return unknown <= maxUnknownFields;
  });
  if (unknown > maxUnknownFields) {
    const message = `${where} has ${unknown} fields that are unknown in this format; only the first ${maxUnknownFields} are kept.`;
    warnings.push({ code: 'too_many_fields', message });
  }
  return kept;
}

/** Defines a field. An assignment was rejected: a printed field named `__proto__` would set the prototype. */
export function define(target: Record<string, unknown>, field: string, value: unknown): void {
  Object.defineProperty(target, field, { value, enumerable: true, writable: true, configurable: true });
}

/** Returns the warning for a field of the wrong type. `remedy` is a sentence that says what to write instead. */
export function wrongType(path: string, value: unknown, remedy = ''): HookWarning {
  const what = `${path} has an invalid value: ${formatValue(value)}; it was dropped.`;
  return { code: 'wrong_type', message: remedy === '' ? what : `${what} ${remedy}` };
}

export const booleanRemedy = 'Write true or false, without quotes.';

/** No known field is longer. */
const maxLength = 64;

/**
 * Adds a warning for each field that is a known field in another spelling, e.g. `Decision`, `toolInput`. The value of such a field
 * is not used, because a decision must not depend on a guess. Any other field with a similar name is only an unknown field
 * (decision 7). Returns the reported fields.
 */
export function reportOtherSpellings(
  printed: Readonly<Record<string, unknown>>,
  known: readonly string[],
  where: string,
  warnings: HookWarning[],
): ReadonlySet<string> {
  const said = new Set<string>();
  const meant = new Map(known.map((name) => [letters(name), name]));
  for (const [field, value] of Object.entries(printed)) {
    const name = field.length > maxLength ? undefined : meant.get(letters(field));
    if (name === undefined || name === field || value === null) continue;
    warnings.push({ code: 'other_spelling', message: `${where} has a field ${formatValue(field)}, which has no effect. Write "${name}".` });
    said.add(field);
  }
  return said;
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}
