import type { Diagnostic } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import { shownUrl, suggestName } from '@tenterhook/runtime/text';
import type { EntryContext } from '../../shared/settings/read-entries.js';
import { formatValue, isText, isTexts } from '../../shared/text.js';
import type { CopilotEvent } from '../input/event-table.js';
import type { Runs } from './hook-data.js';

type Fields = Readonly<Record<string, unknown>>;

/** What decides how a hook runs, besides its own fields. */
export interface RunOptions {
  readonly event: CopilotEvent;
  readonly platform: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly isVsCode: boolean;
  readonly hookId: string;
  /** Replaces placeholders in a text of the settings. */
  fillIn(text: string): string;
}

/** What a hook runs, or the reason why it cannot run. */
export interface ReadRuns {
  readonly runs?: Runs;
  readonly problem?: Diagnostic;
}

const types = ['command', 'http', 'prompt'];

export function readRuns(fields: Fields, context: EntryContext, options: RunOptions): ReadRuns {
  const { type = isText(fields['url']) && !hasCommand(fields) ? 'http' : 'command' } = fields;
  switch (type) {
    case 'command':
      return readCommand(fields, context, options);
    case 'http':
      return readHttp(fields, context, options);
    case 'prompt':
      return readPrompt(fields, context, options);
    default: {
      const remedy = suggestName(type, types, `The types are ${types.join(', ')}.`);
      return { problem: report('unknown_type', 'type', `Unknown hook type ${formatValue(type)}`, remedy, context, options) };
    }
  }
}

const commandFields = ['command', 'bash', 'powershell', 'exec'];

function hasCommand(fields: Fields): boolean {
  return commandFields.some((field) => fields[field] !== undefined);
}

/** The field of VS Code for each platform. */
const systemFields: Readonly<Record<string, string>> = { win32: 'windows', darwin: 'osx', linux: 'linux' };

function readCommand(fields: Fields, context: EntryContext, options: RunOptions): ReadRuns {
  const { platform, isVsCode, fillIn } = options;
  const { exec, args = [] } = fields;
  if (exec !== undefined) {
    if (!isText(exec))
      return { problem: report('missing_command', 'exec', `"exec" is ${formatValue(exec)}`, 'Write "exec": "node".', context, options) };
    if (!isTexts(args)) {
      const message = `"args" must be an array of strings, and is ${formatValue(args)}`;
      return { problem: report('invalid_hook', 'args', message, 'Write "args": ["--flag"].', context, options) };
    }
    return { runs: { kind: 'command', command: { kind: 'program', file: fillIn(exec), args: args.map(fillIn) } } };
  }
  const ofSystem = systemFields[platform];
  const names = [...(isVsCode && ofSystem !== undefined ? [ofSystem] : []), platform === 'win32' ? 'powershell' : 'bash', 'command'];
  const name = names.find((each) => fields[each] !== undefined);
  const text = name === undefined ? undefined : fields[name];
  // The shell of Windows is PowerShell, and is started by its absolute path: the project may have a program of this name.
  if (isText(text) && text.trim() !== '') return { runs: { kind: 'command', command: { kind: 'shell', text: fillIn(text) } } };
  if (name !== undefined) {
    return { problem: report('missing_command', name, `"${name}" is ${formatValue(text)}`, `Write "${name}": "…".`, context, options) };
  }
  const other = commandFields.find((each) => fields[each] !== undefined);
  const message = other === undefined ? 'The hook has no "command"' : `The hook has only "${other}", which this system does not run`;
  return { problem: report('missing_command', undefined, message, 'Write "command": "…", which every system runs.', context, options) };
}

/** The events on which an answer may allow an operation, so that it must not come over an insecure connection. */
const authorizing: readonly CopilotEvent[] = ['preToolUse', 'preMcpToolCall', 'permissionRequest'];

const urlSchema = z.url({ protocol: /^https?$/ });
/** Every supported runtime has `URL`, but the TypeScript libraries of this package do not declare it. */
declare const URL: { new (url: string): { readonly protocol: string; readonly hostname: string }; canParse(url: string): boolean };

const thisMachine = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

function readHttp(fields: Fields, context: EntryContext, options: RunOptions): ReadRuns {
  const { environment, event } = options;
  const { url, headers = {}, allowedEnvVars = [] } = fields;
  if (typeof url !== 'string' || !urlSchema.safeParse(url).success) {
    const shown = typeof url === 'string' ? shownUrl(url) : formatValue(url);
    return {
      problem: report('invalid_hook', 'url', `"url" must be a URL, and is ${shown}`, 'Write "url": "https://…".', context, options),
    };
  }
  if (!isPlainObject(headers) || !isTexts(Object.values(headers))) {
    const message = `"headers" must be an object of strings, and is ${formatValue(headers)}`;
    return { problem: report('invalid_hook', 'headers', message, 'Write "headers": { "X-Team": "a" }.', context, options) };
  }
  if (!isTexts(allowedEnvVars)) {
    const message = `"allowedEnvVars" must be an array of names, and is ${formatValue(allowedEnvVars)}`;
    return { problem: report('invalid_hook', 'allowedEnvVars', message, 'Write "allowedEnvVars": ["TOKEN"].', context, options) };
  }
  const isSecure = /^https:/i.test(url) || mayCallThisMachine(url, environment) || isOn('COPILOT_HOOK_ALLOW_HTTP_AUTH_HOOKS', environment);
  if (!isSecure && (authorizing.includes(event) || allowedEnvVars.length > 0)) {
    const why = authorizing.includes(event) ? `on ${context.dialectEvent}` : 'with "allowedEnvVars"';
    const remedy = 'Write a URL with https. For a server on this machine, set COPILOT_HOOK_ALLOW_LOCALHOST=1.';
    return {
      problem: report('invalid_hook', 'url', `Copilot requires https ${why}, and the URL is ${shownUrl(url)}`, remedy, context, options),
    };
  }
  return { runs: { kind: 'http', url, headers: headers as Readonly<Record<string, string>>, allowedEnvVars } };
}

/** Tests whether a URL means a server on this machine, and the user allows requests to it. */
export function mayCallThisMachine(url: string, environment: RunOptions['environment']): boolean {
  // The parsed URL is compared, because a name such as "localhost" may also be before an @.
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
  return protocol === 'http:' && thisMachine.test(hostname) && isOn('COPILOT_HOOK_ALLOW_LOCALHOST', environment);
}

function isOn(variable: string, environment: RunOptions['environment']): boolean {
  return environment[variable] === '1' || environment[variable] === 'true';
}

function readPrompt({ prompt }: Fields, context: EntryContext, options: RunOptions): ReadRuns {
  if (options.event !== 'sessionStart') {
    const message = `Hooks of the type "prompt" run only on sessionStart, and this one is on ${context.dialectEvent}`;
    return { problem: report('unknown_type', 'type', message, 'Write a hook of the type command.', context, options) };
  }
  if (isText(prompt) && prompt.trim() !== '') return { runs: { kind: 'host', type: 'prompt', data: { prompt } } };
  return { problem: report('missing_command', undefined, 'The hook has no "prompt"', 'Write "prompt": "…".', context, options) };
}

function report(
  code: Diagnostic['code'],
  field: string | undefined,
  what: string,
  remedy: string,
  { reporter, path, eventName }: EntryContext,
  { hookId }: RunOptions,
): Diagnostic {
  const place = field === undefined ? path : [...path, field];
  return reporter.report(code, 'error', place, `${what}; the hook does not run.`, { remedy, eventName, hookId });
}
