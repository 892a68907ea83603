import { isPlainObject } from '@tenterhook/runtime/json';
import type { GeminiHost } from './options.js';
import { isNamed } from './tool-names.js';
import { rivalFiles, withFile, withoutFile } from './tools.js';

type Fields = Readonly<Record<string, unknown>>;

/** The arguments of an event's tool as hooks are told them; `told` is the name that they have for it. Undefined where there are none. */
export function toldInput(input: Fields, told: string, host: GeminiHost): Fields | undefined {
  const { tool_input: given } = input;
  if (!isPlainObject(given)) return undefined;
  const name = namedTool(input, host);
  return name === undefined ? withFile(told, given) : host.tools.toDialect(name, given, cwdOf(input));
}

/** Arguments that a hook wrote, under the keys of the host. */
export function writtenInput(returned: Fields, input: Fields, host: GeminiHost): Fields {
  const { tool_name: toolName, tool_input: given } = input;
  const name = namedTool(input, host);
  if (name === undefined) return withoutFile(toolName, returned, given);
  return host.tools.toHost(name, returned, isPlainObject(given) ? given : {}, cwdOf(input));
}

/** Two arguments of a tool that could both be one of Gemini CLI's, and differ: a guard would be shown the one while the tool reads the other. */
export function rivalsIn(input: Fields, host: GeminiHost): readonly [string, string] | undefined {
  const { tool_input: given } = input;
  const name = namedTool(input, host);
  if (!isPlainObject(given)) return undefined;
  return name === undefined ? rivalFiles(input['tool_name'], given) : host.tools.rivals(name, given);
}

function namedTool({ tool_name: name, mcp_context: context }: Fields, host: GeminiHost): string | undefined {
  return typeof name === 'string' && isNamed(name, context, host) ? name : undefined;
}

function cwdOf({ cwd }: Fields): string {
  return typeof cwd === 'string' ? cwd : '';
}
