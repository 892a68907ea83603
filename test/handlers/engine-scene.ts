import { HookEngine, type HookEventType, type HookFields, type HookHandler } from '@tenterhook/handlers';
import type { CreateHooksOptions } from 'tenterhook';
import { type Scene, withEndingHooks } from '../support/fire-hooks.js';

/** The type of handlers that are registered under an id. */
// biome-ignore lint/suspicious/noExplicitAny: an id says nothing of the payload.
type Handle = HookHandler<any>['handle'];
type Answer = ReturnType<Handle>;

/** One handler of an engine: its event type, its function or constant answer, and the other fields of its hook. */
export type HandlerOf = [type: HookEventType, answer: Handle | Answer, fields?: Partial<HookFields>];

/** An engine with these handlers, by id. */
export function engineWith(handlers: Readonly<Record<string, HandlerOf>>, engine = new HookEngine()): HookEngine {
  for (const [id, [event_type, answer, fields]] of Object.entries(handlers)) {
    engine.register({ id, event_type, ...fields });
    engine.register_handler(id, { handle: typeof answer === 'function' ? answer : () => answer });
  }
  return engine;
}

export interface EngineScene extends Scene {
  readonly engine: HookEngine;
}

/** Creates a hook system with these handlers and the hooks of the settings in the options, for the time of a test. */
export function withHandlers<Result>(
  handlers: Readonly<Record<string, HandlerOf>>,
  use: (scene: EngineScene) => Promise<Result>,
  options: CreateHooksOptions = {},
): Promise<Result> {
  const engine = engineWith(handlers);
  return withEndingHooks({ settings: {}, handlers: [engine], ...options }, (scene) => use({ ...scene, engine }));
}

/** A handler that records the payloads that it receives. */
export function keeping(answer?: Answer) {
  // biome-ignore lint/suspicious/noExplicitAny: of every type.
  const payloads: any[] = [];
  const handle: Handle = ({ payload }) => {
    payloads.push(payload);
    return answer;
  };
  return { payloads, handle };
}

/** A promise, and the function that resolves it. */
export function signalled<Value = void>() {
  let give: (value: Value) => void = () => {};
  const given = new Promise<Value>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

export function deferredHandler(answer: Answer = undefined) {
  const began = signalled();
  const goOn = signalled();
  const handle: Handle = async () => {
    began.give();
    await goOn.given;
    return answer;
  };
  return { handle, began: began.given, goOn: goOn.give };
}
