import type { Diagnostic, HookAction, HookDefinition } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { reportForeignFields, reportMisspelledKeys } from '../../shared/lint/unknown-fields.js';
import { definitionBase, invalidDefinition, invalidSkip } from '../../shared/settings/definition-base.js';
import { type EventContext, type GroupContext, pathOfHook } from '../../shared/settings/group-format.js';
import { asyncField, modeField, onErrorField, recheckField, reportNoObject, textField } from '../../shared/settings/hook-fields.js';
import { timeoutField } from '../../shared/settings/timeout-field.js';
import { formatValue } from '../../shared/text.js';
import { type ClaudeEvent, factsOf } from '../input/event-table.js';
import { reportCommand } from '../lint/commands.js';
import { reportMatcherInHook } from '../lint/misplaced.js';
import { conditionField } from '../matching/conditions/condition.js';
import { defaultTimeoutS, getFieldsOfType, type HandlerType, readRuns, readType } from './handler-types.js';
import type { ClaudeHookData, Runs } from './hook-data.js';
import { type ClaudeGroup, getEventOfKey, type HandlerContext, type ParseOptions } from './parse-context.js';

type Fields = Readonly<Record<string, unknown>>;

/** Reads one hook of a group. An invalid hook gets a `skip`, so that the results of its event report it. */
export function readHook(value: unknown, index: number, context: GroupContext<ClaudeGroup>, options: ParseOptions): HookDefinition {
  const { document, reporter, eventName, groupIndex, group } = context;
  const path = pathOfHook(context, index);
  const event = getEventOfKey(context, options);
  const line = document.locate(path)?.line;
  const base = definitionBase({ ...context, dialectEvent: event, last: `${groupIndex}.${index}`, line, path });
  const about = { reporter, eventName, hookId: base.id };
  const handler: HandlerContext = { ...about, event, path };
  const fields = isPlainObject(value) ? value : undefined;
  const noObject =
    fields === undefined ? reportNoObject(value, path, context, base.id, '{ "type": "command", "command": "…" }') : undefined;
  const { type, problem: badType } = readType(fields ?? {}, handler);
  if (fields !== undefined) reportMisspelledKeys(fields, getFieldsOfType(type), path, 'a hook', reporter, eventName);
  if (fields !== undefined) {
    const known = [...getFieldsOfType(type), 'matcher'];
    reportForeignFields(fields, known, path, 'a hook', reporter, eventName, ['matcher', 'hooks']);
  }
  reportMatcherInHook(fields?.['matcher'], handler);
  const { runs, problem: badRuns } = noObject === undefined && badType === undefined ? readRuns(fields ?? {}, type, handler, options) : {};
  if (runs?.kind === 'command' && runs.command.kind === 'shell') reportCommand(runs.command.text, handler, options);
  const onError = failureField(fields ?? {}, handler);
  const whyNot = whyAttached(type, onError);
  const isAsync = ['async', 'asyncRewake'].filter((field) => asyncField(field, fields?.[field], whyNot, path, about)).length > 0;
  const mayDetach = allowAsyncField(fields?.['allowAsync'], type, onError, handler);
  const mode =
    type === 'command' ? modeField(fields?.['mode'], path, about, whyNotResident(event, isAsync || mayDetach === true)) : undefined;
  const written = fields?.['timeout'];
  const defaultMs = defaultTimeoutS(type, event) * 1000;
  const timeoutMs = timeoutField(written, path, { ...about, defaultMs, unit: 's' });
  const condition = conditionField(fields?.['if'], options.roots, handler);
  const description = textField(fields, 'statusMessage', path, context);
  const problem = context.invalidGroup ?? noObject ?? badType ?? badRuns;
  const data: ClaudeHookData = {
    event,
    matcher: group.matcher,
    runs: runs ?? emptyCommand,
    home: options.roots.home,
    ...omitUndefined({
      condition,
      writtenTimeoutMs: written === undefined ? undefined : timeoutMs,
      plugin: options.plugin,
      frontMatterOf: options.frontMatterOf,
    }),
  };
  return {
    ...base,
    ...omitUndefined({ description, matcher: group.matcherText, condition: condition?.text }),
    timeoutMs,
    onError,
    ...(isAsync ? { async: true } : {}),
    ...(isAsync && fields?.['asyncRewake'] === true ? { rewake: true as const } : {}),
    ...(mayDetach ? { mayDetach } : {}),
    ...(recheckField(fields?.['recheck'], path, about) === false ? { recheck: false as const } : {}),
    ...(onceField(fields?.['once'], options, handler) ? { once: true as const } : {}),
    action: toAction(runs, fields, mode),
    ...(problem === undefined ? { dedupeKey: toDedupeKey(context.document.source, data, isAsync) } : { skip: invalidSkip(problem) }),
    dialectData: data,
  };
}

/** Returns why one process cannot answer all events of a hook, if there is a reason. */
function whyNotResident(event: ClaudeEvent, mayRunInBackground: boolean): string | undefined {
  if (mayRunInBackground) return 'the hook may run in the background';
  return factsOf(event).givesEnvFile ? 'CLAUDE_ENV_FILE is another file for each event' : undefined;
}

