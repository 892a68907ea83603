import type { HookWarning } from '@tenterhook/protocol';
import { formatValue } from '../text.js';

/** What a field takes; any schema of zod is one. */
export interface FieldSchema {
  safeParse(value: unknown): { success: boolean };
}

/** How many fields that the format does not know pass through on each level: more is a program gone wrong, and all later code walks over them. */
const maxUnknownFields = 1000;

/**
 * The fields that are looked at: every known one wherever it stands, and of the others the first thousand. `null` is a way of saying nothing;
 * a field that holds it is none.
 */
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
    const message = `${where} has ${unknown} fields that the format does not know; the first ${maxUnknownFields} are kept, the others were dropped.`;
    warnings.push({ code: 'too_many_fields', message });
  }
  return kept;
}

/** Not by assignment: a printed `__proto__` must become a field and never a prototype. */
export function define(target: Record<string, unknown>, field: string, value: unknown): void {
  Object.defineProperty(target, field, { value, enumerable: true, writable: true, configurable: true });
}

/** `remedy`: what to write instead, a sentence. */
export function wrongType(path: string, value: unknown, remedy = ''): HookWarning {
  const what = `${path} is ${formatValue(value)}, which is not what this field takes; it was dropped.`;
  return { code: 'wrong_type', message: remedy === '' ? what : `${what} ${remedy}` };
}

/** What nearly everybody gets wrong about a switch. */
export const booleanRemedy = 'Write true or false, without quotes.';

/** The longest name that is compared; a longer one is no spelling of a known field. */
const maxLength = 64;

/**
 * Adds a warning for each field that is a known one in other letters (`Decision`, `toolInput`, `stop_reason`). It is not read as that
 * one: what is a decision must not depend on a guess. Names that are merely similar pass, as unknown fields do (decision 7). Returns the
 * fields that it spoke of.
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
