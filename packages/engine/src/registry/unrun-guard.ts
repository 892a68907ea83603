import type { HookDefinition } from '@tenterhook/protocol';

/**
 * Whether a hook does not run and nevertheless objects to each event that it could be meant for. There are two kinds: an invalid hook whose
 * failures deny, because a typing error must not switch off a guard; and a hook that was trusted and has changed, because editing its
 * script must not switch it off either. Other hooks that do not run are only skipped.
 */
export function isUnrunGuard({ skip, onError }: HookDefinition): boolean {
  return skip?.objects !== undefined || (skip?.skipReason === 'invalid' && onError === 'block');
}
