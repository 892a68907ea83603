import type { HookHandler } from '../calling/handler.js';
import { HandlerSource } from '../canonical/handler-source.js';
import type { Hook, HookFields } from '../definition/hook.js';
import type { HookEventType } from '../definition/hook-event-type.js';

/** The methods of HookEngine in snake_case, as in their original format (seed 002). */
export abstract class SnakeCaseEngine extends HandlerSource {
  // biome-ignore lint/suspicious/noExplicitAny: a hook given by its id does not show the type of the event (UntypedHandlerEvent).
  abstract registerHandler<Type extends HookEventType = any>(hook: string | HookFields<Type>, handler: HookHandler<Type>): void;
  abstract unregisterHandler(hookId: string): void;
  abstract allHooks(): Hook[];
  abstract getHook(id: string): Hook | null;
  abstract hookCount(): number;

  // biome-ignore lint/suspicious/noExplicitAny: the same as in registerHandler.
  register_handler<Type extends HookEventType = any>(hook: string | HookFields<Type>, handler: HookHandler<Type>): void {
    this.registerHandler(hook, handler);
  }

  unregister_handler(hookId: string): void {
    this.unregisterHandler(hookId);
  }

  all_hooks(): Hook[] {
    return this.allHooks();
  }

  get_hook(id: string): Hook | null {
    return this.getHook(id);
  }

  hook_count(): number {
    return this.hookCount();
  }
}
