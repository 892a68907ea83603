import { isPlainObject } from '@tenterhook/runtime/json';
import { absolutePath, expandHome } from '../../shared/paths.js';
import { mcpToolOf, mcpToolsIn } from '../../shared/tools/mcp-tool.js';
import type { ClaudeHost } from '../options.js';

type Fields = Readonly<Record<string, unknown>>;

/** A call of a host's tool, under the names that Claude Code's hooks use. */
export interface ClaudeCall {
  /** `tool_name` on stdin. */
  readonly name: string;
  /**
   * Every name of the tool that a matcher or a rule may use, `name` first. All names are compared, so that a guard with any of these names
   * runs.
   */
  readonly names: readonly string[];
  readonly input: Fields;
  /** Two arguments of the host's call that mean the same argument of Claude Code, but have different values. */
  readonly rivals?: readonly [string, string];
}

/**
 * Returns the names of a tool for matchers. The host may pass one text for server and tool. If this text can be split in several ways, all
 * of them are returned.
 */
export function namesOfTool(hostName: string, mcpContext: unknown, { tools }: ClaudeHost): readonly string[] {
  const mcp = mcpToolOf(hostName, mcpContext);
  const own = tools.namesOf(hostName);
  // The host's mapping decides first, even about a name that looks like a tool of a server.
  if (own[0] !== hostName && !hasServer(mcpContext)) return own;
  if (mcp !== undefined) return [formatMcpName(mcp)];
  const readings = mcpToolsIn(hostName).map(formatMcpName);
  return hostName.startsWith('mcp_') && readings.length > 0 ? readings : [...new Set([...own, ...readings])];
}

const namesByInput = new WeakMap<object, { readonly host: ClaudeHost; readonly names: readonly string[] | undefined }>();

/** Returns the names of an event's tool. Undefined if the event has no tool. Hooks with the same input share one result. */
export function namesInInput(input: Fields, host: ClaudeHost): readonly string[] | undefined {
  const known = namesByInput.get(input);
  if (known?.host === host) return known.names;
  const { tool_name: hostName, mcp_context: context } = input;
  const names = typeof hostName === 'string' ? namesOfTool(hostName, context, host) : undefined;
  namesByInput.set(input, { host, names });
  return names;
}

const callsByInput = new WeakMap<object, { readonly host: ClaudeHost; readonly call: ClaudeCall | undefined }>();

/** Returns the tool call of an event. Undefined if the event has no tool. Hooks with the same input share one result. */
export function callOfInput(input: Fields, host: ClaudeHost): ClaudeCall | undefined {
  const known = callsByInput.get(input);
  if (known?.host === host) return known.call;
  const call = callOf(input, input['cwd'], host);
  callsByInput.set(input, { host, call });
  return call;
}

/** Converts one tool call of an event. An event may have several calls. `directory` is the working directory of the event. */
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
    input: host.tools.kindOf(hostName) === 'read-many' ? withFileLines(translated, cwd, host.home) : translated,
    ...(rivals === undefined ? {} : { rivals }),
  };
}

/** Converts arguments that a hook wrote into those of the host's tool. */
export function toHostInput(returned: Fields, input: Fields, host: ClaudeHost): Fields {
  const { tool_name: hostName, tool_input: given, mcp_context: context, cwd: directory } = input;
  if (typeof hostName !== 'string' || !isOwnTool(hostName, context, host)) return returned;
  const [original, cwd] = [isPlainObject(given) ? given : {}, toText(directory)];
  const own = host.tools.kindOf(hostName) === 'read-many' ? withoutFileLines(returned, original, cwd, host.home) : returned;
  return host.tools.toHost(hostName, own, original, cwd);
}

/** The arguments of a host's tool that list several files to read. In Gemini CLI the files may be patterns. */
const listKeys = ['paths', 'include'];
const fileKey = 'file_path';

/**
 * Writes all files of a tool that reads several files into `file_path`, one per line. Guards look only there, because Claude Code's own
 * tool reads one file. The list of the host is kept too.
 */
export function withFileLines(input: Fields, cwd: string, home = ''): Fields {
  const files = getListedFiles(input);
  return files.length === 0 ? input : { ...input, [fileKey]: toFileLines(files, cwd, home) };
}

/** Converts the `file_path` that a hook wrote back into the host's list of files. */
export function withoutFileLines(returned: Fields, input: Fields, cwd: string, home = ''): Fields {
  const files = getListedFiles(input);
  if (files.length === 0) return returned;
  const { [fileKey]: written, ...others } = returned;
  const given = Object.hasOwn(input, fileKey) ? { [fileKey]: input[fileKey] } : {};
  if (typeof written !== 'string' || written === toFileLines(files, cwd, home)) return { ...others, ...given };
  const [key = 'paths'] = listKeys.filter((name) => Object.hasOwn(input, name));
  const kept = Object.entries(others).filter(([name]) => !listKeys.includes(name));
  return { ...Object.fromEntries(kept), [key]: written.split('\n') };
}

/** Returns all files that a tool reads. Another argument may name a file that is not in the list, and a guard must see every file. */
function getListedFiles(input: Fields): string[] {
  const listed = listKeys.flatMap((key) => getTexts(input[key]));
  return listed.length === 0 ? [] : [...listed, ...getTexts(input[fileKey])];
}

function getTexts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string' && item !== '');
}

function toFileLines(files: readonly string[], cwd: string, home: string): string {
  return files.map((file) => absolutePath(expandHome(file, home), cwd)).join('\n');
}

/** Tests whether the tool belongs to the host, not to an MCP server. Only arguments of the host's tools can be translated. */
function isOwnTool(hostName: string, mcpContext: unknown, { tools }: ClaudeHost): boolean {
  if (hasServer(mcpContext)) return false;
  return tools.namesOf(hostName)[0] !== hostName || mcpToolOf(hostName, mcpContext) === undefined;
}

function hasServer(mcpContext: unknown): boolean {
  return isPlainObject(mcpContext) && typeof mcpContext['server_name'] === 'string' && mcpContext['server_name'] !== '';
}

/** Replaces characters that Claude Code does not allow in tool names. An MCP server or its tools may have names with such characters. */
function formatMcpName({ server, tool }: { readonly server: string; readonly tool: string }): string {
  return `mcp__${server}__${tool}`.replace(/[^\w-]/g, '_');
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
