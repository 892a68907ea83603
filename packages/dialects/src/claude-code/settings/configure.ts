import type { HookDefinition, ParsedSettings } from '@tenterhook/protocol';
import { isOfRepository, levelOfSource } from '@tenterhook/protocol/internal';
import { sessionEndS } from './handler-types.js';
import { type ClaudeHookData, dataOf } from './hook-data.js';
import { type GeneralSettings, mergeEnv } from './policies.js';

const maxSessionEndMs = 60_000;

/**
 * The settings for all hooks of one level, e.g. of the user or of the project. They come from all documents that apply to this
 * level.
 */
interface OfLevel {
  readonly env: Readonly<Record<string, string>>;
  /** The variables in `env` that come from settings of the repository. */
  readonly repositoryEnv: Readonly<Record<string, string>>;
  readonly sessionEndMs: number;
}

/** The key is the list of documents, because all hooks of a level have the same list. */
const ofLevels = new WeakMap<readonly ParsedSettings[], OfLevel>();

/**
 * Returns the hook with the variables in `env` of the documents that apply to it. All SessionEnd hooks share one time limit, so the
 * timeout of a SessionEnd hook is at most this limit.
 */
export function configure(hook: HookDefinition, reaching: readonly ParsedSettings[]): HookDefinition {
  let ofLevel = ofLevels.get(reaching);
  if (ofLevel === undefined) {
    ofLevel = readLevel(reaching);
    ofLevels.set(reaching, ofLevel);
  }
  const { env, repositoryEnv, sessionEndMs } = ofLevel;
  const data: ClaudeHookData = Object.keys(env).length === 0 ? dataOf(hook) : { ...dataOf(hook), env, repositoryEnv };
  const timeoutMs = hook.eventName === 'SessionEnd' ? Math.min(data.writtenTimeoutMs ?? sessionEndMs, sessionEndMs) : hook.timeoutMs;
  return { ...hook, timeoutMs, dialectData: data };
}

/**
 * Computes the settings for one level. The limit for SessionEnd hooks is the longest timeout in their settings: the hooks run in
 * parallel, so each may use the whole time. Settings of a lower level do not change the timeout of hooks of a higher level.
 */
function readLevel(reaching: readonly ParsedSettings[]): OfLevel {
  const general = reaching.map(({ data }) => (data as GeneralSettings | undefined) ?? {});
  const documents = reaching.map(({ source }, index) => ({ source, env: general[index]?.env }));
  const env = mergeEnv(documents);
  const repositoryEnv = mergeEnv(documents.filter(({ source }) => isOfRepository(levelOfSource(source) ?? 'project')));
  const usualMs = general.map(({ sessionEndMs }) => sessionEndMs).find((value) => value !== undefined) ?? sessionEndS * 1000;
  const asked = reaching.flatMap(({ hooks }) =>
    hooks.flatMap((hook) => (hook.eventName === 'SessionEnd' ? (dataOf(hook).writtenTimeoutMs ?? []) : [])),
  );
  const longest = asked.reduce((most, value) => Math.max(most, value), usualMs);
  return { env, repositoryEnv, sessionEndMs: Math.min(maxSessionEndMs, longest) };
}
