import type { HookDefinition, Invocation } from '@tenterhook/protocol';
import type { ClaudeEvent } from '../input/event-table.js';
import type { RuledCall } from '../matching/conditions/condition.js';
import type { ClaudeMatcher } from '../matching/matcher.js';

/** A rule that `if` holds, as it was written and as it is tried. */
export interface Condition {
  readonly text: string;
  /** Absent on events that are about no call: there it never holds. */
  readonly fits?: (call: RuledCall) => boolean;
}

/** What runs, before the event is known. */
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
  /** Milliseconds, where the settings say them. */
  readonly writtenTimeoutMs?: number;
  /** Variables that settings files set for it. */
  readonly env?: Readonly<Record<string, string>>;
  /** The directory of the plugin that the hook is of, and its name where it is known. */
  readonly plugin?: { readonly root: string; readonly name?: string };
}

export function dataOf(hook: HookDefinition): ClaudeHookData {
  return hook.dialectData as ClaudeHookData;
}
