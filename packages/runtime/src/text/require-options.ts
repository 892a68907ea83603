import { hasFields } from '../json/plain-json.js';
import { describeValue } from './describe.js';
import { suggestName } from './nearest-name.js';

/** Throws a TypeError for options that are not an object, and for an unknown one. If it were ignored, a misspelt option would have no effect. */
export function requireOptions(caller: string, options: unknown, known: readonly string[]): void {
  if (!hasFields(options)) {
    throw new TypeError(`The options of ${caller} must be an object such as { ${known[0]} }, and are ${describeValue(options)}.`);
  }
  const unknown = Object.keys(options).find((option) => !known.includes(option));
  if (unknown === undefined) return;
  throw new TypeError(`${caller} has no option "${unknown}". ${suggestName(unknown, known, `Its options are ${known.join(', ')}.`)}`);
}
