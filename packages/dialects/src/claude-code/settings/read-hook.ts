import type { Diagnostic, HookAction, HookDefinition } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { reportForeignFields, reportMisspelledKeys } from '../../shared/lint/unknown-fields.js';
import { definitionBase, invalidSkip } from '../../shared/settings/definition-base.js';
import { type EventContext, type GroupContext, pathOfHook } from '../../shared/settings/group-format.js';
import { reportNoObject, textField } from '../../shared/settings/hook-fields.js';
import { timeoutField } from '../../shared/settings/timeout-field.js';
import { conditionField } from '../conditions/condition-field.js';
import type { HandlerContext } from '../handlers/handler-context.js';
import { asyncField, failureField, onceField, reportMatcher } from '../handlers/handler-fields.js';
import { readRuns } from '../handlers/read-runs.js';
import type { ClaudeEvent } from '../input/event-table.js';
import { remarkOnCommand } from '../lint/commands.js';
import { defaultTimeoutS, fieldsOfType, readType } from './handler-types.js';
import type { ClaudeHookData, Runs } from './hook-data.js';
import { type ClaudeGroup, eventOfKey, type ParseOptions } from './parse-context.js';

type Fields = Readonly<Record<string, unknown>>;

/** One handler of a group. An invalid one stays in the list, marked, so that every event it belongs to can say so. */
export function readHook(value: unknown, index: number, context: GroupContext<ClaudeGroup>, options: ParseOptions): HookDefinition {
  const { document, reporter, eventName, groupIndex, group } = context;
  const path = pathOfHook(context, index);
  const event = eventOfKey(context, options);
  const line = document.locate(path)?.line;
  const base = definitionBase({ ...context, dialectEvent: event, last: `${groupIndex}.${index}`, line, path });
  const about = { reporter, eventName, hookId: base.id };
  const handler: HandlerContext = { ...about, event, path };
  const fields = isPlainObject(value) ? value : undefined;
  const noObject =
    fields === undefined ? reportNoObject(value, path, context, base.id, '{ "type": "command", "command": "…" }') : undefined;
  const { type, problem: badType } = readType(fields ?? {}, handler);
  if (fields !== undefined) reportMisspelledKeys(fields, fieldsOfType(type), path, 'a hook', reporter, eventName);
  if (fields !== undefined) {
    const known = [...fieldsOfType(type), 'matcher'];
    reportForeignFields(fields, known, path, 'a hook', reporter, eventName, ['matcher', 'hooks']);
  }
  reportMatcher(fields?.['matcher'], handler);
  const { runs, problem: badRuns } = noObject === undefined && badType === undefined ? readRuns(fields ?? {}, type, handler) : {};
  if (runs?.kind === 'command' && runs.command.kind === 'shell') remarkOnCommand(runs.command.text, handler, options);
  const isAsync = asyncField(fields ?? {}, type, handler);
  const written = fields?.['timeout'];
  const defaultMs = defaultTimeoutS(type, event) * 1000;
  const timeoutMs = timeoutField(written, path, { ...about, defaultMs, unit: 's' });
  const condition = conditionField(fields?.['if'], options.roots, handler);
  const description = textField(fields, 'statusMessage', path, context);
  const problem = context.invalidGroup ?? noObject ?? badType ?? badRuns;
  const data: ClaudeHookData = {
    event,
    matcher: group.matcher,
    runs: runs ?? nothing,
    ...(condition === undefined ? {} : { condition }),
    ...(written === undefined ? {} : { writtenTimeoutMs: timeoutMs }),
    ...(options.plugin === undefined ? {} : { plugin: options.plugin }),
  };
  return {
    ...base,
    ...(description === undefined ? {} : { description }),
    ...(group.matcherText === undefined ? {} : { matcher: group.matcherText }),
    ...(condition === undefined ? {} : { condition: condition.text }),
    timeoutMs,
    onError: failureField(fields ?? {}, isAsync, handler),
    ...(isAsync ? { async: true } : {}),
    ...(onceField(fields?.['once'], options, handler) ? { once: true as const } : {}),
    action: actionOf(runs, fields),
    ...(problem === undefined ? { dedupeKey: identityOf(context.document.source, data, isAsync) } : { skip: invalidSkip(problem) }),
    dialectData: data,
  };
}

/** What stands for hooks that cannot even be told apart, so that their event knows that something was meant to run. */
export function invalidHookOf(problem: Diagnostic, last: string, context: EventContext, options: ParseOptions): HookDefinition {
  const event: ClaudeEvent = eventOfKey(context, options);
  const data: ClaudeHookData = { event, matcher: { kind: 'all' }, runs: nothing };
  return {
    ...definitionBase({ ...context, dialectEvent: event, last, line: problem.line }),
    timeoutMs: defaultTimeoutS('command', event) * 1000,
    onError: 'continue',
    action: { kind: 'command', command: '' },
    skip: invalidSkip(problem),
    dialectData: data,
  };
}

const nothing: Runs = { kind: 'command', command: { kind: 'shell', text: '' } };

function actionOf(runs: Runs | undefined, fields: Fields | undefined): HookAction {
  if (runs === undefined || runs.kind === 'command') {
    const command = typeof fields?.['command'] === 'string' ? fields['command'] : '';
    const args = runs?.command.kind === 'program' && Array.isArray(fields?.['args']) ? { args: runs.command.args } : {};
    return { kind: 'command', command, ...args };
  }
  return runs;
}

/**
 * Identical handlers of settings files run once; the copy of a plugin or a skill is another hook. What decides whether it is asked is part of
 * it, and the event as the product has it, of which two may be one of ours; the longest timeout and the stricter `onFailure` of the copies
 * count (decision 22).
 */
function identityOf(source: string, { event, runs, condition }: ClaudeHookData, isAsync: boolean): string {
  const isSettings = !/^(?:plugin|extension):/.test(source);
  return JSON.stringify([isSettings ? '' : source, event, condition?.text ?? null, isAsync, runs]);
}
