import type { HookDefinition, Invocation, PinnedParts } from '@tenterhook/protocol';
import type { ClaudeEvent } from '../input/event-table.js';
import type { Condition } from '../matching/conditions/condition.js';
import type { ClaudeMatcher } from '../matching/matcher.js';
import type { HookPlugin } from './parse-context.js';

/** What a handler runs. Placeholders for values of the event are not replaced yet. */
export type Runs =
  | { readonly kind: 'command'; readonly command: Extract<Invocation, { kind: 'command' }>['command'] }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly allowedEnvVars: readonly string[];
    }
  | { readonly kind: 'host'; readonly type: string; readonly data: Readonly<Record<string, unknown>> };

/** What this dialect keeps in `dialectData` of a hook. */
export interface ClaudeHookData {
  readonly event: ClaudeEvent;
  readonly matcher: ClaudeMatcher;
  readonly condition?: Condition;
  readonly runs: Runs;
  /** The home directory of the user. */
  readonly home: string;
  /** The timeout in the settings, in milliseconds. Absent if the settings have none. */
  readonly writtenTimeoutMs?: number;
  /** Variables that the `env` of settings files sets for the hook. */
  readonly env?: Readonly<Record<string, string>>;
  /** The variables of `env` that settings of the repository set. */
  readonly repositoryEnv?: Readonly<Record<string, string>>;
  readonly plugin?: HookPlugin;
  readonly frontMatterOf?: 'skill' | 'subagent';
}

export function dataOf(hook: HookDefinition): ClaudeHookData {
  return hook.dialectData as ClaudeHookData;
}

/**
 * Returns the parts of a hook that must be unchanged for the hook to stay trusted. All values come from the hook's own settings. So a limit
 * from another level does not make the hook look changed.
 */
export function pinnedParts(hook: HookDefinition): PinnedParts {
  const { runs, writtenTimeoutMs, plugin, repositoryEnv = {} } = dataOf(hook);
  return {
    definition: { action: runs, timeoutMs: writtenTimeoutMs ?? null, ...(plugin === undefined ? {} : { plugin }) },
    environment: repositoryEnv,
  };
}
