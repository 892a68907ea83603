import { type Diagnostic, type Dialect, eventEntry, type HookDefinition, type HookEvent, type HookEventName } from '@tenterhook/protocol';
import { placeOfHook } from '@tenterhook/protocol/internal';
import { nearestName } from '@tenterhook/runtime/text';

/** A tool of an MCP server, as the agent passes it in events: `name` is `tool_name`, `server` is `mcp_context.server_name`. */
export interface McpTool {
  readonly name: string;
  readonly server: string;
}

/**
 * A tool of the agent: the name of a built-in tool, or an MCP tool with its server. A name such as `server__tool` or `mcp__server__tool`
 * may be either, because agents also use such names for MCP tools.
 */
export type AgentTool = string | McpTool;

const shownTools = 10;

/** Returns the tool's name in events. */
export function nameOfTool(tool: AgentTool): string {
  return typeof tool === 'string' ? tool : tool.name;
}

/**
 * Reports hooks whose matcher matches none of the agent's tools. They are enabled but never run. Calls `select` of the dialect, because
 * only the dialect knows what a matcher is compared with.
 */
export function unmatchedMatchers(
  hooks: readonly HookDefinition[],
  dialect: Dialect,
  tools: readonly AgentTool[],
  projectDir: string,
): Diagnostic[] {
  if (tools.length === 0) return [];
  return hooks
    .filter(({ eventName, skip }) => skip === undefined && eventEntry(eventName).matcherField === 'tool_name')
    .flatMap((hook) => {
      const reasons = reasonsAgainst(hook, dialect, tools, projectDir);
      return reasons === undefined ? [] : [unmatched(hook, reasons)];
    });
}

/** Returns for each tool why the hook does not run. Undefined if the hook may run for at least one tool. */
function reasonsAgainst(
  hook: HookDefinition,
  dialect: Dialect,
  tools: readonly AgentTool[],
  projectDir: string,
): ReadonlyMap<AgentTool, string> | undefined {
  const reasons = new Map<AgentTool, string>();
  for (const tool of tools) {
    const found = firedAs(tool).map((fired) => reasonAgainst(hook, dialect, eventOf(hook.eventName, fired, projectDir)));
    const [reason] = found;
    if (reason === undefined || found.includes(undefined)) return undefined;
    reasons.set(tool, reason);
  }
  return reasons;
}

/**
 * Returns why the hook does not run for a tool, if the tool's name decides this. Returns undefined if another input or a rewrite could make
 * the hook run for this tool.
 */
function reasonAgainst(hook: HookDefinition, dialect: Dialect, event: HookEvent): string | undefined {
  try {
    const selection = dialect.select(hook, event);
    return !selection.run && selection.skipReason === 'matcher' && selection.reconsider !== true ? selection.reason : undefined;
  } catch {
    return undefined;
  }
}

function eventOf(eventName: HookEventName, { name, server }: ReturnType<typeof firedAs>[number], projectDir: string): HookEvent {
  const base = { session_id: '', transcript_path: '', cwd: projectDir, hook_event_name: eventName, timestamp: '1970-01-01T00:00:00.000Z' };
  const mcp = server === undefined ? {} : { mcp_context: { server_name: server, tool_name: name } };
  return { eventName, projectDir, input: { ...base, tool_name: name, tool_input: {}, tool_response: {}, ...mcp } };
}

function unmatched(hook: HookDefinition, reasons: ReadonlyMap<AgentTool, string>): Diagnostic {
  const matcher = hook.matcher === undefined ? 'The matcher' : `The matcher ${JSON.stringify(hook.matcher)}`;
  const matchesNone = reasons.size === 1 ? 'does not match the only tool' : `matches none of the ${reasons.size} tools`;
  return {
    code: 'unmatched_matcher',
    severity: 'warning',
    message: `${matcher} ${matchesNone} that the agent has; the hook never runs.`,
    remedy: remedyFor(hook.matcher ?? '', reasons),
    ...placeOfHook(hook),
  };
}

function remedyFor(matcher: string, reasons: ReadonlyMap<AgentTool, string>): string {
  const byName = new Map([...reasons].flatMap(([tool, reason]) => getSpellings(tool).map((name) => [name, reason] as const)));
  // The name is correct, but the dialect compares its matchers with another value. The dialect's reason names this value.
  if (byName.has(matcher)) return `For "${matcher}" ${byName.get(matcher)}.`;
  const nearest = nearestTool(matcher, [...byName.keys()]);
  if (nearest !== undefined) return `Did you mean "${nearest}"?`;
  const names = [...reasons.keys()].map(wholeName);
  return `Its tools are ${names.slice(0, shownTools).join(', ')}${names.length > shownTools ? ', …' : ''}.`;
}

/** Finds a tool with a similar name. Splits the pattern at characters that no tool name contains, and compares each part. */
function nearestTool(matcher: string, toolNames: readonly string[]): string | undefined {
  const names = matcher.split(/[^\w:./-]+/).filter((name) => name !== '');
  return names.map((name) => nearestName(name, toolNames)).find((nearest) => nearest !== undefined);
}

/** Returns the pairs of name and server that an event for the tool may have. The given pair is first. */
function firedAs(tool: AgentTool): readonly { readonly name: string; readonly server?: string }[] {
  if (typeof tool === 'string') return [{ name: tool }, ...splitMcpNames(tool)];
  return [tool, ...splitMcpNames(tool.name).filter(({ server }) => server === tool.server)];
}

function wholeName(tool: AgentTool): string {
  return typeof tool === 'string' ? tool : `${tool.server}__${tool.name}`;
}

/** Returns the names that a matcher may use for the tool. Some dialects know only the name, not the server. */
function getSpellings(tool: AgentTool): readonly string[] {
  return typeof tool === 'string' ? [tool] : [wholeName(tool), tool.name];
}

/**
 * Splits a name at every `__`, because the name of a server or tool may contain `__` too. Too many splits may hide a warning, which does
 * less harm than a wrong warning.
 */
function splitMcpNames(name: string): McpTool[] {
  const whole = /^mcp__.+?__./s.test(name) ? name.slice('mcp__'.length) : name;
  return [...whole.matchAll(/__/g)]
    .map(({ index }) => ({ server: whole.slice(0, index), name: whole.slice(index + 2) }))
    .filter((part) => part.server !== '' && part.name !== '');
}
