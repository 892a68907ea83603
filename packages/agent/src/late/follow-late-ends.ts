import type { MessageBus } from '@tenterhook/bus';
import type { AggregatedHookResult, HookDefinition, HookEventName } from '@tenterhook/protocol';
import type { LateEnd } from './late-answers.js';

/** An event whose async hooks may still run. */
interface Followed {
  readonly session: string | undefined;
  /** How many hooks have ended late. */
  ended: number;
  /** How many hooks end late. Unknown until the event is answered. */
  expected: number | undefined;
}

/** The maximum number of events that are followed. Older ones are given up, because the process of their hooks may no longer exist. */
const maxFollowed = 1000;

/**
 * Receives the ends of async hooks of the events that one client fired. It is subscribed to the bus only while one of these hooks may run,
 * so that a client needs no disposal. It compares correlation ids, so it ignores the events of other clients.
 */
export class LateEndFollower {
  readonly #bus: MessageBus;
  readonly #onEnd: (end: LateEnd, session: string | undefined) => void;
  readonly #followed = new Map<string, Followed>();
  #unsubscribe: (() => void) | undefined;

  constructor(bus: MessageBus, onEnd: (end: LateEnd, session: string | undefined) => void) {
    this.#bus = bus;
    this.#onEnd = onEnd;
  }

  /** Fires an event, and follows its async hooks. The subscription comes first, because a hook may end before its event does. */
  async fire(
    session: string | undefined,
    correlationId: string,
    attempt: () => Promise<AggregatedHookResult>,
  ): Promise<AggregatedHookResult> {
    const followed: Followed = { session, ended: 0, expected: undefined };
    const oldest = this.#followed.size < maxFollowed ? undefined : this.#followed.keys().next().value;
    if (oldest !== undefined) this.#followed.delete(oldest);
    this.#followed.set(correlationId, followed);
    this.#unsubscribe ??= this.#bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
      if (payload.kind === 'hook-finished' && payload.late === true) this.#receive(payload);
    });
    let expected = 0;
    try {
      const result = await attempt();
      expected = result.outcomes.filter(({ status }) => status === 'detached').length;
      return result;
    } finally {
      followed.expected = expected;
      this.#release(correlationId, followed);
    }
  }

  /** Ignores the hooks that still run. */
  clear(): void {
    this.#followed.clear();
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  #receive(end: LateEnd): void {
    const followed = this.#followed.get(end.correlationId);
    if (followed === undefined) return;
    followed.ended += 1;
    this.#release(end.correlationId, followed);
    this.#onEnd(end, followed.session);
  }

  #release(correlationId: string, followed: Followed): void {
    const { ended, expected } = followed;
    if (expected === undefined || ended < expected) return;
    if (this.#followed.get(correlationId) === followed) this.#followed.delete(correlationId);
    if (this.#followed.size === 0) this.clear();
  }
}

/** The hooks of each event, with the fields that show whether a hook may end after its event. */
export type AsyncHooksByEvent = Readonly<Partial<Record<HookEventName, readonly Pick<HookDefinition, 'async' | 'mayDetach'>[]>>>;

/** The results of `mayEndLate`, because a list may have a thousand hooks. When settings are read again, there are new lists. */
const knownLists = new WeakMap<object, boolean>();

/** Tests whether a hook of the event may end late. Returns true if the hooks are unknown, because they are in another process. */
export function mayEndLate(hooks: AsyncHooksByEvent | undefined, eventName: HookEventName): boolean {
  if (hooks === undefined) return true;
  const list = hooks[eventName];
  if (list === undefined) return false;
  let known = knownLists.get(list);
  if (known === undefined) {
    known = list.some(({ async, mayDetach }) => async === true || mayDetach === true);
    knownLists.set(list, known);
  }
  return known;
}
