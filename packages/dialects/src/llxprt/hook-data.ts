import type { HookDefinition } from '@tenterhook/protocol';
import type { Matcher } from './matcher.js';

/** What this dialect keeps in `dialectData` of a hook. */
export interface LlxprtHookData {
  readonly matcher: Matcher;
  readonly sequential: boolean;
  readonly env: Readonly<Record<string, string>>;
}

export function dataOf(hook: HookDefinition): LlxprtHookData {
  return hook.dialectData as LlxprtHookData;
}
