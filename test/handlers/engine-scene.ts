import { HookEngine, type HookEventType, type HookFields, type HookHandler } from '@tenterhook/handlers';
import type { CreateHooksOptions } from 'tenterhook';
import { type Scene, withEndingHooks } from '../support/fire-hooks.js';

/** As handlers that are registered under an id see them. */
// biome-ignore lint/suspicious/noExplicitAny: an id says nothing of the payload.
type Handle = HookHandler<any>['handle'];
type Answer = ReturnType<Handle>;

/** One handler of an engine: its event type, what it does or always answers, and the rest of its hook. */
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

/** A hook system whose hooks are these handlers, and those of the settings in the options, while a test uses it. */
export function withHandlers<Result>(
  handlers: Readonly<Record<string, HandlerOf>>,
  use: (scene: EngineScene) => Promise<Result>,
  options: CreateHooksOptions = {},
): Promise<Result> {
  const engine = engineWith(handlers);
  return withEndingHooks({ settings: {}, handlers: [engine], ...options }, (scene) => use({ ...scene, engine }));
}

/** A handler that keeps the payloads that it is shown. */
export function keeping(answer?: Answer) {
  // biome-ignore lint/suspicious/noExplicitAny: of every type.
  const payloads: any[] = [];
  const handle: Handle = ({ payload }) => {
    payloads.push(payload);
    return answer;
  };
  return { payloads, handle };
}

/** Something that is waited for, and the function that lets the waiting go on. */
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
