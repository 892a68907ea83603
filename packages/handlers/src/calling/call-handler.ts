import type { HookEvent, UntypedHookEvent } from '../definition/hook-event.js';
import { copyPlain } from './copy-plain.js';
import type { HandlerContext, HookHandler } from './handler.js';

/** Every call gets a copy of its own: also a second one, since the first may have changed its copy before it threw. */
export function callHandler(handler: HookHandler, { event_type, payload }: UntypedHookEvent, context: HandlerContext): unknown {
  return handler.handle({ event_type, payload: copyPlain(payload) } as HookEvent, context);
}
