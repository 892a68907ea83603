import { type HandlerConfig, type HandlerEvent, type HandlerWarning, HookEngine, type HookHandler, type HookResult } from '../src/index.js';

// biome-ignore lint/suspicious/noExplicitAny: an id does not determine the type of the payload.
export type Handle = HookHandler<any>['handle'];

export const toolUse = (args: Record<string, unknown> = {}): HandlerEvent<'pre_tool_use'> => ({
  event_type: 'pre_tool_use',
  payload: { session_id: 's1', tool: 'Bash', args, working_directory: '/srv/app', recent_tools: [] },
});

/** Creates an engine with one hook with this id and this handler. */
export function engineWith(id: string, handle: Handle, config: Partial<HandlerConfig> = {}, engine = new HookEngine()): HookEngine {
  engine.register({ id, event_type: 'pre_tool_use', config });
  engine.register_handler(id, { handle });
  return engine;
}

/** Returns the result of `fire` if the only handler gives this answer. The answer may have a wrong type. */
export function resultOf(answer: unknown, config: Partial<HandlerConfig> = {}): Promise<HookResult> {
  return engineWith('h', () => answer as undefined, config).fire(toolUse());
}

/** Resolves with the next warning that the engine reports. */
export function nextWarning(engine: HookEngine): Promise<HandlerWarning> {
  return new Promise((resolve) => {
    const subscription = engine.warnings$.subscribe((warning) => {
      subscription.unsubscribe();
      resolve(warning);
    });
  });
}
