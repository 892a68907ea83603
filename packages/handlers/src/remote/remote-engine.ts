import type { MessageBus } from '@tenterhook/bus';
import { createLog } from '@tenterhook/bus/internal';
import type { ErrorCode, ResponseOf } from '@tenterhook/protocol';
import type { HandlerContext } from '../calling/handler.js';
import { AbsentError } from '../calling/run-attempts.js';
import type { Hook } from '../definition/hook.js';
import type { RegisteredHook } from '../registered-hook.js';

const log = createLog('handlers');

/** The longest a call is waited for before the engine is asked whether it is alive at all. */
const longestSilenceMs = 1000;

/** Answers of the bus that mean that there is nobody. */
const goneCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['no_responders', 'disposed']);

/**
 * An engine of another process, as its last announcement described it. One whose process does not answer costs one deadline and then counts
 * as absent: its hooks fail at once, by their `onError`, until it is heard of again. It is asked for while a call is waited for, so that one
 * slow handler does not make a process that is alive absent.
 */
export class RemoteEngine {
  readonly engineId: string;
  readonly name: string | undefined;
  /** The announcement as a text, to see whether another one says the same. */
  readonly announced: string;
  hooks: readonly RegisteredHook[] = [];
  readonly #bus: MessageBus;
  /** Asks all engines to announce themselves. */
  readonly #ask: () => void;
  #heardAt = 0;
  #askedAt = Number.NEGATIVE_INFINITY;
  #absentSince: number | undefined;

  constructor(
    bus: MessageBus,
    ask: () => void,
    { engineId, name, announced }: { engineId: string; name: string | undefined; announced: string },
  ) {
    this.#bus = bus;
    this.#ask = ask;
    this.engineId = engineId;
    this.name = name;
    this.announced = announced;
  }

  get isAbsent(): boolean {
    return this.#absentSince !== undefined;
  }

  /** It has announced itself, or answered. */
  heard(): void {
    this.#heardAt = performance.now();
    if (this.#absentSince !== undefined) log('the engine %s is back', this.#label);
    this.#absentSince = undefined;
  }

  /** One call of one of its handlers. Rejects where the handler threw, and with an AbsentError where there is nobody. */
  async call(hook: Hook, event: Record<string, unknown>, { signal }: HandlerContext): Promise<unknown> {
    if (this.#absentSince !== undefined) throw this.#absence();
    const { timeout_ms: timeoutMs } = hook.config;
    const began = performance.now();
    const probe = setTimeout(this.#ask, Math.min(longestSilenceMs, timeoutMs / 2));
    const onAbort = () => {
      // Given up at its deadline, and not a sign of life since the call began.
      if (isDeadline(signal) && this.#heardAt < began) this.#lost(`no answer within ${timeoutMs} ms`);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return this.#read(
        await this.#bus.request('HOOK_HANDLER_CALL', { engineId: this.engineId, hookId: hook.id, event, timeoutMs }, { signal }),
      );
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
    if (goneCodes.has(code)) {
      this.#lost(message);
      throw this.#absence();
    }
    throw new Error(message);
  }

  #lost(why: string): void {
    if (this.#absentSince !== undefined) return;
    this.#absentSince = performance.now();
    log('the engine %s counts as absent: %s', this.#label, why);
  }

  /** Asks for it too, at most once a second: it may have come back without a word. */
  #absence(): AbsentError {
    const now = performance.now();
    if (now - this.#askedAt >= 1000) {
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

/** `CallContext` says why it aborts; any other reason is that of a cancelled event. */
function isDeadline({ reason }: AbortSignal): boolean {
  return typeof reason === 'string' && reason.startsWith('timeout');
}
