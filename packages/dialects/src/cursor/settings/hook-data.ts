import type { HookDefinition, PinnedParts } from '@tenterhook/protocol';
import type { NameMatcher } from '../../shared/name-matcher.js';
import type { HookPlugin } from '../../shared/settings/plugin.js';
import type { CursorEvent } from '../input/event-table.js';

/** What a hook runs. */
export type Runs =
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'host'; readonly type: 'prompt'; readonly data: Readonly<Record<string, unknown>> };

/** The content of `dialectData` of a hook. */
export interface CursorHookData {
  readonly event: CursorEvent;
  readonly matcher: NameMatcher;
  readonly runs: Runs;
  readonly home: string;
  /** How often in a row the hook may make the agent continue. Infinity if there is no limit. */
  readonly loopLimit: number;
  readonly plugin?: HookPlugin;
}

export function dataOf(hook: HookDefinition): CursorHookData {
  return hook.dialectData as CursorHookData;
}

/** Returns the parts of a hook that must not change if the hook is to stay trusted. */
export function pinnedParts(hook: HookDefinition): PinnedParts {
  const { runs, plugin } = dataOf(hook);
  const mode = hook.action.kind === 'command' ? hook.action.mode : undefined;
  return { definition: { action: { ...runs, ...(mode && { mode }) }, ...(plugin === undefined ? {} : { plugin }) } };
}
