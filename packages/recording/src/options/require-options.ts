import { isPlainObject } from '@tenterhook/runtime/json';
import { describeValue, suggestName } from '@tenterhook/runtime/text';

/** Tests whether a value is an object with fields. A `Map` has none, so its entries would be ignored. */
export function hasFields(value: unknown): value is object {
  return isPlainObject(value) && !(Symbol.iterator in value);
}

/** Throws a TypeError for a value that is not a recording, for example a path, a recorder, or a promise that was not awaited. */
export function requireRecording(caller: string, value: unknown): void {
  if (isPlainObject(value) && isPlainObject(value['header']) && Array.isArray(value['exchanges'])) return;
  const what = value instanceof Promise ? 'a promise: await it' : describeValue(value);
  throw new TypeError(`${caller}: the recording must be what readRecording(file) or recorder.recording() resolves to, and is ${what}.`);
}

/** Throws a TypeError for options that are not an object, and for an unknown one. If it were ignored, a misspelt option would have no effect. */
export function requireOptions(caller: string, options: unknown, known: readonly string[]): void {
  if (!hasFields(options)) throw new TypeError(`${caller}: the options must be an object, and are ${describeValue(options)}.`);
  const unknown = Object.keys(options).find((option) => !known.includes(option));
  if (unknown === undefined) return;
  throw new TypeError(`${caller} has no option "${unknown}". ${suggestName(unknown, known, `Its options are ${known.join(', ')}.`)}`);
}
