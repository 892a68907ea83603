import type { Diagnostic, HookAction, HookDefinition, HookEventName } from '@tenterhook/protocol';
import { unusableValue } from '@tenterhook/protocol/internal';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { suggestName } from '@tenterhook/runtime/text';
import { reportForeignFields, reportMisspelledKeys } from '../../shared/lint/unknown-fields.js';
import type { NameMatcher } from '../../shared/name-matcher.js';
import { definitionBase, invalidDefinition, invalidSkip } from '../../shared/settings/definition-base.js';
import { type EventContext, type GroupContext, pathOfHook } from '../../shared/settings/group-format.js';
import {
  asyncField,
  commandProblem,
  modeField,
  onErrorField,
  recheckField,
  reportNoObject,
  textField,
} from '../../shared/settings/hook-fields.js';
import type { HookPlugin } from '../../shared/settings/plugin.js';
import type { DocumentPath, Reporter } from '../../shared/settings/reporter.js';
import { timeoutField } from '../../shared/settings/timeout-field.js';
import { formatValue } from '../../shared/text.js';
import { type CodexEvent, factsOf } from '../input/event-table.js';
import type { CodexHost } from '../options.js';
import { hashOfDefinition, toSnakeCase } from './definition-hash.js';
import type { CodexHookData, Review, Runs } from './hook-data.js';

type Fields = Readonly<Record<string, unknown>>;

/** What all hooks of a document have in common. */
export interface ParseOptions {
  readonly host: CodexHost;
  readonly platform: string;
  readonly plugin?: HookPlugin;
  /** The tools of the agent, if they are known. */
  readonly toolNames?: readonly string[];
  /** The path of the document's file without links. */
  readonly realFile?: string;
}

/** What a hook takes over from its group. */
export interface CodexGroup {
  readonly matcher: NameMatcher;
  /** The matcher as written in the settings. */
  readonly matcherText?: string;
}

interface Place {
  readonly reporter: Reporter;
  readonly eventName: HookEventName;
  readonly hookId: string;
}

export const defaultTimeoutS = 600;

const commonFields = ['type', 'timeout', 'timeoutSec', 'statusMessage', 'onError', 'recheck'];
const commandFields = ['command', 'commandWindows', 'async', 'additionalContextLimit', 'mode'];
const toolFields = ['server', 'tool', 'input'];
/** The fields of all types of hooks. */
export const hookFields: readonly string[] = [...commonFields, ...commandFields, ...toolFields];

/** Reads one hook of a group. An invalid hook gets a `skip`, so that the results of its event report it. */
export function readHook(value: unknown, index: number, context: GroupContext<CodexGroup>, options: ParseOptions): HookDefinition {
  const { document, reporter, eventName, groupIndex, group } = context;
  const path = pathOfHook(context, index);
  const event = context.dialectEvent as CodexEvent;
  const base = definitionBase({ ...context, last: `${groupIndex}.${index}`, line: document.locate(path)?.line, path });
  const about: Place = { reporter, eventName, hookId: base.id };
  const fields = isPlainObject(value) ? value : undefined;
  const isTool = fields?.['type'] === 'mcp_tool';
  if (fields !== undefined) {
    const known = [...commonFields, ...(isTool ? toolFields : commandFields)];
    reportMisspelledKeys(fields, known, path, 'a hook', reporter, eventName);
    reportForeignFields(fields, known, path, 'a hook', reporter, eventName, ['matcher', 'hooks']);
  }
  const { runs, problem } = readRuns(value, fields, path, context, base.id, options);
  const onError = onErrorField(fields?.['onError'], path, about);
  const isAsync = asyncField('async', fields?.['async'], whyNotAsync(isTool, onError), path, about);
  const timeoutMs = readTimeout(fields ?? {}, event, path, about);
  const description = textField(fields, 'statusMessage', path, context);
  const mode = isTool ? undefined : modeField(fields?.['mode'], path, about, isAsync ? 'the hook runs in the background' : undefined);
  reportContextLimit(fields?.['additionalContextLimit'], path, about);
  const invalid = context.invalidGroup ?? problem;
  const data: CodexHookData = {
    event,
    matcher: group.matcher,
    runs: runs ?? { kind: 'command', text: '' },
    ...omitUndefined({
      plugin: options.plugin,
      review: invalid === undefined ? toReview(fields ?? {}, index, timeoutMs, context, options) : undefined,
    }),
  };
  return {
    ...base,
    ...omitUndefined({ description, matcher: group.matcherText }),
    timeoutMs,
    onError,
    ...(isAsync ? { async: true } : {}),
    ...(recheckField(fields?.['recheck'], path, about) === false ? { recheck: false as const } : {}),
    action: toAction(data.runs, mode),
    ...(invalid === undefined ? {} : { skip: invalidSkip(invalid) }),
    dialectData: data,
  };
}

