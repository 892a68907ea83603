import type { HookDefinition } from '@tenterhook/protocol';

/**
 * Whether a hook is an invalid guard: its matcher, its type or another part is invalid, so it cannot run, and its failures deny. It is
 * skipped like any invalid hook, and denies each event that it could have been for. Otherwise a typing error would switch off a guard whose
 * author wants failures to deny.
 */
export function isInvalidGuard({ skip, onError }: HookDefinition): boolean {
  return skip?.skipReason === 'invalid' && onError === 'block';
}
