import type { HookDefinition } from '@tenterhook/protocol';

/**
 * A hook that cannot run, and whose failures deny: its matcher, its type or another part is invalid. It is skipped like any invalid hook, and denies
 * each event that it could have been for. Otherwise a typing error would switch off a guard whose author wants to be safe from failures.
 */
export function isInvalidGuard({ skip, onError }: HookDefinition): boolean {
  return skip?.skipReason === 'invalid' && onError === 'block';
}
