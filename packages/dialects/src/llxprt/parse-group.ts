import { type Diagnostic, type HookDefinition, isPlainObject } from '@tenterhook/protocol';
import { reportMisspelledKeys } from '../settings/misspelled-keys.js';
import type { DocumentPath } from '../settings/reporter.js';
import { shown } from '../shown.js';
import type { EventContext } from './group-context.js';
import { matcherField } from './matcher-field.js';
import { invalidHookOf, parseHook } from './parse-hook.js';
import { groupFields } from './settings-schema.js';

/** All groups of one event. What cannot be read leaves an invalid hook behind, so that the event knows that something was meant to run. */
export function parseGroups(groups: unknown, context: EventContext): HookDefinition[] {
  if (Array.isArray(groups)) return groups.flatMap((group, index) => parseGroup(group, index, context));
  const { eventName, reporter } = context;
  const path = ['hooks', eventName];
  const message = `The groups of ${eventName} are ${shown(groups)} and not an array.`;
  const remedy = isPlainObject(groups) ? 'Put the group in brackets: [ { "hooks": [ … ] } ].' : 'Write [ { "hooks": [ … ] } ].';
  const problem = isBareHook(groups)
    ? reportBareHook(`${eventName} is a hook where a list of hook groups is expected`, `[ ${groupAround(groups)} ]`, path, context)
    : reporter.report('invalid_group', 'error', path, message, { remedy, eventName });
  return [invalidHookOf(problem, 'groups', context)];
}

function parseGroup(group: unknown, index: number, context: EventContext): HookDefinition[] {
  const { eventName, reporter } = context;
  const path = ['hooks', eventName, index] as const;
  const invalid = (problem: Diagnostic) => [invalidHookOf(problem, String(index), context)];
  if (!isPlainObject(group)) {
    const remedy = `Write ${typeof group === 'string' ? groupAround({ command: group }) : '{ "hooks": [ … ] }'}.`;
    const message = `The group is ${shown(group)} and not an object.`;
    return invalid(reporter.report('invalid_group', 'error', path, message, { remedy, eventName }));
  }
  if (isBareHook(group)) return invalid(reportBareHook('This is a hook where a hook group is expected', groupAround(group), path, context));
  reportMisspelledKeys(group, Object.keys(groupFields), path, 'a hook', reporter, eventName);
  const hooks = group['hooks'];
  if (!Array.isArray(hooks)) {
    const message = `The hooks of the group are ${shown(hooks)} and not an array.`;
    const remedy = 'Write "hooks": [ { "command": "…" } ].';
    return invalid(reporter.report('invalid_group', 'error', [...path, 'hooks'], message, { remedy, eventName }));
  }
  const inherited = {
    ...context,
    groupIndex: index,
    sequential: sequentialField(group['sequential'], path, context),
    ...matcherField(group['matcher'], path, context),
  };
  return hooks.map((hook, hookIndex) => parseHook(hook, hookIndex, inherited));
}

function sequentialField(value: unknown, path: DocumentPath, { eventName, reporter }: EventContext): boolean {
  if (value === undefined || typeof value === 'boolean') return value === true;
  const message = `"sequential" is ${shown(value)} and not true or false; it is ignored.`;
  const remedy = 'Write "sequential": true.';
  reporter.report('invalid_field', 'error', [...path, 'sequential'], message, { remedy, eventName });
  return false;
}

type BareHook = Readonly<Record<string, unknown>> & { readonly command: unknown };

/** A hook that stands where its group should: the form of other agents, and an easy slip. */
function isBareHook(value: unknown): value is BareHook {
  return isPlainObject(value) && value['hooks'] === undefined && value['command'] !== undefined;
}

function reportBareHook(what: string, instead: string, path: DocumentPath, { eventName, reporter }: EventContext): Diagnostic {
  return reporter.report('misplaced_hooks', 'error', path, `${what}; it does not run.`, { remedy: `Write ${instead}.`, eventName });
}

function groupAround(hook: BareHook): string {
  const matcher = typeof hook['matcher'] === 'string' ? `"matcher": ${shown(hook['matcher'])}, ` : '';
  return `{ ${matcher}"hooks": [ { "command": ${shown(hook.command)} } ] }`;
}
