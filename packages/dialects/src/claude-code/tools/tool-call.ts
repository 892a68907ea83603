import { isPlainObject } from '@tenterhook/runtime/json';
import { mcpToolOf, mcpToolsIn } from '../../shared/tools/mcp-tool.js';
import type { ClaudeHost } from '../options.js';
import { withFileLines, withoutFileLines } from '../several-files.js';

type Fields = Readonly<Record<string, unknown>>;

/** A call of a tool of the host as Claude Code's hooks know it. */
export interface ClaudeCall {
  /** What stands in `tool_name` on stdin. */
  readonly name: string;
  /** Every name that a matcher or a rule may have for it, the told one first: a guard that knows one of them must fire. */
  readonly names: readonly string[];
  readonly input: Fields;
  /** Two arguments of the host that could both be one of Claude Code's, and differ. */
  readonly rivals?: readonly [string, string];
}

/** The names alone, which is all that a matcher needs. Where the host does not say whose a tool is, its name may be read in several ways. */
export function namesOfTool(hostName: string, mcpContext: unknown, { tools }: ClaudeHost): readonly string[] {
  const mcp = mcpToolOf(hostName, mcpContext);
  const own = tools.namesOf(hostName);
  // The host knows better than a name that looks like one of a server.
  if (own[0] !== hostName && !hasServer(mcpContext)) return own;
  if (mcp !== undefined) return [nameOf(mcp)];
  const readings = mcpToolsIn(hostName).map(nameOf);
  return hostName.startsWith('mcp_') && readings.length > 0 ? readings : [...new Set([...own, ...readings])];
}

const madeNames = new WeakMap<object, { readonly host: ClaudeHost; readonly names: readonly string[] | undefined }>();

/** The names of the tool of an event; undefined where it names none. Made once for all hooks that see the same input. */
export function namesInInput(input: Fields, host: ClaudeHost): readonly string[] | undefined {
  const known = madeNames.get(input);
  if (known?.host === host) return known.names;
  const { tool_name: hostName, mcp_context: context } = input;
  const names = typeof hostName === 'string' ? namesOfTool(hostName, context, host) : undefined;
  madeNames.set(input, { host, names });
  return names;
}

/** Whether the arguments are those of a tool of the host, which have names of ours. */
function isOwn(hostName: string, mcpContext: unknown, { tools }: ClaudeHost): boolean {
  if (hasServer(mcpContext)) return false;
  return tools.namesOf(hostName)[0] !== hostName || mcpToolOf(hostName, mcpContext) === undefined;
}

function hasServer(mcpContext: unknown): boolean {
  return isPlainObject(mcpContext) && typeof mcpContext['server_name'] === 'string' && mcpContext['server_name'] !== '';
}

const made = new WeakMap<object, { readonly host: ClaudeHost; readonly call: ClaudeCall | undefined }>();

/** The call of an event; undefined where it names no tool. Made once for all hooks that see the same input. */
export function callOfInput(input: Fields, host: ClaudeHost): ClaudeCall | undefined {
  const known = made.get(input);
  if (known?.host === host) return known.call;
  const call = callOf(input, input['cwd'], host);
  made.set(input, { host, call });
  return call;
}

/** One call of several that an event may tell of, with the working directory of the event. */
export function callOf(
  { tool_name: hostName, tool_input: given, mcp_context: context }: Fields,
  directory: unknown,
  host: ClaudeHost,
): ClaudeCall | undefined {
  if (typeof hostName !== 'string') return undefined;
  const names = namesOfTool(hostName, context, host);
  const input = isPlainObject(given) ? given : {};
  if (!isOwn(hostName, context, host)) return { name: names[0] as string, names, input };
  const cwd = textOf(directory);
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
  if (typeof hostName !== 'string' || !isOwn(hostName, context, host)) return returned;
  const [original, cwd] = [isPlainObject(given) ? given : {}, textOf(directory)];
  const own = host.tools.kindOf(hostName) === 'read-many' ? withoutFileLines(returned, original, cwd) : returned;
  return host.tools.toHost(hostName, own, original, cwd);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Servers and tools have names with other characters as well, which no name of a tool has in the product. */
function nameOf({ server, tool }: { readonly server: string; readonly tool: string }): string {
  return `mcp__${server}__${tool}`.replace(/[^\w-]/g, '_');
}
