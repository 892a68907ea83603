import type { HookDefinition, ParsedSettings } from '@tenterhook/protocol';
import { sessionEndS } from './handler-types.js';
import { type ClaudeHookData, dataOf } from './hook-data.js';
import { type GeneralSettings, mergeEnv } from './policies.js';

const maxSessionEndMs = 60_000;

/** What the settings documents that apply to a level set for all hooks of that level. */
interface OfLevel {
  readonly env: Readonly<Record<string, string>>;
  readonly sessionEndMs: number;
}

/** Cached by the list of documents: all hooks of a level have the same list. */
const ofLevels = new WeakMap<readonly ParsedSettings[], OfLevel>();

/**
 * Returns the hook with the `env` of the documents that apply to it. A SessionEnd hook also gets its timeout within the common one of that
 * event.
 */
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
 * Computes what a level sets. At the end of a session all hooks have one common timeout, the longest that any of them asks for. They run in
 * parallel, so each of them may use all of it. Hooks of a lower level do not change the timeout of a higher one.
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
