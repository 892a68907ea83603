import type { HookDefinition, Invocation, PinnedParts } from '@tenterhook/protocol';
import type { NameMatcher } from '../../shared/name-matcher.js';
import type { HookPlugin } from '../../shared/settings/plugin.js';
import type { CopilotEvent } from '../input/event-table.js';

/** What a hook runs. */
export type Runs =
  | { readonly kind: 'command'; readonly command: Extract<Invocation, { kind: 'command' }>['command'] }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly allowedEnvVars: readonly string[];
    }
  | { readonly kind: 'host'; readonly type: 'prompt'; readonly data: Readonly<Record<string, unknown>> };

/** The content of `dialectData` of a hook. */
export interface CopilotHookData {
  readonly event: CopilotEvent;
  readonly matcher: NameMatcher;
  readonly runs: Runs;
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  /** The folder of the settings file. */
  readonly folder?: string;
  readonly plugin?: HookPlugin;
}

export function dataOf(hook: HookDefinition): CopilotHookData {
  return hook.dialectData as CopilotHookData;
}

/** Returns the parts of a hook that must not change if the hook is to stay trusted. */
export function pinnedParts(hook: HookDefinition): PinnedParts {
  const { runs, env, plugin } = dataOf(hook);
  const mode = hook.action.kind === 'command' ? hook.action.mode : undefined;
  return { definition: { action: { ...runs, ...(mode && { mode }) }, env, ...(plugin === undefined ? {} : { plugin }) } };
}
