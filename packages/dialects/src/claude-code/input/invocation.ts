import type { HookDefinition, HookEvent, Invocation } from '@tenterhook/protocol';
import { isPlainObject, valueAt } from '@tenterhook/runtime/json';
import { fillInHeaders } from '../../shared/header-variables.js';
import { refusedCall } from '../../shared/tools/tool-call.js';
import type { ClaudeHost } from '../options.js';
import { dataOf, type Runs } from '../settings/hook-data.js';
import { callOfInput } from '../tools/tool-call.js';
import { createEnvironment, fillIn, getPlaceholders } from './environment.js';
import { factsOf } from './event-table.js';
import { payloadOf, payloadText } from './payload.js';

type Fields = Readonly<Record<string, unknown>>;

/** Returns what to run or call for a hook, with the event in Claude Code's format. */
export function invocation(
  event: HookEvent,
  hook: HookDefinition,
  environment: Readonly<Record<string, string>>,
  host: ClaudeHost,
): Invocation {
  const { event: name, runs } = dataOf(hook);
  const isBefore = factsOf(name).ofTool && event.input['tool_response'] === undefined;
  const refused = isBefore ? refusedCall(callOfInput(event.input, host)) : undefined;
  if (refused !== undefined) return refused;
  const payload = payloadOf(event, name, host);
  switch (runs.kind) {
    case 'command': {
      const placeholders = getPlaceholders(event, hook, environment, host);
      const { CLAUDE_PLUGIN_DATA: dataDirectory } = placeholders;
      return {
        kind: 'command',
        command: fillInCommand(runs.command, placeholders),
        cwd: event.input.cwd,
        env: createEnvironment(event, hook, environment, placeholders, host),
        stdin: payloadText(payload),
        ...(dataDirectory === undefined ? {} : { directories: [dataDirectory] }),
        // An async hook is detached from the start, so its output is not searched for the line that detaches.
        ...(hook.async ? {} : { detachesOnAsyncLine: true as const }),
      };
    }
    case 'http':
      return {
        kind: 'http',
        url: runs.url,
        headers: fillInHeaders(runs.headers, getAllowedVariables(hook), { ...environment, ...dataOf(hook).env }),
        body: payloadText(payload),
      };
    case 'host':
      return { kind: 'host', type: runs.type, data: fillInData(runs.data, payload), input: payload };
  }
}

/** Replaces `${NAME}` in a command that runs without a shell. A shell expands variables itself. */
function fillInCommand(command: Extract<Runs, { kind: 'command' }>['command'], values: Readonly<Record<string, string>>) {
  if (command.kind === 'shell') return command;
  return { ...command, file: fillIn(command.file, values), args: command.args.map((arg) => fillIn(arg, values)) };
}

/**
 * Returns the environment variables that headers of the hook may contain. Settings of other levels may have shortened the list in
 * the hook's own settings.
 */
function getAllowedVariables({ action }: HookDefinition): readonly string[] {
  return action.kind === 'http' ? action.allowedEnvVars : [];
}

/**
 * Inserts data of the event into texts of a hook. In a prompt, `$ARGUMENTS` becomes the event as JSON. In the arguments of a tool,
 * `${path.to.field}` becomes that field of the event.
 */
function fillInData(data: Fields, payload: Fields): Fields {
  const { prompt, input } = data;
  const text = payloadText(payload);
  return {
    ...data,
    ...(typeof prompt === 'string' ? { prompt: fillInPrompt(prompt, text) } : {}),
    ...(isPlainObject(input) ? { input: fillInFields(input, payload) } : {}),
  };
}

/** Replaces `$ARGUMENTS` by the event, or appends the event to a prompt without `$ARGUMENTS`. */
function fillInPrompt(prompt: string, event: string): string {
  return prompt.includes('$ARGUMENTS') ? prompt.split('$ARGUMENTS').join(event) : `${prompt}\n\n${event}`;
}

function fillInFields(value: unknown, payload: Fields): unknown {
  if (typeof value === 'string') return fillInText(value, payload);
  if (Array.isArray(value)) return value.map((item) => fillInFields(item, payload));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillInFields(item, payload)]));
}

/** Replaces placeholders in a text. If the text is one placeholder, the result is the value itself, which may have any type. */
function fillInText(text: string, payload: Fields): unknown {
  const whole = /^\$\{([\w.]+)\}$/.exec(text)?.[1];
  if (whole !== undefined) return valueAt(payload, whole.split('.')) ?? '';
  return text.replace(/\$\{([\w.]+)\}/g, (_written, path: string) => {
    const value = valueAt(payload, path.split('.'));
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  });
}
