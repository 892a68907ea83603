import { isPlainObject } from '@tenterhook/runtime/json';
import { describeValue, suggestName } from '@tenterhook/runtime/text';

/** Throws a TypeError for options that are not an object, and for an unknown one. A misspelt option would have no effect, and nobody would notice. */
export function requireOptions(caller: string, options: unknown, known: readonly string[]): void {
  if (!isPlainObject(options)) throw new TypeError(`${caller}: the options must be an object, and are ${describeValue(options)}.`);
  const unknown = Object.keys(options).find((option) => !known.includes(option));
  if (unknown === undefined) return;
  throw new TypeError(`${caller} has no option "${unknown}". ${suggestName(unknown, known, `Its options are ${known.join(', ')}.`)}`);
}
