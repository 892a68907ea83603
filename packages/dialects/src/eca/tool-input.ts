import { isSameJson } from '@tenterhook/protocol';
import type { EcaTool } from './tool.js';

/** What ECA calls the file or folder of a tool. Other arguments are passed as the host names them. */
const ecaKey = 'path';

/** What hosts call it. */
const hostKeys = ['file_path', 'absolute_path', 'dir_path', ecaKey] as const;

/** The keys that tools of LLxprt and Gemini CLI read. Another of the keys above is a decoy there: the tool does not look at it. */
const keysOfTools: Readonly<Record<string, readonly string[]>> = {
  write_file: ['file_path'],
  replace: ['file_path'],
  read_file: ['absolute_path', 'file_path'],
  list_directory: ['dir_path', 'path'],
  grep_search: ['dir_path', 'path'],
  // These are about no file.
  run_shell_command: [],
  invoke_agent: [],
  ask_user: [],
};

type ToolInput = Readonly<Record<string, unknown>>;

/**
 * Arguments of a tool under ECA's keys. Throws where two of them could be its file and they differ: a guard that is shown the one while the
 * tool reads the other would be no guard, and the model chooses the arguments.
 */
export function toEcaKeys(input: ToolInput, tool: EcaTool | undefined): ToolInput {
  const key = fileKey(input, tool);
  return key === undefined ? input : renamed(input, key, ecaKey);
}

/** What a hook returned, under the keys that the host gave the arguments `input`. */
export function toHostKeys(returned: ToolInput, input: unknown, tool: EcaTool | undefined): ToolInput {
  const key = fileKey((input ?? {}) as ToolInput, tool);
  return key === undefined ? returned : renamed(returned, ecaKey, key);
}

/** The key of the host that a hook sees as `path`; none for tools of a server, whose keys are their own. */
function fileKey(input: ToolInput, tool: EcaTool | undefined): string | undefined {
  if (tool?.isHosts !== true) return undefined;
  const read = Object.hasOwn(keysOfTools, tool.hostName) ? (keysOfTools[tool.hostName] as readonly string[]) : hostKeys;
  const [key, ...others] = read.filter((name) => Object.hasOwn(input, name) && input[name] !== null);
  const rival = others.find((other) => !isSameJson(input[other], input[key as string]));
  if (rival !== undefined) {
    throw new Error(
      `"${key}" and "${rival}" of ${tool.hostName} name different files, and which one it reads is not known; the hook was not asked.`,
    );
  }
  return key;
}

function renamed(input: ToolInput, from: string, to: string): ToolInput {
  if (from === to || !Object.hasOwn(input, from)) return input;
  // One that stands under both names has one meaning.
  const entries = Object.entries(input).filter(([key]) => key !== to);
  return Object.fromEntries(entries.map(([key, value]) => [key === from ? to : key, value]));
}
