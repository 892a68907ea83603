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

/** Milliseconds after which a call asks the engine to announce itself. Also the minimum time between two queries for an absent engine. */
const longestSilenceMs = 1000;

/** The maximum number of ids that are kept of earlier engines with the same name. */
const maxSuperseded = 16;

/** The errors of the bus that mean that no process answers. */
const goneCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['no_responders', 'disposed']);

/**
 * An engine in another process. If that process stops answering, one call waits until its deadline. Then the engine counts as absent: its
 * hooks fail at once, according to `onError`, until a message of the engine arrives. During a call the engine is asked to announce itself,
 * so that a process with a slow handler does not count as absent.
 */
export class RemoteEngine {
  readonly engineId: string;
  readonly name: string | undefined;
  /** Its last announcement, as text. `hooks` are the hooks in it. */
  announced = '';
  hooks: readonly KnownHook[] = [];
  readonly #bus: MessageBus;
  /** Asks all engines to announce themselves. */
  readonly #ask: () => void;
  /** When its last message arrived, in milliseconds of `performance.now()`. */
  heardAt = 0;
  /** The ids of earlier engines with its name. */
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

  /** Records that a message of the engine arrived: an announcement or an answer. */
  heard(): void {
    this.heardAt = performance.now();
    if (this.#isAbsent) log('the engine %s is back', this.#label);
    this.#isAbsent = false;
  }

  /**
   * Records that this engine replaces an earlier engine with the same name. It then also replaces the engines that the earlier one had
   * replaced.
   */
  supersede(earlier: RemoteEngine): void {
    for (const id of [...earlier.#superseded, earlier.engineId].slice(-maxSuperseded)) this.#superseded.add(id);
    this.#superseded.delete(this.engineId);
  }

  supersedes(engineId: string): boolean {
    return this.#superseded.has(engineId);
  }

  /** Returns the handler in this process that calls the one in the other process. */
  createHandler(hook: Hook): HookHandler {
    return { handle: (event, context) => this.#call(hook, { ...event }, context) as ReturnType<HookHandler['handle']> };
  }

  /** Describes where the hooks run, for `explain`. */
  standing(): string {
    const where = `of the engine ${this.#label} in another process`;
    return this.#isAbsent ? `${where}, which does not answer: the hook fails at once, and its onError applies` : where;
  }

  /** Calls the handler in the other process. Rejects if the handler threw, and with an AbsentError if no process answers. */
  async #call(hook: Hook, event: Record<string, unknown>, { signal }: HandlerContext): Promise<unknown> {
    if (this.#isAbsent) throw this.#absence();
    const { timeout_ms: timeoutMs } = hook.config;
    const { engineId } = this;
    const correlationId = globalThis.crypto.randomUUID();
    const began = performance.now();
    const probe = setTimeout(this.#ask, Math.min(longestSilenceMs, timeoutMs / 2));
    const reportDeadline = () => {
      if (!isDeadline(signal)) return;
      // The bus also sends a cancel, but without a reason. The cancel with the reason is sent first, so that the process of the handler can
      // report that the handler was too slow.
      this.#bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId, reason: signal.reason as string } });
      // No message of the engine arrived since the call began.
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

  /** Marks the engine as absent. Its hooks fail at once until a message of the engine arrives. */
  lost(why: string): void {
    if (!this.#isAbsent) log('the engine %s counts as absent: %s', this.#label, why);
    this.#isAbsent = true;
  }

  /** Returns the error for an absent engine. Also asks from time to time whether the engine is back, because it may not announce itself. */
  #absence(): AbsentError {
    const now = performance.now();
    if (now - this.#askedAt >= longestSilenceMs) {
      this.#askedAt = now;
      this.#ask();
    }
    return new AbsentError(
      `The engine ${this.#label}, which runs the hook in another process, does not answer. Until it announces itself again, its hooks fail at once.`,
    );
  }

  get #label(): string {
    return JSON.stringify(this.name ?? this.engineId);
  }
}
