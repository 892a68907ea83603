import { type HookDefinition, isHookEventName, isPlainObject, type ParsedDocument, type SettingsDocument } from '@tenterhook/protocol';
import { remedyForEvent } from '../events/known-event.js';
import { Reporter } from '../settings/reporter.js';
import { shown } from '../shown.js';
import { misplacedHooks } from './misplaced-hooks.js';
import { isSwitchUnderHooks, reportMisplacedSwitches } from './misplaced-switches.js';
import { parseGroups } from './parse-group.js';
import { hasUnusableSwitch, readSwitches } from './switches.js';

/** Settings to hooks. A bad part is dropped with a diagnostic that has file, line, path and remedy; its siblings stay. */
export function parse(document: SettingsDocument, dialect: string): ParsedDocument {
  const reporter = new Reporter(document, dialect);
  if (!isPlainObject(document.value)) {
    reporter.report('invalid_document', 'error', [], `The settings are ${shown(document.value)} and not an object.`, {
      remedy: 'Write { "hooks": { … } }.',
    });
    return { hooks: [], diagnostics: reporter.diagnostics, isUnusable: true };
  }
  const data = readSwitches(document.value, reporter);
  reportMisplacedSwitches(document.value, reporter);
  const hooks = parseEvents(document.value['hooks'], document, reporter, dialect);
  const all = [...hooks, ...misplacedHooks(document, reporter, dialect)];
  return { hooks: all, diagnostics: reporter.diagnostics, data, isUnusable: isUnusable(document.value) };
}

/** What is wrong with more than a hook or a group: nobody who means to change hooks leaves the document so. */
function isUnusable(settings: Readonly<Record<string, unknown>>): boolean {
  const { hooks } = settings;
  if (hasUnusableSwitch(settings)) return true;
  if (!isPlainObject(hooks)) return hooks !== undefined;
  return Object.entries(hooks).some(([key, groups]) => isHookEventName(key) && !Array.isArray(groups));
}

function parseEvents(hooks: unknown, document: SettingsDocument, reporter: Reporter, dialect: string): HookDefinition[] {
  if (hooks === undefined) return [];
  if (!isPlainObject(hooks)) {
    reporter.report('invalid_document', 'error', ['hooks'], `"hooks" is ${shown(hooks)} and not an object.`, {
      remedy: 'Write { "BeforeTool": [ … ] }.',
    });
    return [];
  }
  return Object.entries(hooks).flatMap(([key, groups]) => {
    if (isHookEventName(key)) return parseGroups(groups, { eventName: key, document, reporter, dialect });
    // These are told as what they are: as an unknown event, the remedy would lead nowhere.
    if (isSwitchUnderHooks(key, groups) || (key === 'hooks' && isPlainObject(groups))) return [];
    reporter.report('unknown_event', 'error', ['hooks', key], `There is no event "${key}"; its hooks never run.`, {
      remedy: remedyForEvent(key),
    });
    return [];
  });
}
