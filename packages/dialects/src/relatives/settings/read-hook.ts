import type { Diagnostic, HookAction, HookDefinition, HookEventName } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { suggestName } from '@tenterhook/runtime/text';
import { reportForeignFields, reportMisspelledKeys } from '../../shared/lint/unknown-fields.js';
import type { NameMatcher } from '../../shared/name-matcher.js';
import { definitionBase, invalidDefinition, invalidSkip } from '../../shared/settings/definition-base.js';
import { type EventContext, type GroupContext, pathOfHook } from '../../shared/settings/group-format.js';
import {
  asyncField,
  commandProblem,
  envField,
  modeField,
  onErrorField,
  recheckField,
  reportNoObject,
  textField,
} from '../../shared/settings/hook-fields.js';
import type { powershellCommand } from '../../shared/settings/powershell.js';
import type { DocumentPath, Reporter } from '../../shared/settings/reporter.js';
import { timeoutField } from '../../shared/settings/timeout-field.js';
import { formatValue } from '../../shared/text.js';
import type { RelativeHost } from '../options.js';
import type { RelativeProduct } from '../product.js';
import type { RelativeHookData, Runs } from './hook-data.js';

type Fields = Readonly<Record<string, unknown>>;

/** What all hooks of a document have in common. */
export interface ParseOptions {
  readonly host: RelativeHost;
  /** Returns the command that runs a text with PowerShell. */
  powershell(text: string): ReturnType<typeof powershellCommand>;
  /** Why no hook of the document runs. */
  readonly invalid?: Diagnostic;
}

/** What a hook takes over from its group. */
export interface RelativeGroup {
  readonly matcher: NameMatcher;
  /** The matcher as written in the settings. */
  readonly matcherText?: string;
  readonly loopLimit: number;
}

interface Place {
  readonly reporter: Reporter;
  readonly eventName: HookEventName;
  readonly hookId: string;
}

const commonFields = ['type', 'command', 'timeout', 'onError', 'recheck', 'mode'];

/** Returns the fields of all types of hooks of an agent. */
export function hookFields({ types, hookFields: own }: RelativeProduct): readonly string[] {
  return [...commonFields, ...(types.includes('prompt') ? ['prompt', 'model'] : []), ...own];
}

/** Reads one hook of a group. An invalid hook gets a `skip`, so that the results of its event report it. */
export function readHook(
  value: unknown,
  index: number,
  context: GroupContext<RelativeGroup>,
  { host, invalid: ofDocument, powershell }: ParseOptions,
): HookDefinition {
  const { product, home } = host;
  const { document, reporter, eventName, dialectEvent: event, groupIndex, group } = context;
  const path = pathOfHook(context, index);
  const fields = isPlainObject(value) ? value : undefined;
  const has = (field: string) => product.hookFields.includes(field);
  const name = has('name') ? textField(fields, 'name', path, context) : undefined;
  const last = lastOf(name ?? `${groupIndex}.${index}`, event, product);
  const base = definitionBase({ ...context, last, name, line: document.locate(path)?.line, path });
  const about: Place = { reporter, eventName, hookId: base.id };
  if (fields !== undefined) {
    const known = hookFields(product);
    reportMisspelledKeys(fields, known, path, 'a hook', reporter, eventName);
    reportForeignFields(fields, known, path, 'a hook', reporter, eventName, ['matcher', 'hooks']);
  }
  const { runs, problem } = readRuns(value, fields, path, context, base.id, { ...product, powershell });
  const onError = onErrorField(fields?.['onError'], path, about);
  const whyNotAsync = onError === 'block' ? 'has no effect on a hook that denies when it fails' : undefined;
  const isAsync = has('async') && asyncField('async', fields?.['async'], whyNotAsync, path, about);
  const whyCold = isAsync ? 'the hook runs in the background' : undefined;
  const mode = runs?.kind === 'host' ? undefined : modeField(fields?.['mode'], path, about, whyCold);
  const env = product.hasEnv ? envField(fields, path, context) : {};
  const invalid = ofDocument ?? context.invalidGroup ?? problem;
  const { unit, fallback } = product.timeout;
  const defaultMs = unit === 's' ? fallback * 1000 : fallback;
  const data: RelativeHookData = {
    event,
    matcher: group.matcher,
    runs: runs ?? noCommand,
    env,
    home,
    loopLimit: group.loopLimit,
  };
  const isCopyable = product.dropsCopies === true && invalid === undefined;
  return {
    ...base,
    ...omitUndefined({
      description: has('description') ? textField(fields, 'description', path, context) : undefined,
      matcher: group.matcherText,
    }),
    timeoutMs: timeoutField(fields?.['timeout'], path, { ...about, defaultMs, unit }),
    onError,
    ...(isAsync ? { async: true } : {}),
    ...(recheckField(fields?.['recheck'], path, about) === false ? { recheck: false as const } : {}),
    action: toAction(data.runs, fields, mode),
    ...(isCopyable ? { dedupeKey: JSON.stringify([event, data.runs]) } : {}),
    ...(invalid === undefined ? {} : { skip: invalidSkip(invalid) }),
    dialectData: data,
  };
}

