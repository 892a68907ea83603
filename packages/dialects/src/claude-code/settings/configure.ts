import type { HookDefinition, ParsedSettings } from '@tenterhook/protocol';
import { sessionEndS } from './handler-types.js';
import { type ClaudeHookData, dataOf } from './hook-data.js';
import { type GeneralSettings, mergeEnv } from './policies.js';

const maxSessionEndMs = 60_000;

/** What the documents that reach the hooks of one level set for all of them. */
interface OfLevel {
  readonly env: Readonly<Record<string, string>>;
  readonly sessionEndMs: number;
}

/** Computed once for each level: the list is the same for all of its hooks. */
const ofLevels = new WeakMap<readonly ParsedSettings[], OfLevel>();

/** The hook with the variables of the documents that reach it, and with its part of the timeout at the end of a session. */
export function configure(hook: HookDefinition, reaching: readonly ParsedSettings[]): HookDefinition {
  let ofLevel = ofLevels.get(reaching);
  if (ofLevel === undefined) {
    ofLevel = readLevel(reaching);
    ofLevels.set(reaching, ofLevel);
  }
  const { env, sessionEndMs } = ofLevel;
  const data: ClaudeHookData = Object.keys(env).length === 0 ? dataOf(hook) : { ...dataOf(hook), env };
  const timeoutMs = hook.eventName === 'SessionEnd' ? Math.min(data.writtenTimeoutMs ?? sessionEndMs, sessionEndMs) : hook.timeoutMs;
  return { ...hook, timeoutMs, dialectData: data };
}

/**
 * At the end of a session there is one timeout for all hooks, the longest that any of them asks for: they run in parallel, so each may use all of it.
 * Hooks of a lower level do not change that of a higher one.
 */
function readLevel(reaching: readonly ParsedSettings[]): OfLevel {
  const general = reaching.map(({ data }) => (data as GeneralSettings | undefined) ?? {});
  const env = mergeEnv(reaching.map(({ source }, index) => ({ source, env: general[index]?.env })));
  const usualMs = general.map(({ sessionEndMs }) => sessionEndMs).find((value) => value !== undefined) ?? sessionEndS * 1000;
  const asked = reaching.flatMap(({ hooks }) =>
    hooks.flatMap((hook) => (hook.eventName === 'SessionEnd' ? (dataOf(hook).writtenTimeoutMs ?? []) : [])),
  );
  const longest = asked.reduce((most, value) => Math.max(most, value), usualMs);
  return { env, sessionEndMs: Math.min(maxSessionEndMs, longest) };
}
