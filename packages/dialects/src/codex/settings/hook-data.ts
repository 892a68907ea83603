import type { HookDefinition, PinnedParts } from '@tenterhook/protocol';
import type { NameMatcher } from '../../shared/name-matcher.js';
import type { HookPlugin } from '../../shared/settings/plugin.js';
import type { CodexEvent } from '../input/event-table.js';

/** What a hook runs. */
export type Runs =
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'host'; readonly type: 'mcp_tool'; readonly data: Readonly<Record<string, unknown>> };

/** What Codex's user has to review before a hook runs. */
export interface Review {
  /** The key under `hooks.state` in the user's `config.toml`. */
  readonly key: string;
  /** The hash of the hook's definition. */
  readonly hash: string;
  /** True if the hook runs only after the review. Hooks that the host passes, and those of the administrator, need none. */
  readonly isNeeded: boolean;
}

/** The content of `dialectData` of a hook. */
export interface CodexHookData {
  readonly event: CodexEvent;
  readonly matcher: NameMatcher;
  readonly runs: Runs;
  /** Missing for settings without a file. */
  readonly review?: Review;
  readonly plugin?: HookPlugin;
}

export function dataOf(hook: HookDefinition): CodexHookData {
  return hook.dialectData as CodexHookData;
}

/** Returns the parts of a hook that must not change if the hook is to stay trusted. */
export function pinnedParts(hook: HookDefinition): PinnedParts {
  const { runs, plugin } = dataOf(hook);
  const mode = hook.action.kind === 'command' ? hook.action.mode : undefined;
  return { definition: { action: { ...runs, ...(mode && { mode }) }, ...(plugin === undefined ? {} : { plugin }) } };
}
