import { hookOutputSchema } from '@tenterhook/protocol/internal';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import type { ReadOutput } from '../answer-format.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a printed object without fields that only repeat something. `received` is what the hook read on stdin.
 * - A field of stdin is left out, because some hooks print their input again.
 * - A field of an object on stdin, such as `tool_input`, is left out only if this removes nothing but warnings about unknown
 *   fields.
 * - A text that is also in `hookSpecificOutput` is left out on the same condition.
 *
 * The condition protects the answer of a guard. The model writes the arguments of a tool, so it can put a copy of the guard's
 * answer into them. The answer must not get lost.
 */
export function readWithoutRepeats(object: Fields, received: Fields, read: (fields: Fields) => ReadOutput): ReadOutput {
  const said = without(object, (field) => isIn(received, field, object[field]));
  const all = read(said);
  const rest = without(said, isAtHand(said, received));
  if (rest === said) return all;
  const quiet = read(rest);
  return isSameJson(effects(all), effects(quiet)) ? quiet : all;
}

/**
 * Leaves out the fields for which `fits` returns true. A field that can be an answer is kept, because the hook may mean it as an
 * answer. If nothing is left out, returns the object itself.
 */
function without(object: Fields, fits: (field: string) => boolean): Fields {
  const fitting = new Set(Object.keys(object).filter((field) => !Object.hasOwn(hookOutputSchema.shape, field) && fits(field)));
  return fitting.size === 0 ? object : Object.fromEntries(Object.entries(object).filter(([field]) => !fitting.has(field)));
}

/**
 * Returns a test whether a field is in an object on stdin, or its text is in `hookSpecificOutput` too. A hook for several agents prints a
 * text once for each agent, e.g. as `additional_context` and as `additionalContext`.
 */
function isAtHand(said: Fields, received: Fields): (field: string) => boolean {
  const { hookSpecificOutput } = said;
  const texts = new Set(isPlainObject(hookSpecificOutput) ? Object.values(hookSpecificOutput) : []);
  const sources = Object.values(received).filter(isPlainObject);
  return (field) => {
    const value = said[field];
    return (typeof value === 'string' && texts.has(value)) || sources.some((source) => isIn(source, field, value));
  };
}

function isIn(source: Fields, field: string, value: unknown): boolean {
  return Object.hasOwn(source, field) && isSameJson(value, source[field]);
}

function effects({ output, warnings }: ReadOutput): ReadOutput {
  return { output, warnings: warnings.filter(({ code }) => code !== 'reserved_field') };
}
