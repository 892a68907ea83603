import { hookOutputSchema } from '@tenterhook/protocol/internal';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import type { ReadOutput } from './answer-format.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a printed object without fields that only repeat something. `received` is what the hook read on stdin.
 * - A field of stdin is left out, because some hooks print their input again.
 * - A field of an object on stdin, such as `tool_input`, is left out if this removes only warnings about unknown fields.
 * - A text that is also in `hookSpecificOutput` is left out on the same condition.
 * The condition protects the answer of a guard. The model writes the arguments of a tool, so it can put a copy of this answer into them.
 * The answer must not get lost.
 */
export function readWithoutRepeats(object: Fields, received: Fields, read: (fields: Fields) => ReadOutput): ReadOutput {
  const said = without(object, (field) => isIn(received, field, object[field]));
  const all = read(said);
  const rest = without(said, (field) => isAtHand(said, field, received));
  if (rest === said) return all;
  const quiet = read(rest);
  return isSameJson(effects(all), effects(quiet)) ? quiet : all;
}

/**
 * Leaves out the fields for which `fits` returns true. Keeps a field that can be an answer, because the hook may mean it as an answer.
 * Returns the object itself if nothing is left out.
 */
function without(object: Fields, fits: (field: string) => boolean): Fields {
  const fitting = new Set(Object.keys(object).filter((field) => !Object.hasOwn(hookOutputSchema.shape, field) && fits(field)));
  return fitting.size === 0 ? object : Object.fromEntries(Object.entries(object).filter(([field]) => !fitting.has(field)));
}

/**
 * Tests whether a field is in an object on stdin, or its text is in `hookSpecificOutput` too. A hook for several agents prints a text once
 * for each agent, such as `additional_context` and `additionalContext`.
 */
function isAtHand({ hookSpecificOutput, ...said }: Fields, field: string, received: Fields): boolean {
  const value = said[field];
  const texts = isPlainObject(hookSpecificOutput) ? Object.values(hookSpecificOutput) : [];
  if (typeof value === 'string' && texts.includes(value)) return true;
  return Object.values(received).some((source) => isPlainObject(source) && isIn(source, field, value));
}

function isIn(source: Fields, field: string, value: unknown): boolean {
  return Object.hasOwn(source, field) && isSameJson(value, source[field]);
}

function effects({ output, warnings }: ReadOutput): ReadOutput {
  return { output, warnings: warnings.filter(({ code }) => code !== 'reserved_field') };
}
