import type { PayloadOf } from '@tenterhook/protocol';
import type { Hook } from '../definition/hook.js';
import { readHook } from '../definition/read-hook.js';
import type { RegisteredHook } from '../registered-hook.js';

export type Announcement = PayloadOf<'HOOK_HANDLER_ANNOUNCE'>;

/** A hook as it travels: its definition, and whether there is a handler for it. */
export function announcedHook({ hook, handler }: RegisteredHook): Record<string, unknown> {
  const { id, event_type, matcher, config } = hook;
  return {
    id,
    event_type,
    ...(matcher === undefined ? {} : { matcher: { ...matcher } }),
    config: { ...config },
    hasHandler: handler !== undefined,
  };
}

/** The other way round; throws an InvalidHookError for what is none, as registering it here would. */
export function readAnnouncedHook({ hasHandler, ...fields }: Record<string, unknown>): { hook: Hook; hasHandler: boolean } {
  return { hook: readHook(fields), hasHandler: hasHandler !== false };
}
