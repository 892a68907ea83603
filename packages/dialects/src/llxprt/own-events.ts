import type { HookEventName } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';

/** The events of LLxprt Code itself. Its format has all of the catalogue here, for agents that fire them. */
export const productEvents: readonly HookEventName[] = [
  'BeforeTool',
  'AfterTool',
  'BeforeAgent',
  'AfterAgent',
  'BeforeModel',
  'AfterModel',
  'BeforeToolSelection',
  'SessionStart',
  'SessionEnd',
  'PreCompress',
  'Notification',
];

/**
 * The events by which settings are known to be of this format. Those of Claude Code are read here as well, as all of the catalogue are; but
 * settings that speak of nothing else were hardly written for this agent.
 */
const ownEvents: ReadonlySet<string> = new Set<HookEventName>([...productEvents, 'HostStart', 'HostEnd']);

export function eventsIn(value: unknown): string[] {
  const hooks = isPlainObject(value) ? value['hooks'] : undefined;
  return isPlainObject(hooks) ? Object.keys(hooks).filter((name) => ownEvents.has(name)) : [];
}
