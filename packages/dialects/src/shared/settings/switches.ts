import type { Diagnostic, HookDefinition, ParsedSettings } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import { formatValue } from '../text.js';
import type { Reporter } from './reporter.js';

/** The levels whose switches apply to a level without its own, nearest first. A project's never apply to another level (decision 25). */
export const levelsAbove: Readonly<Record<string, readonly string[]>> = {
  project: ['user', 'system'],
  user: ['system'],
  extension: ['user', 'system', 'settings'],
};

/** `extension:x` is an extension, `settings:2` are settings. */
export function levelOf(source: string): string {
  return source.split(':')[0] as string;
}

/** Settings that were passed to `createHooks` or named on the command line. */
export function isGiven(source: string): boolean {
  return levelOf(source) === 'settings';
}

/** The value of the first of these sources or levels that has one, and the document it is from, for messages. */
export function wordOf<Value>(
  speakers: readonly string[],
  all: readonly ParsedSettings[],
  says: (document: ParsedSettings) => Value | undefined,
): { readonly value: Value; readonly where: string } | undefined {
  for (const source of speakers) {
    for (const document of all) {
      if (document.source !== source && levelOf(document.source) !== source) continue;
      const value = says(document);
      if (value !== undefined) return { value, where: whereOf(document) };
    }
  }
  return undefined;
}

/** A document as a message names it. */
export function whereOf({ file, source }: { readonly file?: string; readonly source: string }): string {
  return file ?? `the settings "${source}"`;
}

export const disabledField = z.array(z.string()).describe('Names or commands of hooks that must not run.');

/** The list under `hooksConfig.disabled`. Entries that are not texts are reported and dropped. */
export function readDisabled(settings: Readonly<Record<string, unknown>>, reporter: Reporter): readonly string[] {
  const { hooksConfig } = settings;
  const disabled = isPlainObject(hooksConfig) ? hooksConfig['disabled'] : undefined;
  if (disabled !== undefined && !disabledField.safeParse(disabled).success) {
    const message = `"disabled" must be an array of names or commands, and is ${formatValue(disabled)}; entries that are not strings are ignored.`;
    reporter.report('invalid_field', 'error', ['hooksConfig', 'disabled'], message, { remedy: 'Write "disabled": ["name"].' });
  }
  return Array.isArray(disabled) ? disabled.filter((entry) => typeof entry === 'string') : [];
}

export interface DisablingRules {
  /** The list of a document. */
  disabledBy(document: ParsedSettings): readonly string[];
  /** Whether the list of one source applies to the hooks of another. */
  mayDisable(speaker: string, owner: string): boolean;
}

/** The hook marked as disabled, if a list that may do so names it, else undefined. A list that names it but may not is reported. */
export function disabledHook(
  hook: HookDefinition,
  all: readonly ParsedSettings[],
  diagnostics: Diagnostic[],
  rules: DisablingRules,
): HookDefinition | undefined {
  // An invalid guard that denies can be switched off like one that works.
  const isOff = hook.skip !== undefined && !(hook.skip.skipReason === 'invalid' && hook.onError === 'block');
  if (isOff || hook.action.kind !== 'command') return undefined;
  const { command } = hook.action;
  for (const document of all) {
    const entry = rules.disabledBy(document).find((name) => name === hook.name || name === command);
    if (entry === undefined) continue;
    const where = whereOf(document);
    if (rules.mayDisable(document.source, hook.source)) {
      return { ...hook, skip: { skipReason: 'disabled', reason: `${formatValue(entry)} is listed in hooksConfig.disabled of ${where}.` } };
    }
    diagnostics.push({
      code: 'foreign_disable',
      severity: 'warning',
      message: `hooksConfig.disabled of ${where} names ${formatValue(entry)}, a hook of the source "${hook.source}", which it may not switch off; the hook runs.`,
      remedy: `Disable it where it is configured${hook.file === undefined ? '' : `, in ${hook.file}`}.`,
      ...(document.file === undefined ? {} : { file: document.file }),
      path: 'hooksConfig.disabled',
      source: document.source,
      dialect: hook.dialect,
      eventName: hook.eventName,
      hookId: hook.id,
    });
  }
  return undefined;
}