/** Returns the last part of a hook's id. Two events of the agent can be one event here, and their hooks have different ids. */
function lastOf(place: string, event: string, { events }: RelativeProduct): string {
  const [first] = Object.keys(events).filter((name) => events[name]?.eventName === events[event]?.eventName);
  return event === first ? place : `${event}.${place}`;
}

const noCommand: Runs = { kind: 'command', command: { kind: 'shell', text: '' } };

/** Creates one invalid hook in place of hooks that cannot be read. */
export function toInvalidHook(
  problem: Diagnostic,
  last: string,
  context: EventContext & Pick<HookDefinition, 'onError'>,
  { host: { product, home } }: ParseOptions,
): HookDefinition {
  const { unit, fallback } = product.timeout;
  const event = context.dialectEvent;
  const data: RelativeHookData = { event, matcher: { kind: 'all' }, runs: noCommand, env: {}, home, loopLimit: Number.POSITIVE_INFINITY };
  return invalidDefinition(problem, { ...context, last: lastOf(last, event, product) }, unit === 's' ? fallback * 1000 : fallback, data);
}

function toAction(runs: Runs, fields: Fields | undefined, mode: 'resident' | undefined): HookAction {
  if (runs.kind === 'host') return runs;
  const { command } = runs;
  return { kind: 'command', command: command.kind === 'shell' ? command.text : String(fields?.['command']), ...(mode && { mode }) };
}

function readRuns(
  value: unknown,
  fields: Fields | undefined,
  path: DocumentPath,
  context: EventContext,
  hookId: string,
  { agent, types, hookFields: own, powershell }: RelativeProduct & Pick<ParseOptions, 'powershell'>,
): { readonly runs?: Runs; readonly problem?: Diagnostic } {
  if (fields === undefined) return { problem: reportNoObject(value, path, context, hookId, '{ "type": "command", "command": "…" }') };
  const { type = 'command', prompt, model } = fields;
  const { reporter, eventName } = context;
  const refuse = (code: 'unknown_type' | 'missing_command', place: DocumentPath, message: string, remedy: string) => ({
    problem: reporter.report(code, 'error', place, message, { remedy, eventName, hookId }),
  });
  if (type === 'command') {
    const problem = commandProblem(fields, path, context, hookId);
    if (problem !== undefined) return { problem };
    const text = fields['command'] as string;
    if (!own.includes('shell') || fields['shell'] !== 'powershell') return { runs: { kind: 'command', command: { kind: 'shell', text } } };
    return { runs: { kind: 'command', command: powershell(text) } };
  }
  if (type === 'prompt' && types.includes('prompt')) {
    if (typeof prompt === 'string' && prompt.trim() !== '') return { runs: { kind: 'host', type, data: omitUndefined({ prompt, model }) } };
    return refuse('missing_command', path, 'The hook has no "prompt"; it does not run.', 'Write "prompt": "…".');
  }
  const named = `The types that are read for ${agent} are ${types.join(' and ')}.`;
  return refuse(
    'unknown_type',
    [...path, 'type'],
    `Hooks of the type ${formatValue(type)} are not supported in the format of ${agent}; the hook does not run.`,
    suggestName(type, types, named),
  );
}

/** Reads `loop_limit` of a group that can make the agent continue. Values below 1 mean the default, as in the agent. */
export function readLoopLimit(value: unknown, path: DocumentPath, context: EventContext, { loopLimit, agent }: RelativeProduct): number {
  if (loopLimit === undefined) return Number.POSITIVE_INFINITY;
  if (value === undefined) return loopLimit;
  const { reporter, eventName, dialectEvent } = context;
  const report = (severity: 'error' | 'warning', message: string, remedy: string) =>
    reporter.report('invalid_field', severity, [...path, 'loop_limit'], message, { remedy, eventName });
  if (eventName !== 'AfterAgent') {
    report('warning', `"loop_limit" is ignored on ${dialectEvent}: its hooks cannot make the agent continue.`, 'Remove it.');
    return loopLimit;
  }
  if (typeof value === 'number' && Number.isInteger(value)) return value > 0 ? value : loopLimit;
  report(
    'error',
    `"loop_limit" must be a whole number for ${agent}, and is ${formatValue(value)}; ${loopLimit} is used.`,
    'Write a number such as 3.',
  );
  return loopLimit;
}
