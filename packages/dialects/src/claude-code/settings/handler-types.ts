import type { Diagnostic } from '@tenterhook/protocol';
import { unusableValue } from '@tenterhook/protocol/internal';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import { shownUrl, suggestName } from '@tenterhook/runtime/text';
import { formatValue, isTexts } from '../../shared/text.js';
import { type ClaudeEvent, factsOf } from '../input/event-table.js';
import type { Runs } from './hook-data.js';
import type { HandlerContext, ParseOptions } from './parse-context.js';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of each hook type besides the common fields, and the default timeout in seconds. */
const handlerTypes = {
  command: { fields: ['command', 'args', 'shell', 'async', 'asyncRewake', 'allowAsync', 'mode'], timeoutS: 600 },
  http: { fields: ['url', 'headers', 'allowedEnvVars'], timeoutS: 600 },
  mcp_tool: { fields: ['server', 'tool', 'input'], timeoutS: 600 },
  prompt: { fields: ['prompt', 'model', 'continueOnBlock'], timeoutS: 30 },
  agent: { fields: ['prompt', 'model', 'continueOnBlock'], timeoutS: 60 },
} as const;

export type HandlerType = keyof typeof handlerTypes;

const typeNames = Object.keys(handlerTypes) as HandlerType[];
const commonFields = ['type', 'if', 'timeout', 'statusMessage', 'once', 'onFailure', 'onError', 'recheck'];

export function getFieldsOfType(type: HandlerType): readonly string[] {
  return [...commonFields, ...handlerTypes[type].fields];
}

/** The fields of all types. A field that the type of a hook does not have is reported. */
export const allHandlerFields: readonly string[] = [
  ...new Set([...commonFields, ...typeNames.flatMap((type) => handlerTypes[type].fields)]),
];

/** The default time limit, in seconds, that all SessionEnd hooks share. */
export const sessionEndS = 1.5;

export function defaultTimeoutS(type: HandlerType, event: ClaudeEvent): number {
  if (event === 'SessionEnd') return sessionEndS;
  return Math.min(handlerTypes[type].timeoutS, factsOf(event).timeoutS ?? Number.POSITIVE_INFINITY);
}

/** Reads the type of a hook. The default is a command, because nearly all hooks are commands. */
export function readType(
  { type }: Fields,
  { reporter, path, event, eventName, hookId }: HandlerContext,
): { readonly type: HandlerType; readonly problem?: Diagnostic } {
  const place = [...path, 'type'];
  if (type === undefined) return { type: 'command' };
  if (!isHandlerType(type)) {
    const remedy = suggestName(type, typeNames, `The types are ${typeNames.join(', ')}.`);
    const message = `Unknown hook type ${formatValue(type)}; the hook does not run.`;
    return { type: 'command', problem: reporter.report('unknown_type', 'error', place, message, { remedy, eventName, hookId }) };
  }
  const { types } = factsOf(event);
  if (types === undefined || types.includes(type)) return { type };
  const message = `${event} does not support hooks of the type ${formatValue(type)}; the hook does not run.`;
  const remedy = `Write a hook of the type ${types.join(' or ')}.`;
  return { type, problem: reporter.report('unknown_type', 'error', place, message, { remedy, eventName, hookId }) };
}

/** What a hook runs, or the reason why it cannot run. */
export interface ReadRuns {
  readonly runs?: Runs;
  readonly problem?: Diagnostic;
}

const urlSchema = z.url({ protocol: /^https?$/ });

/** The required fields of each type. Their values must be strings. */
const neededTexts = { command: ['command'], http: ['url'], mcp_tool: ['server', 'tool'], prompt: ['prompt'], agent: ['prompt'] } as const;

export function readRuns(fields: Fields, type: HandlerType, context: HandlerContext, options: Pick<ParseOptions, 'powershell'>): ReadRuns {
  for (const field of neededTexts[type]) {
    const problem = findTextProblem(fields, field, context);
    if (problem !== undefined) return { problem };
  }
  switch (type) {
    case 'command':
      return readCommand(fields, context, options);
    case 'http':
      return readHttp(fields, context);
    case 'mcp_tool': {
      const { server, tool, input = {} } = fields;
      const isTooDeep = unusableValue('input', input) !== undefined;
      if (!isPlainObject(input) || isTooDeep) return { problem: reportField('input', input, 'an object', '"input": { … }', context) };
      return { runs: { kind: 'host', type, data: { server, tool, input } } };
    }
    case 'prompt':
    case 'agent': {
      const { prompt, model, continueOnBlock } = fields;
      return { runs: { kind: 'host', type, data: omitUndefined({ prompt, model, continueOnBlock }) } };
    }
  }
}

function readCommand(fields: Fields, context: HandlerContext, { powershell }: Pick<ParseOptions, 'powershell'>): ReadRuns {
  const { args, shell } = fields;
  const command = fields['command'] as string;
  if (args !== undefined) {
    if (!isTexts(args)) return { problem: reportField('args', args, 'an array of strings', '"args": ["--flag"]', context) };
    return { runs: { kind: 'command', command: { kind: 'program', file: command, args } } };
  }
  if (shell === 'powershell') return { runs: { kind: 'command', command: powershell(command) } };
  if (shell !== undefined && shell !== 'bash') return { problem: reportField('shell', shell, 'a known shell', '"shell": "bash"', context) };
  return { runs: { kind: 'command', command: { kind: 'shell', text: command } } };
}

function readHttp(fields: Fields, context: HandlerContext): ReadRuns {
  const { headers = {}, allowedEnvVars = [] } = fields;
  const url = fields['url'] as string;
  if (!urlSchema.safeParse(url).success) {
    return { problem: reportField('url', shownUrl(url), 'a URL with http or https', '"url": "https://…"', context) };
  }
  if (!isPlainObject(headers) || !isTexts(Object.values(headers))) {
    return { problem: reportField('headers', headers, 'an object of strings', '"headers": { "Authorization": "Bearer $TOKEN" }', context) };
  }
  if (!isTexts(allowedEnvVars)) {
    return { problem: reportField('allowedEnvVars', allowedEnvVars, 'an array of names', '"allowedEnvVars": ["TOKEN"]', context) };
  }
  return { runs: { kind: 'http', url, headers: headers as Readonly<Record<string, string>>, allowedEnvVars } };
}

function findTextProblem(fields: Fields, field: string, { reporter, path, eventName, hookId }: HandlerContext): Diagnostic | undefined {
  const value = fields[field];
  if (typeof value === 'string' && value.trim() !== '') return undefined;
  const what = value === undefined ? `The hook has no "${field}"` : `"${field}" is ${formatValue(value)}`;
  const place = value === undefined ? path : [...path, field];
  return reporter.report('missing_command', 'error', place, `${what}; it does not run.`, {
    remedy: `Write "${field}": "…".`,
    eventName,
    hookId,
  });
}

function reportField(
  field: string,
  value: unknown,
  expected: string,
  instead: string,
  { reporter, path, eventName, hookId }: HandlerContext,
): Diagnostic {
  const message = `"${field}" must be ${expected}, and is ${formatValue(value)}; the hook does not run.`;
  return reporter.report('invalid_hook', 'error', [...path, field], message, { remedy: `Write ${instead}.`, eventName, hookId });
}

function isHandlerType(type: unknown): type is HandlerType {
  return typeof type === 'string' && Object.hasOwn(handlerTypes, type);
}
