import { type HandlerConfig, HookEngine, type HookHandler } from '@tenterhook/handlers';
import { remembering } from './both-ways.js';

type Handle = HookHandler['handle'];

/** An engine with a hook that has this config and handler, and a later hook that records whether it ran. */
export function engineOf(config: Partial<HandlerConfig>, handle: Handle, later = remembering()) {
  const engine = new HookEngine();
  engine.register({ id: 'guard', event_type: 'pre_tool_use', config });
  engine.register_handler('guard', { handle });
  engine.register({ id: 'later', event_type: 'pre_tool_use', config: { priority: 1000 } });
  engine.register_handler('later', later);
  return { engine, later };
}

/**
 * A handler that gives these answers one after another and repeats the last one. It throws an Error. `called(n)` resolves when the handler
 * is called for the nth time.
 */
export function answering(...answers: unknown[]) {
  let count = 0;
  const waiting = new Map<number, () => void>();
  const called = (number: number) => new Promise<void>((resolve) => (count >= number ? resolve() : waiting.set(number, resolve)));
  const handle: Handle = () => {
    const answer = answers[Math.min(count, answers.length - 1)];
    count += 1;
    waiting.get(count)?.();
    if (answer instanceof Error) throw answer;
    return answer as ReturnType<Handle>;
  };
  return { handle, called, count: () => count };
}
