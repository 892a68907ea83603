import { MessageBus, type Transport } from '@tenterhook/bus';
import type { HookExecutionResponse } from '@tenterhook/protocol';
import type { ConformanceCase, Scene } from './conformance-case.js';
import { Inbox } from './conformance-watch.js';

export const asked = { eventName: 'BeforeTool', input: {} };
export const channel = 'HOOK_EXECUTION_REQUEST';

export const unsupported = (message: string, details: Record<string, unknown>) => {
  return { success: false as const, error: { code: 'unsupported_event' as const, message, details } };
};

/** A case with a bus on each of its two ends. */
export interface Buses extends Scene {
  readonly asking: MessageBus;
  readonly answering: MessageBus;
}

export function withBuses(
  title: string,
  run: (buses: Buses) => Promise<void>,
  appliesTo: NonNullable<ConformanceCase['appliesTo']> = () => true,
): ConformanceCase {
  return {
    title,
    appliesTo,
    run: async (scene) => {
      // Long enough that the answer arrives in time even on a slow machine.
      const busOn = (transport: Transport) => new MessageBus({ transport, cancelGraceMs: 10_000 });
      const asking = busOn(scene.from);
      const answering = busOn(scene.to);
      try {
        await run({ ...scene, asking, answering });
      } finally {
        await Promise.all([asking.close(), answering.close()]);
      }
    },
  };
}

export function responsesOf(bus: MessageBus, type: 'HOOK_EXECUTION_RESPONSE' | 'HOOK_HANDLER_RESULT' = 'HOOK_EXECUTION_RESPONSE') {
  const inbox = new Inbox<HookExecutionResponse>();
  bus.subscribe(type, ({ payload }) => inbox.push(payload as HookExecutionResponse));
  return inbox;
}
