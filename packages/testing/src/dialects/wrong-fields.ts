import { canonicalOutputSchema, eventEntry, type HookEventName, hookOutputSchema } from '@tenterhook/protocol';
import type { Printed } from './printed.js';

/** One of each type of JSON. None is a decision, and false is not among them, because that is a word of its own: it stops. */
export const wrongValues: readonly unknown[] = [null, 0, 'x', [], {}, true];

/** Objects with every known field at once. */
export function allFieldsWrong(eventName: HookEventName, fields: readonly string[] = []): Printed[] {
  const paths = pathsOf(eventName, fields);
  return wrongValues.flatMap((value) => [
    printed('every field', Object.fromEntries(paths.filter((path) => path.length === 1).map(([field]) => [field, value]))),
    printed('every field of hookSpecificOutput', {
      hookSpecificOutput: Object.fromEntries(paths.flatMap(([, field]) => (field === undefined ? [] : [[field, value]]))),
    }),
  ]);
}

/** Deeper than anything that a hook means, as an object, which is the right type for some fields. */
const deepValue = `${'{"x":'.repeat(3000)}7${'}'.repeat(3000)}`;

/** Every known field with each type that it may not have, of some it is the right one, and with a value that is nested deeply. */
export function wrongFields(eventName: HookEventName, fields: readonly string[] = []): Printed[] {
  const alone = pathsOf(eventName, fields).flatMap((path) => {
    const deep = JSON.stringify(nested(path, 'deep')).replace('"deep"', deepValue);
    return [
      ...wrongValues.map((value) => printed(path.join('.'), nested(path, value))),
      { what: `${path.join('.')} nested 3000 deep`, stdout: deep, says: 'odd' as const },
    ];
  });
  return [...alone, ...allFieldsWrong(eventName, fields)];
}

function nested(path: readonly string[], value: unknown): object {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;
}

function pathsOf(eventName: HookEventName, fields: readonly string[]): string[][] {
  const specific = [...Object.keys(eventEntry(eventName).specificOutput.shape), ...Object.keys(canonicalOutputSchema.shape)];
  const canonical = [...Object.keys(hookOutputSchema.shape), ...specific.map((field) => `hookSpecificOutput.${field}`)];
  return [...new Set([...canonical, ...fields])].map((path) => path.split('.'));
}

function printed(what: string, object: object): Printed {
  const stdout = JSON.stringify(object);
  return { what: `${what} in ${stdout.slice(0, 80)}`, stdout, says: 'odd' };
}
