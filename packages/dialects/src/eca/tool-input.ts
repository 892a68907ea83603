import { isSameJson } from '@tenterhook/protocol';
import type { EcaTool } from './tool.js';

/** What ECA calls the file or folder of a tool, and what hosts do. Other arguments are passed as the host names them. */
const ecaKey = 'path';
const hostKeys = ['file_path', 'absolute_path', 'dir_path'];

/** ECA's names of tools that are about one file or folder, and of those that are about none. */
const fileTools = ['read_file', 'write_file', 'edit_file', 'directory_tree', 'grep'];
const otherTools = ['shell_command', 'spawn_agent', 'ask_user'];

type ToolInput = Readonly<Record<string, unknown>>;

/** Arguments of a tool under ECA's keys. */
export function toEcaKeys(input: ToolInput, tool: EcaTool | undefined): ToolInput {
  const [key] = fileKeys(input, tool);
  if (key === undefined) return input;
  const entries = Object.entries(input).filter(([name]) => name !== ecaKey || name === key);
  return Object.fromEntries(entries.map(([name, value]) => [name === key ? ecaKey : name, value]));
}

/** What a hook returned, under the keys that the host gave the arguments `input`: a file that stands there twice must not become two. */
export function toHostKeys(returned: ToolInput, input: unknown, tool: EcaTool | undefined): ToolInput {
  const keys = fileKeys((input ?? {}) as ToolInput, tool);
  if (keys.length === 0 || !Object.hasOwn(returned, ecaKey)) return returned;
  const { [ecaKey]: file, ...others } = returned;
  return { ...others, ...Object.fromEntries(keys.map((key) => [key, file])) };
}

/**
 * Two arguments that could both be the file of a tool, and name different ones; undefined where there is no doubt. A guard that is shown the
 * one while the tool reads the other is no guard, and it is the model that chooses the arguments. Of a tool that ECA does not know, several
 * may have a meaning each, and all are shown as they are.
 */
export function rivalsIn(input: ToolInput, tool: EcaTool | undefined): readonly [string, string] | undefined {
  if (tool?.isHosts !== true || !fileTools.includes(tool.name)) return undefined;
  const [key, ...others] = presentKeys(input);
  const rival = others.find((other) => !isSameJson(input[other], input[key as string]));
  return rival === undefined ? undefined : [key as string, rival];
}

/** The keys under which the file stands that a hook sees as `path`; none for tools of a server, whose keys are their own. */
function fileKeys(input: ToolInput, tool: EcaTool | undefined): readonly string[] {
  if (tool?.isHosts !== true || otherTools.includes(tool.name)) return [];
  const present = presentKeys(input);
  return fileTools.includes(tool.name) || present.length === 1 ? present : [];
}

function presentKeys(input: ToolInput): string[] {
  return [...hostKeys, ecaKey].filter((key) => Object.hasOwn(input, key) && input[key] !== null);
}