/** Creates one invalid hook in place of hooks that cannot be read. */
export function toInvalidHook(problem: Diagnostic, last: string, context: EventContext & Pick<HookDefinition, 'onError'>): HookDefinition {
  const event = context.dialectEvent as CodexEvent;
  const data: CodexHookData = { event, matcher: { kind: 'all' }, runs: { kind: 'command', text: '' } };
  return invalidDefinition(problem, { ...context, last }, defaultMs(event), data);
}

function toAction(runs: Runs, mode: 'resident' | undefined): HookAction {
  return runs.kind === 'command' ? { kind: 'command', command: runs.text, ...(mode && { mode }) } : runs;
}

/** Returns the default timeout of an event in milliseconds. */
function defaultMs(event: CodexEvent): number {
  return cutTimeout(defaultTimeoutS * 1000, event);
}

function readRuns(
  value: unknown,
  fields: Fields | undefined,
  path: DocumentPath,
  context: EventContext,
  hookId: string,
  { platform }: ParseOptions,
): { readonly runs?: Runs; readonly problem?: Diagnostic } {
  if (fields === undefined) return { problem: reportNoObject(value, path, context, hookId, '{ "type": "command", "command": "…" }') };
  const { type } = fields;
  const { reporter, eventName, dialectEvent } = context;
  const refuse = (message: string, remedy: string) => ({
    problem: reporter.report('unknown_type', 'error', [...path, 'type'], message, { remedy, eventName, hookId }),
  });
  switch (type) {
    case undefined:
    case 'command': {
      const problem = commandProblem(fields, path, context, hookId);
      if (problem !== undefined) return { problem };
      const { commandWindows } = fields;
      const isOther = platform === 'win32' && typeof commandWindows === 'string' && commandWindows.trim() !== '';
      return { runs: { kind: 'command', text: (isOther ? commandWindows : fields['command']) as string } };
    }
    case 'mcp_tool':
      if (dialectEvent === 'SessionEnd')
        return refuse('SessionEnd does not support hooks of the type "mcp_tool"; the hook does not run.', 'Write a command.');
      return readTool(fields, path, { reporter, eventName, hookId });
    case 'prompt':
    case 'agent':
      return refuse(`Hooks of the type "${type}" are not supported by Codex; the hook does not run.`, 'Write "type": "command".');
    default:
      return refuse(
        `Unknown hook type ${formatValue(type)}; the hook does not run.`,
        suggestName(type, ['command', 'mcp_tool'], 'The types are command and mcp_tool.'),
      );
  }
}

