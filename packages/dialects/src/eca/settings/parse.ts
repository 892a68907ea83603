import type {
  CombinedSettings,
  DialectContext,
  HookDefinition,
  ParsedDocument,
  ParsedSettings,
  SettingsDocument,
} from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { Reporter } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';
import { ecaEvents } from '../input/event-table.js';
import { findMisplaced, misplacedHooks } from '../lint/misplaced.js';
import { repeatedKeys } from '../lint/repeated-keys.js';
import { parseHook } from './parse-hook.js';

/**
 * Reads the hooks of a settings document, and returns a definition for each action. Only "hooks" is read. Invalid parts are
 * reported and dropped, and the rest is kept.
 */
export function parse(document: SettingsDocument, context: DialectContext, dialect: string): ParsedDocument {
  const reporter = new Reporter(document, dialect);
  const { value } = document;
  if (!isPlainObject(value)) {
    const message = `The settings must be an object, and are ${formatValue(value)}.`;
    reporter.report('invalid_document', 'error', [], message, { remedy: 'Write { "hooks": { … } }.' });
    return { hooks: [], diagnostics: reporter.diagnostics, isUnusable: true };
  }
  const written = value['hooks'];
  if (written !== undefined && !isPlainObject(written)) {
    const message = `"hooks" must be an object, and is ${formatValue(written)}.`;
    const remedy = 'Write { "my-hook": { "type": "preToolCall", "actions": [ … ] } }.';
    reporter.report('invalid_document', 'error', ['hooks'], message, { remedy });
    return { hooks: [], diagnostics: reporter.diagnostics, isUnusable: true };
  }
  const parsing = { document, context, reporter, dialect };
  const hooks: HookDefinition[] = Object.entries(written ?? {}).flatMap(([key, hook]) => parseHook(key, hook, parsing));
  return { hooks: [...hooks, ...misplacedHooks(value, parsing)], diagnostics: reporter.diagnostics };
}

/**
 * Combines the hooks of all files. If two files have the same key, both hooks run. Otherwise a repository could replace a guard of
 * the user by a hook with the guard's key (decision 62).
 */
export function combine(parsed: readonly ParsedSettings[]): CombinedSettings {
  const hooks = parsed.flatMap((document) => document.hooks);
  return { hooks, off: [], diagnostics: repeatedKeys(hooks) };
}

/**
 * Returns an event for each object that has the form of a hook, even if its type is unknown. Otherwise a file with a misspelt type
 * could look like the file of another agent.
 */
export function eventsIn(value: unknown): string[] {
  if (!isPlainObject(value)) return [];
  const hooks = [...Object.values(isPlainObject(value['hooks']) ? value['hooks'] : {}), ...findMisplaced(value).map(({ hook }) => hook)];
  return hooks.flatMap((hook) => {
    if (!isPlainObject(hook) || typeof hook['type'] !== 'string') return [];
    return Object.hasOwn(ecaEvents, hook['type']) || Array.isArray(hook['actions']) ? [hook['type']] : [];
  });
}
