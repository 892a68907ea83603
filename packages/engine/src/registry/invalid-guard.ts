import type { HookDefinition } from '@tenterhook/protocol';

/**
 * Whether a hook is an invalid guard: a part such as its matcher or its type is invalid, so it cannot run, and its failures deny. It denies
 * each event that it could be meant for. If it were only skipped, like other invalid hooks, a typing error would switch off the guard.
 */
export function isInvalidGuard({ skip, onError }: HookDefinition): boolean {
  return skip?.skipReason === 'invalid' && onError === 'block';
}
