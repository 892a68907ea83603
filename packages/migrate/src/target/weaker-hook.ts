import type { HookDefinition } from '@tenterhook/protocol';
import type { HookLoss, PortableHook } from '../portable/portable-hook.js';

/** A hook of the target, and what it says. */
export interface KnownHook {
  readonly hook: HookDefinition;
  readonly portable: PortableHook;
}

/** In what a hook that is there already falls short of the one that would be migrated: a guard that is found is no guard if nobody waits for it. */
export function weakerThan(source: PortableHook, { hook, portable }: KnownHook): HookLoss[] {
  const { skip } = hook;
  const isOff = skip !== undefined;
  return [
    ...said('action', isOff, `it does not run there: ${skip?.reason}`),
    ...said(
      'async',
      hook.async === true && source.async === undefined,
      'nobody waits for it there, so that its answer counts for nothing.',
    ),
    ...said('once', hook.once === true && source.once === undefined, 'it runs once in a session there.'),
    ...said('onError', blocksOnError(source) && !blocksOnError(portable), 'a failure of it does not block there.'),
  ];
}

/** Of those that do the same, the one that guards best: another that is weaker does no harm beside it. */
export function bestOf(source: PortableHook, known: readonly KnownHook[]): KnownHook | undefined {
  const counted = known.map((one) => ({ one, weaknesses: weakerThan(source, one).length }));
  return counted.sort((a, b) => a.weaknesses - b.weaknesses)[0]?.one;
}

/** What nobody waits for has nothing to block any more. */
function blocksOnError({ onError, async }: PortableHook): boolean {
  return onError === 'block' && async === undefined;
}

function said(field: HookLoss['field'], isSo: boolean, message: string): HookLoss[] {
  return isSo ? [{ field, message }] : [];
}
