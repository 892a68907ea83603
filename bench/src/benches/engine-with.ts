import { Hook, HookEngine, HookEventType, type HookHandler } from '@tenterhook/handlers';

/** Creates an engine with this number of hooks before a tool, each with the same handler. */
export function engineWith(count: number, handle: HookHandler['handle']): HookEngine {
  const engine = new HookEngine();
  for (let index = 0; index < count; index += 1) {
    const hook = Hook.new(`h${index}`, HookEventType.PreToolUse);
    engine.register(hook);
    engine.register_handler(hook.id, { handle });
  }
  return engine;
}
