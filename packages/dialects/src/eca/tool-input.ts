import type { EcaTool } from './tool.js';

/** What ECA calls the file or folder of a tool, and what hosts do. Other keys are passed as the host names them. */
const ecaKey = 'path';
const hostKeys = ['file_path', 'absolute_path', 'dir_path'];

type ToolInput = Readonly<Record<string, unknown>>;

/** Arguments of a tool under ECA's keys. */
export function toEcaKeys(input: ToolInput, tool: EcaTool | undefined): ToolInput {
  const key = renamedKey(input, tool);
  return key === undefined ? input : renamed(input, key, ecaKey);
}

/** What a hook returned, under the keys that the host gave the arguments `input`. */
export function toHostKeys(returned: ToolInput, input: unknown, tool: EcaTool | undefined): ToolInput {
  const key = renamedKey((input ?? {}) as ToolInput, tool);
  return key === undefined ? returned : renamed(returned, ecaKey, key);
}

/** The key of the host that a hook sees as `path`. None where the arguments have a `path` of their own, and none for tools of a server. */
function renamedKey(input: ToolInput, tool: EcaTool | undefined): string | undefined {
  if (tool?.isHosts !== true || Object.hasOwn(input, ecaKey)) return undefined;
  return hostKeys.find((key) => typeof input[key] === 'string');
}

function renamed(input: ToolInput, from: string, to: string): ToolInput {
  if (!Object.hasOwn(input, from)) return input;
  // One that was returned under both names has one meaning.
  const entries = Object.entries(input).filter(([key]) => key !== to);
  return Object.fromEntries(entries.map(([key, value]) => [key === from ? to : key, value]));
}
