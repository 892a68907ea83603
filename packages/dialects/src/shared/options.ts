import { isPlainObject } from '@tenterhook/runtime/json';
import { suggestName } from '@tenterhook/runtime/text';
import { isAbsolute } from './paths.js';
import { isText } from './text.js';

/**
 * Throws a TypeError if the options of a dialect are not an object, or if an option has an unknown name. Otherwise a misspelt
 * option would be ignored silently.
 */
export function requireKnownOptions(factory: string, options: unknown, names: readonly string[]): void {
  if (!isPlainObject(options)) throw new TypeError(`${factory}: the options must be an object or undefined.`);
  for (const option of Object.keys(options)) {
    if (names.includes(option)) continue;
    throw new TypeError(
      `${factory}: there is no option "${option}". ${suggestName(option, names, `Its options are ${names.join(', ')}.`)}`,
    );
  }
}

export function refuseOption(factory: string, option: string, expected: string): never {
  throw new TypeError(`${factory}: the option "${option}" must be ${expected}.`);
}

/** Tests whether an option is missing or an absolute path. */
export function isPathOption(value: unknown): value is string | undefined {
  return value === undefined || (isText(value) && isAbsolute(value));
}
