import type { SwitchValue } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import { formatValue } from '../text.js';
import type { Reporter } from './reporter.js';

/** Returns the name of a document in messages: its file, or else its source. */
export function whereOf({ file, source }: { readonly file?: string; readonly source: string }): string {
  return file ?? `the settings "${source}"`;
}

export const disabledField = z.array(z.string()).describe('Names or commands of hooks that must not run.');

/**
 * Reads the list under `hooksConfig.disabled`. An entry that is not a string is reported and replaced by `''`, so that the other
 * entries keep their index.
 */
export function readDisabled(
  settings: Readonly<Record<string, unknown>>,
  reporter: Reporter,
): { disabled?: SwitchValue<readonly string[]> } {
  const { hooksConfig } = settings;
  const disabled = isPlainObject(hooksConfig) ? hooksConfig['disabled'] : undefined;
  if (disabled === undefined) return {};
  const path = ['hooksConfig', 'disabled'];
  if (!disabledField.safeParse(disabled).success) {
    const message = `"disabled" must be an array of names or commands, and is ${formatValue(disabled)}; entries that are not strings are ignored.`;
    reporter.report('invalid_field', 'error', path, message, { remedy: 'Write "disabled": ["name"].' });
  }
  return Array.isArray(disabled) ? { disabled: { value: disabled.map((entry) => (typeof entry === 'string' ? entry : '')), path } } : {};
}
