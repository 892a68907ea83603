import type { HookDefinition } from '@tenterhook/protocol';
import type { NameMatcher } from '../../shared/name-matcher.js';
import type { AntigravityEvent } from '../input/event-table.js';

/** The content of `dialectData` of a hook. */
export interface AntigravityHookData {
  readonly event: AntigravityEvent;
  readonly matcher: NameMatcher;
  readonly home: string;
  /** The name of the group that the hook is in. */
  readonly group: string;
}

export function dataOf(hook: HookDefinition): AntigravityHookData {
  return hook.dialectData as AntigravityHookData;
}
