import type { Diagnostic, HookDefinition, ParsedSettings } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined, pathText } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import { nearestName } from '@tenterhook/runtime/text';
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
): { readonly value: Value; readonly where: string; readonly document: ParsedSettings } | undefined {
  for (const source of speakers) {
    for (const document of all) {
      if (document.source !== source && levelOf(document.source) !== source) continue;
      const value = says(document);
      if (value !== undefined) return { value, where: whereOf(document), document };
    }
  }
  return undefined;
}

/** A document as a message names it. */
export function whereOf({ file, source }: { readonly file?: string; readonly source: string }): string {
  return file ?? `the settings "${source}"`;
}

export const disabledField = z.array(z.string()).describe('Names or commands of hooks that must not run.');

/** The list under `hooksConfig.disabled`. An entry that is not a text is reported, and is an empty text, so that the others keep their places. */
export function readDisabled(settings: Readonly<Record<string, unknown>>, reporter: Reporter): readonly string[] {
  const { hooksConfig } = settings;
  const disabled = isPlainObject(hooksConfig) ? hooksConfig['disabled'] : undefined;
  if (disabled !== undefined && !disabledField.safeParse(disabled).success) {
    const message = `"disabled" must be an array of names or commands, and is ${formatValue(disabled)}; entries that are not strings are ignored.`;
    reporter.report('invalid_field', 'error', ['hooksConfig', 'disabled'], message, { remedy: 'Write "disabled": ["name"].' });
  }
  return Array.isArray(disabled) ? disabled.map((entry) => (typeof entry === 'string' ? entry : '')) : [];
}

export interface DisablingRules {
  /** The list of a document. */
  disabledBy(document: ParsedSettings): readonly string[];
  /** Whether the list of one source applies to the hooks of another. */
  mayDisable(speaker: string, owner: string): boolean;
}

/** The hook marked as disabled, if a list that may do so names it, else undefined. Both are reported: a list that names it, and one that may not. */
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
    const index = rules.disabledBy(document).findIndex((name) => name !== '' && (name === hook.name || name === command));
    if (index === -1) continue;
    const entry = formatValue(rules.disabledBy(document)[index]);
    const path = ['hooksConfig', 'disabled', index];
    const place = document.locate?.(path);
    const where = document.file === undefined || place === undefined ? whereOf(document) : `${document.file}:${place.line}`;
    const about = {
      ...omitUndefined({ file: document.file }),
      ...place,
      path: pathText(path),
      source: document.source,
      dialect: hook.dialect,
      eventName: hook.eventName,
      hookId: hook.id,
    };
    if (rules.mayDisable(document.source, hook.source)) {
      const configured =
        hook.file === undefined ? '' : `, configured in ${[hook.file, hook.line].filter((part) => part !== undefined).join(':')},`;
      diagnostics.push({
        code: 'disabled_hook',
        severity: 'note',
        message: `The list names ${entry}: the hook on ${hook.dialectEvent}${configured} does not run.`,
        remedy: 'Remove the entry to run it.',
        ...about,
      });
      return { ...hook, skip: { skipReason: 'disabled', reason: `${entry} is listed in hooksConfig.disabled of ${where}.` } };
    }
    diagnostics.push({
      code: 'foreign_disable',
      severity: 'warning',
      message: `hooksConfig.disabled of ${where} names ${entry}, a hook of the source "${hook.source}", which it may not switch off; the hook runs.`,
      remedy: `Disable it where it is configured${hook.file === undefined ? '' : `, in ${hook.file}`}.`,
      ...about,
    });
  }
  return undefined;
}

/** So many entries and names are compared: no person writes more by hand, and settings must not cost quadratic time. */
const comparedNames = 200;

/** Reports entries that name no hook, but nearly one: its author believes that the hook is disabled. Other entries may be for hooks of other projects. */
export function misspelledEntries(all: readonly ParsedSettings[], disabledBy: DisablingRules['disabledBy']): Diagnostic[] {
  const hooks = all.flatMap((document) => document.hooks);
  const names = [...new Set(hooks.flatMap(({ name }) => name ?? []))].slice(0, comparedNames);
  const known = new Set<string>(hooks.flatMap(({ name, action }) => [name ?? '', action.kind === 'command' ? action.command : '']));
  return all.flatMap((document) =>
    disabledBy(document)
      .slice(0, comparedNames)
      .flatMap((entry, index): Diagnostic[] => {
        const nearest = entry === '' || known.has(entry) ? undefined : nearestName(entry, names);
        if (nearest === undefined) return [];
        const path = ['hooksConfig', 'disabled', index];
        return [
          {
            code: 'unknown_hook',
            severity: 'warning',
            message: `The list names ${formatValue(entry)}, and no hook has that name or command; it disables nothing.`,
            remedy: `Did you mean ${formatValue(nearest)}?`,
            ...omitUndefined({ file: document.file, dialect: hooks[0]?.dialect }),
            ...document.locate?.(path),
            path: pathText(path),
            source: document.source,
          },
        ];
      }),
  );
}
