import type { MessageBus } from '@tenterhook/bus';
import type { ErrorCode, ResponseOf } from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import { AbsentError } from '../calling/absent-error.js';
import { isDeadline } from '../calling/call-with-deadline.js';
import type { HandlerContext, HookHandler } from '../calling/handler.js';
import type { Hook } from '../definition/hook.js';
import type { KnownHook } from './announcement.js';

const log = createLog('handlers');

/** The longest a call is waited for before the engine is asked whether it is alive at all, and how often an absent one is asked for. */
const longestSilenceMs = 1000;

/** Of one name; older ones have long ended. */
const maxSuperseded = 16;

/** Answers of the bus that mean that there is nobody. */
const goneCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['no_responders', 'disposed']);

/**
 * An engine of another process. One whose process does not answer costs one deadline and then counts as absent: its hooks fail at once, by
 * their `onError`, until it is heard of again. It is asked for while a call is waited for, so that one slow handler does not make a process
 * absent that is alive.
 */
export class RemoteEngine {
  readonly engineId: string;
  readonly name: string | undefined;
  /** What its last announcement said, and the hooks in it. */
  announced = '';
  hooks: readonly KnownHook[] = [];
  readonly #bus: MessageBus;
  /** Asks all engines to announce themselves. */
  readonly #ask: () => void;
  /** When it last gave a sign of life, on the clock of `performance`. */
  heardAt = 0;
  /** Those of its name that it came after. */
  readonly #superseded = new Set<string>();
  #askedAt = Number.NEGATIVE_INFINITY;
  #isAbsent = false;

  constructor(bus: MessageBus, ask: () => void, { engineId, name }: { readonly engineId: string; readonly name?: string | undefined }) {
    this.#bus = bus;
    this.#ask = ask;
    this.engineId = engineId;
    this.name = name;
  }

  get isAbsent(): boolean {
    return this.#isAbsent;
  }

  /** It has announced itself, or answered. */
  heard(): void {
    this.heardAt = performance.now();
    if (this.#isAbsent) log('the engine %s is back', this.#label);
    this.#isAbsent = false;
  }

  /** It takes the place of an earlier one of its name, and of those that one came after. */
  supersede(earlier: RemoteEngine): void {
    for (const id of [...earlier.#superseded, earlier.engineId].slice(-maxSuperseded)) this.#superseded.add(id);
    this.#superseded.delete(this.engineId);
  }

  supersedes(engineId: string): boolean {
    return this.#superseded.has(engineId);
  }

  /** What stands here for a handler that is there. */
  handlerOf(hook: Hook): HookHandler {
    return { handle: (event, context) => this.#call(hook, { ...event }, context) as ReturnType<HookHandler['handle']> };
  }

  /** What `explain` says of its hooks. */
  standing(): string {
    const where = `of the engine ${this.#label} in another process`;
    return this.#isAbsent ? `${where}, which does not answer: it fails at once, by its onError` : where;
  }

  /** Rejects where the handler threw, and with an AbsentError where there is nobody. */
  async #call(hook: Hook, event: Record<string, unknown>, { signal }: HandlerContext): Promise<unknown> {
    if (this.#isAbsent) throw this.#absence();
    const { timeout_ms: timeoutMs } = hook.config;
    const { engineId } = this;
    const correlationId = globalThis.crypto.randomUUID();
    const began = performance.now();
    const probe = setTimeout(this.#ask, Math.min(longestSilenceMs, timeoutMs / 2));
    const onAbort = () => {
      if (!isDeadline(signal)) return;
      // Ahead of the cancel of the bus, which says no cause: the process of the handler is to hear that it was too slow.
      this.#bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId, reason: signal.reason as string } });
      // Not a sign of life since the call began.
      if (this.heardAt < began) this.lost(`no answer within ${timeoutMs} ms`);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const payload = { correlationId, engineId, hookId: hook.id, event, timeoutMs };
      return this.#read(await this.#bus.request('HOOK_HANDLER_CALL', payload, { signal }));
    } finally {
      clearTimeout(probe);
      signal.removeEventListener('abort', onAbort);
    }
  }

  #read(response: ResponseOf<'HOOK_HANDLER_CALL'>): unknown {
    if (response.success) {
      this.heard();
      return response.output;
    }
    const { code, message } = response.error ?? {
      code: 'internal_error' as const,
      message: 'the answer had neither a result nor an error',
    };
    if (!goneCodes.has(code)) throw new Error(message);
    this.lost(message);
    throw this.#absence();
  }

  /** Nobody is waited for until it is heard of again. */
  lost(why: string): void {
    if (!this.#isAbsent) log('the engine %s counts as absent: %s', this.#label, why);
    this.#isAbsent = true;
  }

  /** Asks for it too, now and then: it may have come back without a word. */
  #absence(): AbsentError {
    const now = performance.now();
    if (now - this.#askedAt >= longestSilenceMs) {
      this.#askedAt = now;
      this.#ask();
    }
    return new AbsentError(
      `The process of its engine ${this.#label} does not answer. It is not waited for until it announces itself again.`,
    );
  }

  get #label(): string {
    return JSON.stringify(this.name ?? this.engineId);
  }
}
