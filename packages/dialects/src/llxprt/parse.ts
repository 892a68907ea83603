import {
  type Diagnostic,
  eventEntry,
  type HookDefinition,
  type HookEventName,
  hookEventNames,
  isHookEventName,
  isPlainObject,
  nearestName,
  type ParsedDocument,
  type SettingsDocument,
} from '@tenterhook/protocol';
import { compileMatcher, isPlainName, type Matcher } from './matcher.js';
import { reportMisspelledKeys } from './misspelled-keys.js';
import { type GroupContext, invalidHookOf, parseHook } from './parse-hook.js';
import { Reporter, shown } from './reporter.js';
import { groupFields } from './settings-schema.js';
import { readSwitches } from './switches.js';

/** Settings to hooks. A bad part is dropped with a diagnostic that has file, line, path and remedy; its siblings stay. */
export function parse(document: SettingsDocument, dialect: string): ParsedDocument {
  const reporter = new Reporter(document, dialect);
  const done = (hooks: readonly HookDefinition[], data?: unknown): ParsedDocument => ({
    hooks,
    diagnostics: reporter.diagnostics,
    ...(data === undefined ? {} : { data }),
  });

  if (!isPlainObject(document.value)) {
    reporter.report('invalid_document', 'error', [], `The settings are ${shown(document.value)} and not an object.`, {
      remedy: 'Write { "hooks": { … } }.',
    });
    return done([]);
  }
  const switches = readSwitches(document.value, reporter);
  const hooks = document.value['hooks'];
  if (hooks === undefined) return done([], switches);
  if (!isPlainObject(hooks)) {
    reporter.report('invalid_document', 'error', ['hooks'], `"hooks" is ${shown(hooks)} and not an object.`, {
      remedy: 'Write { "BeforeTool": [ … ] }.',
    });
    return done([], switches);
  }
  const parsed = Object.entries(hooks).flatMap(([key, groups]) => {
    if (!isHookEventName(key)) {
      reportUnknownEvent(key, reporter);
      return [];
    }
    if (Array.isArray(groups)) return groups.flatMap((group, index) => parseGroup(group, index, key, document, reporter, dialect));
    const problem = reporter.report(
      'invalid_group',
      'error',
      ['hooks', key],
      `The groups of ${key} are ${shown(groups)} and not an array.`,
      {
        remedy: 'Write [ { "hooks": [ … ] } ].',
        eventName: key,
      },
    );
    return [invalidHookOf(problem, key, 'groups', document, dialect)];
  });
  return done(parsed, switches);
}

function parseGroup(
  group: unknown,
  index: number,
  eventName: HookEventName,
  document: SettingsDocument,
  reporter: Reporter,
  dialect: string,
) {
  const path = ['hooks', eventName, index] as const;
  if (!isPlainObject(group)) {
    const problem = reporter.report('invalid_group', 'error', path, `The group is ${shown(group)} and not an object.`, {
      remedy: 'Write { "hooks": [ … ] }.',
      eventName,
    });
    return [invalidHookOf(problem, eventName, String(index), document, dialect)];
  }
  reportMisspelledKeys(group, Object.keys(groupFields), path, eventName, reporter);
  const hooks = group['hooks'];
  if (!Array.isArray(hooks)) {
    const problem = reporter.report(
      'invalid_group',
      'error',
      [...path, 'hooks'],
      `The hooks of the group are ${shown(hooks)} and not an array.`,
      {
        remedy: 'Write "hooks": [ { "command": "…" } ].',
        eventName,
      },
    );
    return [invalidHookOf(problem, eventName, String(index), document, dialect)];
  }
  const context: GroupContext = {
    document,
    reporter,
    dialect,
    eventName,
    groupIndex: index,
    sequential: readSequential(group, path, eventName, reporter),
    ...readMatcher(group, path, eventName, reporter),
  };
  return hooks.map((hook, hookIndex) => parseHook(hook, hookIndex, context));
}

function readMatcher(
  group: Record<string, unknown>,
  path: readonly (string | number)[],
  eventName: HookEventName,
  reporter: Reporter,
): { matcher: Matcher; matcherText?: string; invalidGroup?: Diagnostic } {
  const text = group['matcher'];
  const all: Matcher = { kind: 'all' };
  if (text === undefined || text === null) return { matcher: all };
  const place = [...path, 'matcher'];
  if (typeof text !== 'string') {
    const message = `The matcher is ${shown(text)} and not a text; the hooks of this group do not run.`;
    const invalidGroup = reporter.report('invalid_matcher', 'error', place, message, {
      remedy: 'Write a text such as "write_*".',
      eventName,
    });
    return { matcher: all, matcherText: shown(text), invalidGroup };
  }
  if (eventEntry(eventName).matcherField === undefined) {
    if (text !== '' && text !== '*') {
      const message = `${eventName} has nothing that a matcher could look at; ${shown(text)} is ignored and the hooks run every time.`;
      reporter.report('matcher_ignored', 'warning', place, message, {
        remedy: 'Remove the matcher, or decide inside the hook.',
        eventName,
      });
    }
    return { matcher: all, matcherText: text };
  }
  const compiled = compileMatcher(text);
  if (!compiled.ok) {
    const message = `The matcher ${shown(text)} cannot be used; the hooks of this group do not run. ${compiled.error.message}.`;
    const invalidGroup = reporter.report('invalid_matcher', 'error', place, message, { remedy: compiled.error.remedy, eventName });
    return { matcher: all, matcherText: text, invalidGroup };
  }
  if (eventEntry(eventName).matcherField === 'tool_name' && isPlainName(text)) {
    const message = `${shown(text)} is searched for anywhere in the tool name, so it also matches longer names.`;
    const exact = text.includes('|') ? `^(${text})$` : `^${text}$`;
    reporter.report('plain_matcher', 'note', place, message, { remedy: `Write "${exact}" to mean exactly that.`, eventName });
  }
  return { matcher: compiled.matcher, matcherText: text };
}

function readSequential(
  group: Record<string, unknown>,
  path: readonly (string | number)[],
  eventName: HookEventName,
  reporter: Reporter,
): boolean {
  const value = group['sequential'];
  if (value === undefined || typeof value === 'boolean') return value === true;
  reporter.report(
    'invalid_field',
    'error',
    [...path, 'sequential'],
    `"sequential" is ${shown(value)} and not true or false; it is ignored.`,
    {
      remedy: 'Write "sequential": true.',
      eventName,
    },
  );
  return false;
}

function reportUnknownEvent(key: string, reporter: Reporter): void {
  const nearest = nearestName(key, hookEventNames);
  reporter.report('unknown_event', 'error', ['hooks', key], `There is no event "${key}"; its hooks never run.`, {
    remedy: nearest === undefined ? `Events are ${hookEventNames.join(', ')}.` : `Did you mean "${nearest}"?`,
  });
}
