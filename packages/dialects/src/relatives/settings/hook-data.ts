import type { HookDefinition, Invocation, PinnedParts } from '@tenterhook/protocol';
import type { NameMatcher } from '../../shared/name-matcher.js';

/** What a hook runs. */
export type Runs =
  | { readonly kind: 'command'; readonly command: Extract<Invocation, { kind: 'command' }>['command'] }
  | { readonly kind: 'host'; readonly type: 'prompt'; readonly data: Readonly<Record<string, unknown>> };

/** The content of `dialectData` of a hook. */
export interface RelativeHookData {
  /** The event in the agent's spelling. */
  readonly event: string;
  readonly matcher: NameMatcher;
  readonly runs: Runs;
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  /** How often in a row the hook may make the agent continue. Infinity if there is no limit. */
  readonly loopLimit: number;
}

export function dataOf(hook: HookDefinition): RelativeHookData {
  return hook.dialectData as RelativeHookData;
}

/** Returns the parts of a hook that must not change if the hook is to stay trusted. */
export function pinnedParts(hook: HookDefinition): PinnedParts {
  const { runs, env } = dataOf(hook);
  const mode = hook.action.kind === 'command' ? hook.action.mode : undefined;
  return { definition: { action: { ...runs, ...(mode && { mode }) }, env } };
}
