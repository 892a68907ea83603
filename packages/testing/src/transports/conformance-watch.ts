import assert from 'node:assert/strict';
import type { ConnectionState, Delivery, Transport } from '@tenterhook/bus';
import type { BusMessage, Channel } from '@tenterhook/protocol';
import type { TransportFeatures } from './conformance-case.js';

/**
 * The maximum time to wait, in milliseconds. It only turns an endless wait into a failure with a name. No case depends on its
 * length.
 */
const patienceMs = 20_000;

/** Collects received items in order, and lets a case wait for them. */
export class Inbox<Item = BusMessage> {
  readonly items: Item[] = [];
  readonly #waiting = new Set<() => void>();

  readonly push = (item: Item): void => {
    this.items.push(item);
    for (const check of [...this.#waiting]) check();
  };

  /** Resolves when at least this number of items has arrived. */
  async count(least: number, what: string): Promise<readonly Item[]> {
    await patient(
      new Promise<void>((resolve) => {
        const check = () => {
          if (this.items.length < least) return;
          this.#waiting.delete(check);
          resolve();
        };
        this.#waiting.add(check);
        check();
      }),
      () => `${least} ${what}; ${this.items.length} arrived`,
    );
    return this.items;
  }
}

export async function patient<Value>(promise: Promise<Value>, what: string | (() => string)): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new assert.AssertionError({ message: `this did not happen in time: ${typeof what === 'string' ? what : what()}` }));
    }, patienceMs);
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

export function watch(end: Transport, channel: Channel): Inbox {
  const inbox = new Inbox();
  end.subscribe(channel, inbox.push);
  return inbox;
}

export const cancel = (correlationId: string): BusMessage => ({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId } });

export const request = (correlationId: string): BusMessage => ({
  type: 'HOOK_EXECUTION_REQUEST',
  payload: { correlationId, eventName: 'BeforeTool', input: {} },
});

export const call = (engineId: string, correlationId: string): BusMessage => ({
  type: 'HOOK_HANDLER_CALL',
  payload: { correlationId, engineId, hookId: 'h', event: {}, timeoutMs: 1000 },
});

export function idOf({ payload }: BusMessage): string {
  return String((payload as { correlationId?: unknown } | undefined)?.correlationId);
}

export const idsOf = (messages: readonly BusMessage[]): string[] => messages.map(idOf);

let markers = 0;

/**
 * Resolves when all ends know the subscriptions and servers of these ends, and all messages of these ends have arrived. Each end
 * publishes a marker, and all ends must receive it.
 */
export async function settled(ends: readonly Transport[]): Promise<void> {
  const distinct = [...new Set(ends)];
  const listening = distinct.map((end) => listenForMarkers(end));
  // A new subscription first applies to messages of the same end. So each end waits for its own marker before it waits for those of
  // other ends.
  for (const [index, end] of distinct.entries()) {
    await mark(end);
    await listening[index]?.inbox.count(1, 'marker of its own');
  }
  for (const { inbox } of listening) inbox.items.length = 0;
  const published = await Promise.all(distinct.map(mark));
  for (const { inbox, stop } of listening) {
    for (let least = published.length; !published.every((id) => inbox.items.includes(id)); least += 1) await inbox.count(least, 'markers');
    stop();
  }
}

function listenForMarkers(end: Transport): { inbox: Inbox<string>; stop: () => void } {
  const inbox = new Inbox<string>();
  const stop = end.subscribe('HOOK_HANDLER_ANNOUNCE', ({ payload }) => inbox.push((payload as { engineId: string }).engineId));
  return { inbox, stop };
}

async function mark(end: Transport): Promise<string> {
  markers += 1;
  const engineId = `marker ${markers}`;
  await patient(Promise.resolve(end.publish({ type: 'HOOK_HANDLER_ANNOUNCE', payload: { engineId, hooks: [] } })), 'a marker');
  return engineId;
}

export type Outcome = Delivery | { readonly code: unknown };

/**
 * Returns the outcome of a publish(). A rejection is returned as a value, because some cases close ends while messages are on their
 * way.
 */
export async function outcomeOf(published: Delivery | Promise<Delivery>): Promise<Outcome> {
  try {
    return await patient(Promise.resolve(published), 'the end of a publish()');
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return { code: (error as { code?: unknown }).code };
  }
}

export interface CutOff {
  /** The states that the end has reported since its connection was cut. */
  readonly states: Inbox<ConnectionState>;
  /** Lets the end reconnect. */
  readonly reconnect: () => void;
  /** Lets the end reconnect. Resolves when the end has reported `restored`. */
  readonly comeBack: () => Promise<void>;
}

/** Cuts the connection of an end. Resolves when the end has reported the loss. */
export async function cutOff(end: Transport, { disconnect }: TransportFeatures): Promise<CutOff> {
  assert.ok(disconnect !== undefined && end.onConnectionChange !== undefined, 'an end that can be cut off must have onConnectionChange()');
  const states = new Inbox<ConnectionState>();
  end.onConnectionChange(states.push);
  const reconnect = await disconnect(end);
  await states.count(1, 'state of the connection');
  assert.deepEqual(states.items, ['lost'], 'reported states when the connection was lost');
  const comeBack = async () => {
    reconnect();
    await states.count(2, 'states of the connection');
    assert.deepEqual(states.items, ['lost', 'restored'], 'reported states when the connection was restored');
  };
  return { states, reconnect, comeBack };
}
