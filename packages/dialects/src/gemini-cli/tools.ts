import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import { canonicalTools, fileKeys } from '../shared/tools/canonical-tools.js';
import { mcpToolOf, mcpToolsIn } from '../shared/tools/mcp-tool.js';
import type { GeminiHost } from './options.js';

type Fields = Readonly<Record<string, unknown>>;

/** Tools of Gemini CLI that are not in the canonical table. */
const ownTools = [
  'save_memory',
  'write_todos',
  'activate_skill',
  'get_internal_docs',
  'enter_plan_mode',
  'exit_plan_mode',
  'complete_task',
];

/** Every name that a matcher may use for one of Gemini CLI's own tools. */
export const knownToolNames: readonly string[] = [...Object.values(canonicalTools).flatMap(({ names }) => [...names]), ...ownTools];

/**
 * Returns every name that a matcher may use for the tool of an event. The first is `tool_name` on stdin. A tool of the host has its
 * name in the option `tools`, or else the host's name. An MCP tool is `mcp_server_tool`. Returns undefined if the event has no
 * tool.
 */
export function namesInInput(
  { tool_name: hostName, mcp_context: context }: Fields,
  host: GeminiHost,
): readonly [string, ...string[]] | undefined {
  if (typeof hostName !== 'string') return undefined;
  const readings = isPlainObject(context) ? [] : mcpToolsIn(hostName).map(formatMcpName);
  const tool = mcpToolOf(hostName, context);
  const ofServer = tool === undefined ? [] : [formatMcpName(tool)];
  const mapped = isMapped(hostName, context, host) ? host.tools.namesOf(hostName) : [];
  return [...new Set([...mapped, ...ofServer, hostName, ...readings])] as [string, ...string[]];
}

/**
 * Returns the arguments of an event's tool as hooks receive them. `nameForHook` is the tool name for hooks. Returns undefined if
 * the event has no arguments.
 */
export function toHookInput(input: Fields, nameForHook: string, host: GeminiHost): Fields | undefined {
  const { tool_input: given } = input;
  if (!isPlainObject(given)) return undefined;
  const name = getMappedName(input, host);
  return name === undefined ? withFile(nameForHook, given) : host.tools.toDialect(name, given, getCwd(input));
}

/** Returns the arguments that a hook wrote, under the keys of the host. */
export function toHostInput(returned: Fields, input: Fields, host: GeminiHost): Fields {
  const { tool_name: toolName, tool_input: given } = input;
  const name = getMappedName(input, host);
  if (name === undefined) return withoutFile(toolName, returned, given);
  return host.tools.toHost(name, returned, isPlainObject(given) ? given : {}, getCwd(input));
}

/**
 * Returns two arguments of the call that have the same meaning in Gemini CLI, but different values. A guard could check one, and
 * the tool could read the other.
 */
export function findRivalArguments(input: Fields, host: GeminiHost): readonly [string, string] | undefined {
  const { tool_input: given } = input;
  const name = getMappedName(input, host);
  if (!isPlainObject(given)) return undefined;
  return name === undefined ? findRivalFiles(input['tool_name'], given) : host.tools.rivals(name, given);
}

/** The tools that work on one file. Guards look for the file only under Gemini CLI's key, `file_path`. */
const fileTools: readonly unknown[] = ['read_file', 'write_file', 'replace'];
const fileKey = 'file_path';
const ownFileKeys = [fileKey, 'absolute_path'];

/**
 * Adds the file under Gemini CLI's key if the host passes it under another key. Otherwise a guard would find no file and allow the
 * call. The host's key stays in the arguments, because hooks may read either key.
 */
export function withFile(toolName: unknown, toolInput: Fields): Fields {
  const key = findHostFileKey(toolName, toolInput);
  return key === undefined ? toolInput : { ...toolInput, [fileKey]: toolInput[key] };
}

/** Moves a file that a hook wrote from Gemini CLI's key to the host's key. */
export function withoutFile(toolName: unknown, returned: Fields, toolInput: unknown): Fields {
  const original = isPlainObject(toolInput) ? toolInput : {};
  const key = findHostFileKey(toolName, original);
  if (key === undefined || !Object.hasOwn(returned, fileKey)) return returned;
  const { [fileKey]: file, ...others } = returned;
  // The hook may have changed the file only under the host's key. The unchanged value of `file_path` must not replace this change.
  const isWritten = !isSameJson(file, original[key]);
  return isWritten || !Object.hasOwn(others, key) ? { ...others, [key]: file } : others;
}

/**
 * Returns two keys of a tool's input that name different files, or undefined. A model may pass both, and it is unknown which of
 * them the tool reads.
 */
export function findRivalFiles(toolName: unknown, toolInput: Fields): readonly [string, string] | undefined {
  if (!fileTools.includes(toolName)) return undefined;
  const [key, ...others] = fileKeys.filter((name) => isFile(toolInput[name]));
  const other = others.find((name) => toolInput[name] !== toolInput[key as string]);
  return key === undefined || other === undefined ? undefined : [key, other];
}

function findHostFileKey(toolName: unknown, toolInput: Fields): string | undefined {
  if (!fileTools.includes(toolName) || ownFileKeys.some((key) => isFile(toolInput[key]))) return undefined;
  return fileKeys.find((key) => isFile(toolInput[key]));
}

function isFile(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function getMappedName({ tool_name: name, mcp_context: context }: Fields, host: GeminiHost): string | undefined {
  return typeof name === 'string' && isMapped(name, context, host) ? name : undefined;
}

/** Tests whether the option `tools` maps the tool. An MCP tool never belongs to the host, even if its name is in this option. */
function isMapped(hostName: string, mcpContext: unknown, { namedTools }: GeminiHost): boolean {
  const server = isPlainObject(mcpContext) ? mcpContext['server_name'] : undefined;
  return namedTools.includes(hostName) && (typeof server !== 'string' || server === '');
}

function formatMcpName({ server, tool }: { readonly server: string; readonly tool: string }): string {
  return `mcp_${server}_${tool}`;
}

function getCwd({ cwd }: Fields): string {
  return typeof cwd === 'string' ? cwd : '';
}
