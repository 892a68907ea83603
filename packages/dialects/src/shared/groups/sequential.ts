import type { HookDefinition, Stage } from '@tenterhook/protocol';
import { formatValue } from '../text.js';
import type { DocumentPath } from '../settings/reporter.js';
import type { EventContext } from '../settings/group-format.js';

/** Whether the hooks of an event run one after another because of this group. */
export function sequentialField(value: unknown, path: DocumentPath, { eventName, reporter }: EventContext): boolean {
  if (value === undefined || typeof value === 'boolean') return value === true;
  const message = `"sequential" is ${formatValue(value)} and not true or false; it is ignored.`;
  const remedy = 'Write "sequential": true.';
  reporter.report('invalid_field', 'error', [...path, 'sequential'], message, { remedy, eventName });
  return false;
}

/** One stage, or a stage each when any group among these hooks is sequential (seed 001 §7.4, decision 16a). */
export function layOutBySequential(hooks: readonly HookDefinition[], isSequential: (hook: HookDefinition) => boolean): Stage[] {
  if (hooks.length === 0) return [];
  return hooks.some(isSequential) ? hooks.map((hook) => ({ hooks: [hook] })) : [{ hooks }];
}
