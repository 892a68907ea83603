import type { MessageBus } from '@tenterhook/bus';
import type { ErrorCode, ResponseOf } from '@tenterhook/protocol';
import { onAbort } from '@tenterhook/runtime/async';
import { createLog } from '@tenterhook/runtime/log';
import { isDeadline } from '../calling/call-with-deadline.js';
import type { HandlerContext, HookHandler } from '../calling/handler.js';
import { AbsentError } from '../calling/run-attempts.js';
import type { Hook } from '../definition/hook.js';
import type { KnownHook } from './announcement.js';

const log = createLog('handlers');

/** The longest a call waits before the engine is asked to announce itself, and the shortest time between queries for an absent one. */
const longestSilenceMs = 1000;

/** Earlier engines of one name; older ones have ended long ago. */
const maxSuperseded = 16;

/** Errors of the bus that mean that no process answers. */
const goneCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['no_responders', 'disposed']);

/**
 * An engine of another process. If its process does not answer, that costs one deadline; then it counts as absent, and its hooks fail at once,
 * by their `onError`, until it is heard of again. During a call it is asked to announce itself, so that a slow handler does not make a living
 * process absent.
 */
export class RemoteEngine {
  readonly engineId: string;
  readonly name: string | undefined;
  /** Its last announcement as text, and the hooks in it. */
  announced = '';
  hooks: readonly KnownHook[] = [];
  readonly #bus: MessageBus;
  /** Asks all engines to announce themselves. */
  readonly #ask: () => void;
  /** The time of its last sign of life, on the clock of `performance`. */
  heardAt = 0;
  /** Ids of earlier engines of its name. */
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

  /** Replaces an earlier engine of its name, and those that it had replaced. */
  supersede(earlier: RemoteEngine): void {
    for (const id of [...earlier.#superseded, earlier.engineId].slice(-maxSuperseded)) this.#superseded.add(id);
    this.#superseded.delete(this.engineId);
  }

  supersedes(engineId: string): boolean {
    return this.#superseded.has(engineId);
  }

  /** The local handler that calls the remote one. */
  createHandler(hook: Hook): HookHandler {
    return { handle: (event, context) => this.#call(hook, { ...event }, context) as ReturnType<HookHandler['handle']> };
  }

  /** What `explain` says about its hooks. */
  standing(): string {
    const where = `of the engine ${this.#label} in another process`;
    return this.#isAbsent ? `${where}, which does not answer: the hook fails at once, and its onError applies` : where;
  }

  /** Rejects when the handler threw, and with an AbsentError when no process answers. */
  async #call(hook: Hook, event: Record<string, unknown>, { signal }: HandlerContext): Promise<unknown> {
    if (this.#isAbsent) throw this.#absence();
    const { timeout_ms: timeoutMs } = hook.config;
    const { engineId } = this;
    const correlationId = globalThis.crypto.randomUUID();
    const began = performance.now();
    const probe = setTimeout(this.#ask, Math.min(longestSilenceMs, timeoutMs / 2));
    const reportDeadline = () => {
      if (!isDeadline(signal)) return;
      // Before the cancel of the bus, which has no reason: the process of the handler must learn that it was too slow.
      this.#bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId, reason: signal.reason as string } });
      // Not a sign of life since the call began.
      if (this.heardAt < began) this.lost(`no answer within ${timeoutMs} ms`);
    };
    const stopListening = onAbort(signal, reportDeadline);
    try {
      const payload = { correlationId, engineId, hookId: hook.id, event, timeoutMs };
      return this.#read(await this.#bus.request('HOOK_HANDLER_CALL', payload, { signal }));
    } finally {
      clearTimeout(probe);
      stopListening();
    }
  }

  #read(response: ResponseOf<'HOOK_HANDLER_CALL'>): unknown {
    if (response.success) {
      this.heard();
      return response.output;
    }
    const { code, message } = response.error ?? {
      code: 'internal_error' as const,
      message: 'the answer has neither a result nor an error',
    };
    if (!goneCodes.has(code)) throw new Error(message);
    this.lost(message);
    throw this.#absence();
  }

  /** Its hooks fail at once until it is heard of again. */
  lost(why: string): void {
    if (!this.#isAbsent) log('the engine %s counts as absent: %s', this.#label, why);
    this.#isAbsent = true;
  }

  /** Also sends a query from time to time: it may have come back without an announcement. */
  #absence(): AbsentError {
    const now = performance.now();
    if (now - this.#askedAt >= longestSilenceMs) {
      this.#askedAt = now;
      this.#ask();
    }
    return new AbsentError(
      `The process of its engine ${this.#label} does not answer. Its hooks fail at once until it announces itself again.`,
    );
  }

  get #label(): string {
    return JSON.stringify(this.name ?? this.engineId);
  }
}
