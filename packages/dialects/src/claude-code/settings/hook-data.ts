import type { HookDefinition, Invocation, PinnedParts } from '@tenterhook/protocol';
import type { NameMatcher } from '../../shared/name-matcher.js';
import type { HookPlugin } from '../../shared/settings/plugin.js';
import type { ClaudeEvent } from '../input/event-table.js';
import type { Condition } from '../matching/conditions/condition.js';

/** What a hook runs, before placeholders are replaced by values of the event. */
export type Runs =
  | { readonly kind: 'command'; readonly command: Extract<Invocation, { kind: 'command' }>['command'] }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly allowedEnvVars: readonly string[];
    }
  | { readonly kind: 'host'; readonly type: string; readonly data: Readonly<Record<string, unknown>> };

/** The content of `dialectData` of a hook. */
export interface ClaudeHookData {
  readonly event: ClaudeEvent;
  readonly matcher: NameMatcher;
  readonly condition?: Condition;
  readonly runs: Runs;
  readonly home: string;
  /** The timeout in the settings, in milliseconds. Missing if the settings have no timeout. */
  readonly writtenTimeoutMs?: number;
  /** Variables that the `env` of settings files sets for the hook. */
  readonly env?: Readonly<Record<string, string>>;
  /** The variables in `env` that come from settings of the repository. */
  readonly repositoryEnv?: Readonly<Record<string, string>>;
  readonly plugin?: HookPlugin;
  readonly frontMatterOf?: 'skill' | 'subagent';
}

export function dataOf(hook: HookDefinition): ClaudeHookData {
  return hook.dialectData as ClaudeHookData;
}

/**
 * Returns the parts of a hook that must not change if the hook is to stay trusted. All values come from the hook's own settings, so
 * a limit of another level does not make the hook look changed.
 */
export function pinnedParts(hook: HookDefinition): PinnedParts {
  const { runs, writtenTimeoutMs, plugin, repositoryEnv = {} } = dataOf(hook);
  const mode = hook.action.kind === 'command' ? hook.action.mode : undefined;
  return {
    definition: {
      action: { ...runs, ...(mode && { mode }) },
      timeoutMs: writtenTimeoutMs ?? null,
      ...(plugin === undefined ? {} : { plugin }),
    },
    environment: repositoryEnv,
  };
}
