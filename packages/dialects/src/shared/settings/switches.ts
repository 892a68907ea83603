import type { SettingsDocument, SwitchValue } from '@tenterhook/protocol';
import { isPlainObject, pathText } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import { formatValue } from '../text.js';
import type { DocumentPath, Reporter } from './reporter.js';

/** A setting of hooks in general, with its place. `written`: the value in the document, if `value` is not the same. */
export function switchAt<Value>(document: SettingsDocument, path: DocumentPath, value: Value, written?: unknown): SwitchValue<Value> {
  return { value, key: pathText(path), ...(written === undefined ? {} : { written }), ...document.locate(path) };
}

/** A document as a message names it. */
export function whereOf({ file, source }: { readonly file?: string; readonly source: string }): string {
  return file ?? `the settings "${source}"`;
}

export const disabledField = z.array(z.string()).describe('Names or commands of hooks that must not run.');

/** The list under `hooksConfig.disabled`. Entries that are not texts are reported and dropped. */
export function readDisabled(
  settings: Readonly<Record<string, unknown>>,
  document: SettingsDocument,
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
  const names = Array.isArray(disabled) ? disabled.filter((entry) => typeof entry === 'string') : [];
  return names.length === 0 ? {} : { disabled: switchAt(document, path, names) };
}
