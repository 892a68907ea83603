import { onErrorField } from '../../shared/settings/hook-fields.js';
import { formatValue } from '../../shared/text.js';
import { factsOf } from '../input/event-table.js';
import type { HandlerType } from '../settings/handler-types.js';
import type { ParseOptions } from '../settings/parse-context.js';
import type { HandlerContext } from './handler-context.js';

type Fields = Readonly<Record<string, unknown>>;

/** Whether nobody waits for the handler. */
export function asyncField(fields: Fields, type: HandlerType, { reporter, path, ...about }: HandlerContext): boolean {
  const written = ['async', 'asyncRewake'].filter((field) => fields[field] !== undefined && fields[field] !== false);
  for (const field of written) {
    const value = fields[field];
    if (value === true && type === 'command') continue;
    const message =
      value === true
        ? `"${field}" has a meaning for commands alone; it is ignored.`
        : `"${field}" is ${formatValue(value)} and not true or false; it is ignored.`;
    reporter.report('invalid_field', value === true ? 'warning' : 'error', [...path, field], message, {
      remedy: 'Remove it.',
      ...ofHook(about),
    });
  }
  return type === 'command' && written.some((field) => fields[field] === true);
}

/** What a failure of the handler means, where it can mean anything. */
export function failureField(fields: Fields, isAsync: boolean, { reporter, path, event, ...about }: HandlerContext): 'continue' | 'block' {
  if (fields['onError'] !== undefined) {
    const message = 'Claude Code calls it "onFailure"; "onError" is ignored, and a failure of this hook lets the operation go on.';
    reporter.report('invalid_field', 'error', [...path, 'onError'], message, {
      remedy: `Write "onFailure": ${formatValue(fields['onError'])}.`,
      ...about,
    });
  }
  const onFailure = onErrorField(fields['onFailure'], path, { reporter, ...about, field: 'onFailure' });
  if (onFailure === 'continue' || !(isAsync || factsOf(event).ignoresFailures)) return onFailure;
  const message = `"onFailure" has no effect on ${isAsync ? 'a hook that nobody waits for' : event}; a failure lets the agent go on.`;
  reporter.report('invalid_field', 'warning', [...path, 'onFailure'], message, { remedy: 'Remove it, or exit with 2.', ...about });
  return 'continue';
}

/** Whether the handler runs once in a session. */
export function onceField(value: unknown, { frontMatterOf }: ParseOptions, { reporter, path, ...about }: HandlerContext): boolean {
  if (value === undefined || value === false) return false;
  if (value === true && frontMatterOf === 'skill') return true;
  const [severity, message] =
    value === true
      ? (['warning', '"once" has a meaning in the front matter of a skill alone; the hook runs every time.'] as const)
      : (['error', `"once" is ${formatValue(value)} and not true or false; it is ignored.`] as const);
  reporter.report('invalid_field', severity, [...path, 'once'], message, { remedy: 'Remove it.', ...ofHook(about) });
  return false;
}

/** A matcher is one of the group: in a handler it would guard nothing, and the handler runs on what it was not meant for. */
export function reportMatcher(value: unknown, { reporter, path, ...about }: HandlerContext): void {
  if (value === undefined) return;
  const message = `"matcher" is ${formatValue(value)} in a hook, where it is not read; the hook runs as its group does.`;
  const remedy = 'Write it in the group, beside "hooks".';
  reporter.report('invalid_field', 'warning', [...path, 'matcher'], message, { remedy, ...ofHook(about) });
}

function ofHook({ eventName, hookId }: Omit<HandlerContext, 'reporter' | 'path'>) {
  return { eventName, hookId };
}
