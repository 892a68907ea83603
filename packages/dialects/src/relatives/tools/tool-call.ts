import { oncePerInput } from '../../shared/per-input.js';
import { withFileLines, withoutFileLines } from '../../shared/tools/file-lines.js';
import { type McpToolName, mcpToolsIn } from '../../shared/tools/mcp-tool.js';
import { namesInInput as namesOf, ownCallOf, toToolCall } from '../../shared/tools/tool-call.js';
import type { RelativeHost } from '../options.js';
import type { RelativeProduct } from '../product.js';

type Fields = Readonly<Record<string, unknown>>;

/** The beginning of a matcher that names only tools of MCP servers, for agents that write the server after the tool. */
export const mcpPrefix = 'mcp:';

const toolFirst = ({ server, tool }: McpToolName) => `${tool}_${server}`;

function formatOf({ mcpAfterTool }: RelativeProduct): ((name: McpToolName) => string) | undefined {
  return mcpAfterTool ? toolFirst : undefined;
}

/** Returns every name that a matcher may use for one of the agent's own tools. */
export function knownToolNames({ tools, otherTools }: RelativeProduct): readonly string[] {
  return [...new Set(Object.values(tools).flatMap(({ names }) => [...names])), ...otherTools];
}

/** Returns the names of an event's tool for matchers, or undefined if the event has no tool. Hooks with the same input share one result. */
export const namesInInput = oncePerInput((input, { tools, product }: RelativeHost) => {
  const names = namesOf(input, tools, formatOf(product));
  if (names === undefined || !product.mcpAfterTool || isOwn(input)) return names;
  return names.flatMap((name) => [name, `${mcpPrefix}${name}`]);
});

/** Tests whether the tool is certainly one of the host, and of no server. */
function isOwn({ tool_name: name, mcp_context: context }: Fields): boolean {
  return context === undefined && typeof name === 'string' && mcpToolsIn(name).length === 0;
}

/** Returns the tool call of an event, or undefined if the event has no tool. Hooks with the same input share one result. */
export const callOfInput = oncePerInput((input, { tools, home, product }: RelativeHost) => {
  const cwd = typeof input['cwd'] === 'string' ? input['cwd'] : '';
  const adapt = (translated: Fields, hostName: string) =>
    tools.kindOf(hostName) === 'read-many' && product.tools['read-many']?.names[0] === product.tools.read?.names[0]
      ? withFileLines(translated, cwd, home)
      : translated;
  return toToolCall(input, cwd, tools, adapt, formatOf(product));
});

/** Converts arguments that a hook wrote into arguments of the host's tool. */
export function toHostInput(returned: Fields, event: Fields, host: RelativeHost): Fields {
  const { tools, home, product } = host;
  const shown = callOfInput(event, host)?.input ?? {};
  const whole = product.mergesInput ? { ...shown, ...returned } : returned;
  const call = ownCallOf(event, tools);
  if (call === undefined) return whole;
  const { hostName, original, cwd } = call;
  const isList = tools.kindOf(hostName) === 'read-many' && product.tools['read-many']?.names[0] === product.tools.read?.names[0];
  return tools.toHost(hostName, isList ? withoutFileLines(whole, original, cwd, home) : whole, original, cwd);
}
