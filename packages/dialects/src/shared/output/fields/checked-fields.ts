import type { HookWarning } from '@tenterhook/protocol';
import { unusableValue } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import { formatValue } from '../../text.js';
import { booleanRemedy, keptFields, reportOtherSpellings, wrongType } from './printed-fields.js';

type Fields = Readonly<Record<string, unknown>>;

/** What the value of a field must be, and the remedy for any other value. */
export type FieldCheck = readonly [test: (value: unknown) => boolean, expected: string];

export const textCheck: FieldCheck = [(value) => typeof value === 'string', 'Write a string.'];
export const objectCheck: FieldCheck = [isPlainObject, 'Write an object.'];
export const flagCheck: FieldCheck = [(value) => typeof value === 'boolean', booleanRemedy];

export function wordCheck(...values: readonly string[]): FieldCheck {
  return [
    (value) => values.includes(value as string),
    `Write ${values.map((value) => JSON.stringify(value)).join(' or ')}, in lower case.`,
  ];
}

/**
 * Returns the known fields of a printed object. A field of the wrong type is left out, with a warning. A field with `null` counts as
 * missing. `path` is where the object is in the output, e.g. `hookSpecificOutput.`, or empty.
 */
export function checkedFields(
  printed: Fields,
  known: readonly string[],
  checkOf: (field: string) => FieldCheck,
  path: string,
  warnings: HookWarning[],
): Fields {
  const where = path === '' ? 'The output' : path.slice(0, -1);
  const isKnown = (field: string) => known.includes(field);
  const kept: Record<string, unknown> = {};
  for (const field of keptFields(printed, isKnown, where, warnings)) {
    if (!isKnown(field)) continue;
    const value = printed[field];
    const [test, remedy] = checkOf(field);
    const problem = unusableValue(`${path}${field}`, value);
    if (problem !== undefined) warnings.push(problem);
    else if (!test(value)) warnings.push(wrongType(`${path}${field}`, value, remedy));
    else kept[field] = value;
  }
  const said = reportOtherSpellings(printed, known, where, warnings);
  const unknown = Object.keys(printed).filter((field) => !isKnown(field) && !said.has(field) && printed[field] !== null);
  if (unknown.length > 0) warnings.push(unknownFields(unknown.map((field) => `${path}${field}`)));
  return kept;
}

function unknownFields(unknown: readonly string[]): HookWarning {
  const named = unknown.slice(0, 5).map(formatValue).join(', ');
  const more = unknown.length > 5 ? ` and ${unknown.length - 5} more` : '';
  return { code: 'reserved_field', message: `${named}${more}: unknown in this format; dropped.` };
}