/** Creates one invalid hook in place of hooks that cannot be read. */
export function toInvalidHook(
  problem: Diagnostic,
  last: string,
  context: EventContext & Pick<HookDefinition, 'onError'>,
  options: ParseOptions,
): HookDefinition {
  const event: ClaudeEvent = getEventOfKey(context, options);
  const data: ClaudeHookData = { event, matcher: { kind: 'all' }, runs: emptyCommand, home: options.roots.home };
  return invalidDefinition(problem, { ...context, dialectEvent: event, last }, defaultTimeoutS('command', event) * 1000, data);
}

const emptyCommand: Runs = { kind: 'command', command: { kind: 'shell', text: '' } };

function toAction(runs: Runs | undefined, fields: Fields | undefined, mode: 'resident' | undefined): HookAction {
  if (runs === undefined || runs.kind === 'command') {
    const command = typeof fields?.['command'] === 'string' ? fields['command'] : '';
    const args = runs?.command.kind === 'program' && Array.isArray(fields?.['args']) ? { args: runs.command.args } : {};
    return { kind: 'command', command, ...args, ...(mode && { mode }) };
  }
  // HTTP hooks of Claude Code may call a server on this machine. They often do, e.g. in Claude Code's documentation.
  return runs.kind === 'http' ? { ...runs, callsThisMachine: true } : runs;
}

/**
 * Returns the key by which duplicates are found. Identical hooks in settings files run once. A copy in a plugin or a skill is a
 * separate hook. The key contains Claude Code's name of the event, because two of its events may be one canonical event.
 */
function toDedupeKey(source: string, { event, runs, condition }: ClaudeHookData, isAsync: boolean): string {
  const isSettings = !/^(?:plugin|extension):/.test(source);
  return JSON.stringify([isSettings ? '' : source, event, condition?.text ?? null, isAsync, runs]);
}

/** Returns why the hook cannot be detached from its event, if there is a reason. */
function whyAttached(type: HandlerType, onError: HookDefinition['onError']): string | undefined {
  return type === 'command' && onError === 'continue' ? undefined : whyNotAsync(type);
}

/** Reads `allowAsync`: whether the hook may detach itself by printing a line. In Claude Code every command may do so. */
function allowAsyncField(
  value: unknown,
  type: HandlerType,
  onError: HookDefinition['onError'],
  { reporter, path, ...about }: HandlerContext,
): true | undefined {
  if (value === undefined || value === false) return undefined;
  if (value === true && type === 'command' && onError === 'continue') return value;
  const [severity, message] =
    value === true
      ? (['warning', `"allowAsync" ${whyNotAsync(type)}; it is ignored.`] as const)
      : (['error', `"allowAsync" must be true or false, and is ${formatValue(value)}; the agent always waits for the hook.`] as const);
  reporter.report('invalid_field', severity, [...path, 'allowAsync'], message, { remedy: 'Remove it.', ...getHookFields(about) });
  return undefined;
}

function whyNotAsync(type: HandlerType): string {
  return type === 'command'
    ? 'does not apply to a hook with "onFailure": "block", because the agent always waits for such a hook'
    : 'applies only to commands';
}

/** Reads `onFailure`: whether a failure of the hook denies. Ignored on events that a failure cannot block. */
function failureField(fields: Fields, { reporter, path, event, ...about }: HandlerContext): 'continue' | 'block' {
  if (fields['onError'] !== undefined) {
    const message = '"onError" is ignored, because its name in Claude Code is "onFailure". If this hook fails, the operation continues.';
    reporter.report('invalid_field', 'error', [...path, 'onError'], message, {
      remedy: `Write "onFailure": ${formatValue(fields['onError'])}.`,
      ...about,
    });
  }
  const onFailure = onErrorField(fields['onFailure'], path, { reporter, ...about, field: 'onFailure' });
  if (onFailure === 'continue' || !factsOf(event).ignoresFailures) return onFailure;
  const message = `"onFailure" has no effect on ${event}; if the hook fails, the agent continues.`;
  reporter.report('invalid_field', 'warning', [...path, 'onFailure'], message, {
    remedy: 'Remove "onFailure", or exit with code 2 to deny.',
    ...about,
  });
  return 'continue';
}

/** Reads whether the handler runs only once in a session. */
function onceField(value: unknown, { frontMatterOf }: ParseOptions, { reporter, path, ...about }: HandlerContext): boolean {
  if (value === undefined || value === false) return false;
  if (value === true && frontMatterOf === 'skill') return true;
  const [severity, message] =
    value === true
      ? (['warning', '"once" applies only in the front matter of a skill; the hook runs every time.'] as const)
      : (['error', `"once" must be true or false, and is ${formatValue(value)}; it is ignored.`] as const);
  reporter.report('invalid_field', severity, [...path, 'once'], message, { remedy: 'Remove it.', ...getHookFields(about) });
  return false;
}

function getHookFields({ eventName, hookId }: Omit<HandlerContext, 'reporter' | 'path'>) {
  return { eventName, hookId };
}
