import { type Diagnostic, unusableValue } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import * as z from 'zod';
import { formatValue } from '../../shared/text.js';
import type { HandlerType } from '../settings/handler-types.js';
import type { Runs } from '../settings/hook-data.js';
import type { HandlerContext } from './handler-context.js';

/** What a handler runs, or why it cannot. */
export interface ReadRuns {
  readonly runs?: Runs;
  readonly problem?: Diagnostic;
}

const address = z.url({ protocol: /^https?$/ });

type Fields = Readonly<Record<string, unknown>>;

/** What each of these must have, as texts. */
const neededTexts = { command: ['command'], http: ['url'], mcp_tool: ['server', 'tool'], prompt: ['prompt'], agent: ['prompt'] } as const;

export function readRuns(fields: Fields, type: HandlerType, context: HandlerContext): ReadRuns {
  for (const field of neededTexts[type]) {
    const problem = textProblem(fields, field, context);
    if (problem !== undefined) return { problem };
  }
  switch (type) {
    case 'command':
      return readCommand(fields, context);
    case 'http':
      return readHttp(fields, context);
    case 'mcp_tool': {
      const { server, tool, input = {} } = fields;
      const isTooDeep = unusableValue('input', input) !== undefined;
      if (!isPlainObject(input) || isTooDeep) return { problem: report('input', input, 'an object', '"input": { … }', context) };
      return { runs: { kind: 'host', type, data: { server, tool, input } } };
    }
    case 'prompt':
    case 'agent': {
      const { prompt, model, continueOnBlock } = fields;
      return { runs: { kind: 'host', type, data: withGiven({ prompt, model, continueOnBlock }) } };
    }
  }
}

function readCommand(fields: Fields, context: HandlerContext): ReadRuns {
  const { args, shell } = fields;
  const command = fields['command'] as string;
  if (args !== undefined) {
    if (!isTexts(args)) return { problem: report('args', args, 'a list of texts', '"args": ["--flag"]', context) };
    return { runs: { kind: 'command', command: { kind: 'program', file: command, args } } };
  }
  if (shell === 'powershell') {
    const program = { kind: 'program', file: 'pwsh', args: ['-NoProfile', '-NonInteractive', '-Command', command] } as const;
    return { runs: { kind: 'command', command: program } };
  }
  if (shell !== undefined && shell !== 'bash')
    return { problem: report('shell', shell, 'a shell that is known', '"shell": "bash"', context) };
  return { runs: { kind: 'command', command: { kind: 'shell', text: command } } };
}

function readHttp(fields: Fields, context: HandlerContext): ReadRuns {
  const { headers = {}, allowedEnvVars = [] } = fields;
  const url = fields['url'] as string;
  if (!address.safeParse(url).success) {
    return { problem: report('url', url, 'an address of http or https', '"url": "https://…"', context) };
  }
  if (!isPlainObject(headers) || !isTexts(Object.values(headers))) {
    return { problem: report('headers', headers, 'an object of texts', '"headers": { "Authorization": "Bearer $TOKEN" }', context) };
  }
  if (!isTexts(allowedEnvVars)) {
    return { problem: report('allowedEnvVars', allowedEnvVars, 'a list of names', '"allowedEnvVars": ["TOKEN"]', context) };
  }
  return { runs: { kind: 'http', url, headers: headers as Readonly<Record<string, string>>, allowedEnvVars } };
}

function textProblem(fields: Fields, field: string, { reporter, path, eventName, hookId }: HandlerContext): Diagnostic | undefined {
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

function report(
  field: string,
  value: unknown,
  expected: string,
  instead: string,
  { reporter, path, eventName, hookId }: HandlerContext,
): Diagnostic {
  const message = `"${field}" is ${formatValue(value)} and not ${expected}; the hook does not run.`;
  return reporter.report('invalid_hook', 'error', [...path, field], message, { remedy: `Write ${instead}.`, eventName, hookId });
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function withGiven(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