function readTool(
  fields: Fields,
  path: DocumentPath,
  { reporter, eventName, hookId }: Place,
): { readonly runs?: Runs; readonly problem?: Diagnostic } {
  const { server, tool, input = {} } = fields;
  const [bad] = Object.entries({ server, tool }).find(([, text]) => typeof text !== 'string' || text.trim() === '') ?? [];
  if (bad !== undefined) {
    const message = `The hook has no valid "${bad}"; it does not run.`;
    return { problem: reporter.report('missing_command', 'error', path, message, { remedy: `Write "${bad}": "…".`, eventName, hookId }) };
  }
  if (isPlainObject(input) && unusableValue('input', input) === undefined)
    return { runs: { kind: 'host', type: 'mcp_tool', data: { server, tool, input } } };
  const message = `"input" must be an object, and is ${formatValue(input)}; the hook does not run.`;
  const remedy = 'Write "input": { … }.';
  return { problem: reporter.report('invalid_hook', 'error', [...path, 'input'], message, { remedy, eventName, hookId }) };
}

/** Reads the timeout, under one of its two names. Reports a timeout that Codex cuts; `configure` cuts it. */
function readTimeout(fields: Fields, event: CodexEvent, path: DocumentPath, about: Place): number {
  const written = fields['timeout'] ?? fields['timeoutSec'];
  const timeoutMs = timeoutField(written, path, { ...about, defaultMs: defaultMs(event), unit: 's' });
  const { maxTimeoutS } = factsOf(event);
  if (maxTimeoutS === undefined || timeoutMs <= maxTimeoutS * 1000) return timeoutMs;
  const { reporter, eventName, hookId } = about;
  const message = `Codex ends the hooks of ${event} after at most ${maxTimeoutS} s; the timeout of ${timeoutMs / 1000} s is cut.`;
  reporter.report('invalid_timeout', 'warning', [...path, 'timeout'], message, { remedy: `Write ${maxTimeoutS}.`, eventName, hookId });
  return timeoutMs;
}

/** Returns a timeout within the limit of an event, in milliseconds. */
export function cutTimeout(timeoutMs: number, event: CodexEvent): number {
  return Math.min(timeoutMs, (factsOf(event).maxTimeoutS ?? Number.POSITIVE_INFINITY) * 1000);
}

/** Returns why a hook cannot be asynchronous, if there is a reason. The agent must wait for the deny of a hook with `"onError": "block"`. */
function whyNotAsync(isTool: boolean, onError: HookDefinition['onError']): string | undefined {
  if (isTool) return 'applies only to commands';
  return onError === 'block' ? 'does not apply to a hook with "onError": "block"' : undefined;
}

function reportContextLimit(value: unknown, path: DocumentPath, { reporter, eventName, hookId }: Place): void {
  if (value === undefined || value === null || (typeof value === 'number' && Number.isInteger(value) && value >= 0)) return;
  const message = `"additionalContextLimit" must be a number of tokens, and is ${formatValue(value)}; it is ignored.`;
  reporter.report('invalid_field', 'warning', [...path, 'additionalContextLimit'], message, {
    remedy: 'Write a number such as 2500, or remove it.',
    eventName,
    hookId,
  });
}

/** Returns what Codex's user has to review. Settings without a file have no key, so they cannot be reviewed. */
function toReview(
  fields: Fields,
  index: number,
  timeoutMs: number,
  { document, dialectEvent, groupIndex, group }: GroupContext<CodexGroup>,
  { realFile, platform }: ParseOptions,
): Review | undefined {
  if (realFile === undefined) return undefined;
  const event = dialectEvent as CodexEvent;
  const { command, commandWindows, server, tool, input, statusMessage, additionalContextLimit } = fields;
  const { type = 'command' } = fields;
  const texts = { statusMessage, additionalContextLimit, timeout: cutTimeout(timeoutMs, event) / 1000, type };
  // The command that runs is hashed. Otherwise another command for Windows could be added after the review.
  const isOther = platform === 'win32' && typeof commandWindows === 'string';
  const handler =
    type === 'mcp_tool'
      ? { ...texts, server, tool, input }
      : { ...texts, async: fields['async'] === true, command: isOther ? commandWindows : command };
  return {
    key: `${realFile}:${toSnakeCase(event)}:${groupIndex}:${index}`,
    hash: hashOfDefinition({ event, matcher: group.matcherText, handler }),
    isNeeded: document.source === 'project' || document.source === 'user',
  };
}
