import type { HookDefinition, HookEvent, Invocation } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { ClaudeHost } from '../options.js';
import { dataOf, type Runs } from '../settings/hook-data.js';
import { callOfInput } from '../tools/tool-call.js';
import { environmentOf, filledIn, placeholdersOf } from './environment.js';
import { factsOf } from './event-table.js';
import { payloadOf, payloadText } from './payload.js';

type Fields = Readonly<Record<string, unknown>>;

/** What is run, asked or called, with the event as Claude Code tells it. */
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
      reason: `${one} and ${other} say different things of one argument, and the tool may read either. Give one of them.`,
    };
  }
  const payload = payloadOf(event, name, host);
  switch (runs.kind) {
    case 'command':
      return {
        kind: 'command',
        command: commandOf(runs.command, placeholdersOf(event, hook)),
        cwd: event.input.cwd,
        env: environmentOf(event, hook, environment, host),
        stdin: payloadText(payload),
        // A hook that is not waited for has nothing to leave.
        ...(hook.async ? {} : { detachesOnAsyncLine: true as const }),
      };
    case 'http':
      return { kind: 'http', url: runs.url, headers: headersOf(runs, { ...environment, ...dataOf(hook).env }), body: payloadText(payload) };
    case 'host':
      return { kind: 'host', type: runs.type, data: dataFor(runs.data, payload), input: payload };
  }
}

/** A shell expands its own variables; a program that is run without one cannot. */
function commandOf(command: Extract<Runs, { kind: 'command' }>['command'], values: Readonly<Record<string, string>>) {
  if (command.kind === 'shell') return command;
  return { ...command, file: filledIn(command.file, values), args: command.args.map((arg) => filledIn(arg, values)) };
}

/** Variables that the settings do not allow stay as they are written: a secret must not leave for a slip. */
function headersOf({ headers, allowedEnvVars }: Extract<Runs, { kind: 'http' }>, environment: Readonly<Record<string, string>>) {
  const held = (name: string) => (Object.hasOwn(environment, name) ? (environment[name] ?? '') : '');
  const value = (written: string, name: string) => (allowedEnvVars.includes(name) ? held(name) : written);
  const filled = (text: string) =>
    text.replace(/\$\{(\w+)\}|\$(\w+)/g, (written, braced: string | undefined, bare: string | undefined) =>
      value(written, braced ?? bare ?? ''),
    );
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, filled(text)]));
}

/** A prompt holds the event at `$ARGUMENTS`, the arguments of a tool parts of it at `${path.to.field}`. */
function dataFor(data: Fields, payload: Fields): Fields {
  const { prompt, input } = data;
  const text = payloadText(payload);
  return {
    ...data,
    ...(typeof prompt === 'string' ? { prompt: promptWith(prompt, text) } : {}),
    ...(isPlainObject(input) ? { input: withFields(input, payload) } : {}),
  };
}

/** Without a place for it the event stands at the end. */
function promptWith(prompt: string, event: string): string {
  return prompt.includes('$ARGUMENTS') ? prompt.split('$ARGUMENTS').join(event) : `${prompt}\n\n${event}`;
}

function withFields(value: unknown, payload: Fields): unknown {
  if (typeof value === 'string') return withTexts(value, payload);
  if (Array.isArray(value)) return value.map((item) => withFields(item, payload));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withFields(item, payload)]));
}

/** A text that is one placeholder and nothing else takes the value as it is. */
function withTexts(text: string, payload: Fields): unknown {
  const whole = /^\$\{([\w.]+)\}$/.exec(text)?.[1];
  if (whole !== undefined) return valueAt(payload, whole) ?? '';
  return text.replace(/\$\{([\w.]+)\}/g, (_written, path: string) => {
    const value = valueAt(payload, path);
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  });
}

function valueAt(payload: Fields, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : undefined), payload);
}
