import type { HookDefinition, HookEvent, Invocation } from '@tenterhook/protocol';
import { isPlainObject, valueAt } from '@tenterhook/runtime/json';
import type { ClaudeHost } from '../options.js';
import { dataOf, type Runs } from '../settings/hook-data.js';
import { callOfInput } from '../tools/tool-call.js';
import { createEnvironment, fillIn, getPlaceholders } from './environment.js';
import { factsOf } from './event-table.js';
import { payloadOf, payloadText } from './payload.js';

type Fields = Readonly<Record<string, unknown>>;

/** What to run or call, with the event as Claude Code sends it. */
export function invocation(
  event: HookEvent,
  hook: HookDefinition,
  environment: Readonly<Record<string, string>>,
  host: ClaudeHost,
): Invocation {
  const { event: name, runs } = dataOf(hook);
  const rivals = factsOf(name).ofTool && event.input['tool_response'] === undefined ? callOfInput(event.input, host)?.rivals : undefined;
  if (rivals !== undefined) {
    const [one, other] = rivals.map((key) => JSON.stringify(key));
    return {
      kind: 'refused',
      reason: `${one} and ${other} are the same argument with different values, and the tool may read either. Pass only one of them.`,
    };
  }
  const payload = payloadOf(event, name, host);
  switch (runs.kind) {
    case 'command':
      return {
        kind: 'command',
        command: fillInCommand(runs.command, getPlaceholders(event, hook)),
        cwd: event.input.cwd,
        env: createEnvironment(event, hook, environment, host),
        stdin: payloadText(payload),
        // An async hook runs detached from the start.
        ...(hook.async ? {} : { detachesOnAsyncLine: true as const }),
      };
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

/** A shell expands variables itself; a program that runs without a shell cannot. */
function fillInCommand(command: Extract<Runs, { kind: 'command' }>['command'], values: Readonly<Record<string, string>>) {
  if (command.kind === 'shell') return command;
  return { ...command, file: fillIn(command.file, values), args: command.args.map((arg) => fillIn(arg, values)) };
}

/** Of the definition, not as parsed: lists of other levels may have made it shorter. */
function getAllowedVariables({ action }: HookDefinition): readonly string[] {
  return action.kind === 'http' ? action.allowedEnvVars : [];
}

/** Variables that the settings do not allow stay as written, so that a mistake does not send a secret. */
function fillInHeaders(
  headers: Readonly<Record<string, string>>,
  allowedEnvVars: readonly string[],
  environment: Readonly<Record<string, string>>,
) {
  const held = (name: string) => (Object.hasOwn(environment, name) ? (environment[name] ?? '') : '');
  const value = (written: string, name: string) => (allowedEnvVars.includes(name) ? held(name) : written);
  const filled = (text: string) =>
    text.replace(/\$\{(\w+)\}|\$(\w+)/g, (written, braced: string | undefined, bare: string | undefined) =>
      value(written, braced ?? bare ?? ''),
    );
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, filled(text)]));
}

/** Fills in the event at `$ARGUMENTS` of a prompt, and its fields at `${path.to.field}` of a tool's arguments. */
function fillInData(data: Fields, payload: Fields): Fields {
  const { prompt, input } = data;
  const text = payloadText(payload);
  return {
    ...data,
    ...(typeof prompt === 'string' ? { prompt: fillInPrompt(prompt, text) } : {}),
    ...(isPlainObject(input) ? { input: fillInFields(input, payload) } : {}),
  };
}

/** Without `$ARGUMENTS` the event is appended. */
function fillInPrompt(prompt: string, event: string): string {
  return prompt.includes('$ARGUMENTS') ? prompt.split('$ARGUMENTS').join(event) : `${prompt}\n\n${event}`;
}

function fillInFields(value: unknown, payload: Fields): unknown {
  if (typeof value === 'string') return fillInText(value, payload);
  if (Array.isArray(value)) return value.map((item) => fillInFields(item, payload));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillInFields(item, payload)]));
}

/** A text that is a single placeholder becomes the value itself, of any type. */
function fillInText(text: string, payload: Fields): unknown {
  const whole = /^\$\{([\w.]+)\}$/.exec(text)?.[1];
  if (whole !== undefined) return valueAt(payload, whole.split('.')) ?? '';
  return text.replace(/\$\{([\w.]+)\}/g, (_written, path: string) => {
    const value = valueAt(payload, path.split('.'));
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  });
}
