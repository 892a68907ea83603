import { oncePerInput } from '../../shared/per-input.js';
import { withFileLines, withoutFileLines } from '../../shared/tools/file-lines.js';
import { namesInInput as namesOf, ownCallOf, type ToolCall, toToolCall } from '../../shared/tools/tool-call.js';
import type { ClaudeHost } from '../options.js';

type Fields = Readonly<Record<string, unknown>>;

/** Returns the names of an event's tool, or undefined if the event has no tool. Hooks with the same input share one result. */
export const namesInInput = oncePerInput((input, { tools }: ClaudeHost) => namesOf(input, tools));

/** Returns the tool call of an event, or undefined if the event has no tool. Hooks with the same input share one result. */
export const callOfInput = oncePerInput((input, host: ClaudeHost) => callOf(input, input['cwd'], host));

/** Converts one tool call of an event. An event may have several calls. `directory` is the working directory of the event. */
export function callOf(call: Fields, directory: unknown, { tools, home }: ClaudeHost): ToolCall | undefined {
  const cwd = typeof directory === 'string' ? directory : '';
  return toToolCall(call, cwd, tools, (input, hostName) =>
    tools.kindOf(hostName) === 'read-many' ? withFileLines(input, cwd, home) : input,
  );
}

/** Converts arguments that a hook wrote into arguments of the host's tool. */
export function toHostInput(returned: Fields, input: Fields, { tools, home }: ClaudeHost): Fields {
  const call = ownCallOf(input, tools);
  if (call === undefined) return returned;
  const { hostName, original, cwd } = call;
  const own = tools.kindOf(hostName) === 'read-many' ? withoutFileLines(returned, original, cwd, home) : returned;
  return tools.toHost(hostName, own, original, cwd);
}
