import type { HookDefinition } from '@tenterhook/protocol';

/**
 * Whether a hook does not run but denies or asks for each event that it may match. There are two kinds: an invalid hook with `onError:
 * 'block'`, and a hook that was trusted and has changed. Otherwise a typing error or an edited script would switch off a guard. Other
 * hooks that do not run are skipped.
 */
export function isUnrunGuard({ skip, onError }: HookDefinition): boolean {
  return skip?.objects !== undefined || (skip?.skipReason === 'invalid' && onError === 'block');
}
