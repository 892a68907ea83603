import { isPlainObject } from '@tenterhook/runtime/json';
import { absolutePath } from '../../shared/paths.js';
import { mcpToolOf, mcpToolsIn } from '../../shared/tools/mcp-tool.js';
import type { ClaudeHost } from '../options.js';

type Fields = Readonly<Record<string, unknown>>;

/** A call of a tool of the host as Claude Code's hooks know it. */
export interface ClaudeCall {
  /** `tool_name` on stdin. */
  readonly name: string;
  /** Every name that a matcher or a rule may have for the tool, `name` first: a guard that knows one of them must run. */
  readonly names: readonly string[];
  readonly input: Fields;
  /** Two arguments of the host that could both be the same one of Claude Code's, with different values. */
  readonly rivals?: readonly [string, string];
}

/** The names alone, which is all that a matcher needs. If the host does not name the server of a tool, its name may have several readings. */
export function namesOfTool(hostName: string, mcpContext: unknown, { tools }: ClaudeHost): readonly string[] {
  const mcp = mcpToolOf(hostName, mcpContext);
  const own = tools.namesOf(hostName);
  // A mapping of the host counts before a name that looks like a tool of a server.
  if (own[0] !== hostName && !hasServer(mcpContext)) return own;
  if (mcp !== undefined) return [formatMcpName(mcp)];
  const readings = mcpToolsIn(hostName).map(formatMcpName);
  return hostName.startsWith('mcp_') && readings.length > 0 ? readings : [...new Set([...own, ...readings])];
}

const namesByInput = new WeakMap<object, { readonly host: ClaudeHost; readonly names: readonly string[] | undefined }>();

/** The names of the tool of an event; undefined if it names none. Made once for all hooks that see the same input. */
export function namesInInput(input: Fields, host: ClaudeHost): readonly string[] | undefined {
  const known = namesByInput.get(input);
  if (known?.host === host) return known.names;
  const { tool_name: hostName, mcp_context: context } = input;
  const names = typeof hostName === 'string' ? namesOfTool(hostName, context, host) : undefined;
  namesByInput.set(input, { host, names });
  return names;
}

const callsByInput = new WeakMap<object, { readonly host: ClaudeHost; readonly call: ClaudeCall | undefined }>();

/** The call of an event; undefined if it names no tool. Made once for all hooks that see the same input. */
export function callOfInput(input: Fields, host: ClaudeHost): ClaudeCall | undefined {
  const known = callsByInput.get(input);
  if (known?.host === host) return known.call;
  const call = callOf(input, input['cwd'], host);
  callsByInput.set(input, { host, call });
  return call;
}

/** One of the calls of an event that may hold several, with the working directory of the event. */
export function callOf(
  { tool_name: hostName, tool_input: given, mcp_context: context }: Fields,
  directory: unknown,
  host: ClaudeHost,
): ClaudeCall | undefined {
  if (typeof hostName !== 'string') return undefined;
  const names = namesOfTool(hostName, context, host);
  const input = isPlainObject(given) ? given : {};
  if (!isOwnTool(hostName, context, host)) return { name: names[0] as string, names, input };
  const cwd = toText(directory);
  const rivals = host.tools.rivals(hostName, input);
  const translated = host.tools.toDialect(hostName, input, cwd);
  return {
    name: names[0] as string,
    names,
    input: host.tools.kindOf(hostName) === 'read-many' ? withFileLines(translated, cwd) : translated,
    ...(rivals === undefined ? {} : { rivals }),
  };
}

/** Arguments that a hook wrote, as the host's tool takes them. */
export function toHostInput(returned: Fields, input: Fields, host: ClaudeHost): Fields {
  const { tool_name: hostName, tool_input: given, mcp_context: context, cwd: directory } = input;
  if (typeof hostName !== 'string' || !isOwnTool(hostName, context, host)) return returned;
  const [original, cwd] = [isPlainObject(given) ? given : {}, toText(directory)];
  const own = host.tools.kindOf(hostName) === 'read-many' ? withoutFileLines(returned, original, cwd) : returned;
  return host.tools.toHost(hostName, own, original, cwd);
}

/** Where a host's tool that reads several files has them: names, and in Gemini CLI patterns. */
const listKeys = ['paths', 'include'];
const fileKey = 'file_path';

/**
 * Claude Code reads one file at a time, and guards look for it in `file_path`: several files become its lines, so that a guard that searches for
 * a name finds it. Without `file_path` all of them would pass unseen. The host's list stays.
 */
export function withFileLines(input: Fields, cwd: string): Fields {
  const files = getListedFiles(input);
  return files.length === 0 ? input : { ...input, [fileKey]: toFileLines(files, cwd) };
}

/** What a hook wrote, as the host's list. */
export function withoutFileLines(returned: Fields, input: Fields, cwd: string): Fields {
  const files = getListedFiles(input);
  if (files.length === 0) return returned;
  const { [fileKey]: written, ...others } = returned;
  const given = Object.hasOwn(input, fileKey) ? { [fileKey]: input[fileKey] } : {};
  if (typeof written !== 'string' || written === toFileLines(files, cwd)) return { ...others, ...given };
  const [key = 'paths'] = listKeys.filter((name) => Object.hasOwn(input, name));
  const kept = Object.entries(others).filter(([name]) => !listKeys.includes(name));
  return { ...Object.fromEntries(kept), [key]: written.split('\n') };
}

/** With a file that is given next to the list: a guard must see every file that is read. */
function getListedFiles(input: Fields): string[] {
  const listed = listKeys.flatMap((key) => getTexts(input[key]));
  return listed.length === 0 ? [] : [...listed, ...getTexts(input[fileKey])];
}

function getTexts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string' && item !== '');
}

function toFileLines(files: readonly string[], cwd: string): string {
  return files.map((file) => absolutePath(file, cwd)).join('\n');
}

/** Whether the arguments are those of a tool of the host, whose keys can be translated. */
function isOwnTool(hostName: string, mcpContext: unknown, { tools }: ClaudeHost): boolean {
  if (hasServer(mcpContext)) return false;
  return tools.namesOf(hostName)[0] !== hostName || mcpToolOf(hostName, mcpContext) === undefined;
}

function hasServer(mcpContext: unknown): boolean {
  return isPlainObject(mcpContext) && typeof mcpContext['server_name'] === 'string' && mcpContext['server_name'] !== '';
}

/** Names of servers and tools may have characters that no tool name of the product has. */
function formatMcpName({ server, tool }: { readonly server: string; readonly tool: string }): string {
  return `mcp__${server}__${tool}`.replace(/[^\w-]/g, '_');
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
