import type { MessageBus } from '@tenterhook/bus';
import type { ErrorCode, RemoteEngineIdentity, ResponseOf } from '@tenterhook/protocol';
import type { ContainedTracing } from '@tenterhook/protocol/internal';
import { onAbort } from '@tenterhook/runtime/async';
import { omitUndefined } from '@tenterhook/runtime/json';
import { createLog } from '@tenterhook/runtime/log';
import { isDeadline } from '../calling/call-with-deadline.js';
import type { HandlerContext, HookHandler } from '../calling/handler.js';
import { AbsentError } from '../calling/run-attempts.js';
import type { Hook } from '../definition/hook.js';
import type { KnownHook, RemotePlace } from './announcement.js';

const log = createLog('handlers');

/**
 * In milliseconds. A call that has no answer after this time asks the engine to announce itself. An absent engine is asked at most
 * once in this time.
 */
const longestSilenceMs = 1000;

/** Why an engine is absent while the agent has no connection. */
export const connectionLost = 'the connection to it was lost';

/** How many ids of earlier engines with the same name are kept. */
const maxSuperseded = 16;

/** The errors of the bus that mean that no process answers. */
const goneCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['no_responders', 'disposed']);

/** What an engine needs from the handlers of other processes. */
interface EngineSurroundings {
  /** Asks all engines to announce themselves. */
  readonly ask: () => void;
  readonly isConnectionLost: () => boolean;
  readonly tracing: ContainedTracing | undefined;
  /** Called when the engine becomes absent, or is back. */
  readonly changed: () => void;
}

/**
 * An engine in another process. If that process stops answering, one call waits until its deadline. The engine then counts as
 * absent: its hooks fail at once, according to `onError`, until a message of the engine arrives. During a call the engine is asked
 * to announce itself, so that a process with a slow handler does not count as absent.
 */
export class RemoteEngine implements RemotePlace {
  readonly engineId: string;
  readonly name: string | undefined;
  /** The version in the last announcement. */
  version: string | undefined;
  readonly remedy: string | undefined;
  /** Why not all hooks of the last announcement can be used. */
  problem: string | undefined;
  /** The engine's last announcement, as text. `hooks` are the hooks in this announcement. */
  announced = '';
  hooks: readonly KnownHook[] = [];
  readonly #bus: MessageBus;
  readonly #surroundings: EngineSurroundings;
  /** When the last message of the engine arrived, in milliseconds of `performance.now()`. */
  heardAt = 0;
  /** The ids of earlier engines with the same name. */
  readonly #superseded = new Set<string>();
  #askedAt = Number.NEGATIVE_INFINITY;
  #whyAbsent: string | undefined;

  constructor(
    bus: MessageBus,
    surroundings: EngineSurroundings,
    { engineId, name, remedy }: { readonly engineId: string; readonly name: string | undefined; readonly remedy: string | undefined },
  ) {
    this.#bus = bus;
    this.#surroundings = surroundings;
    this.engineId = engineId;
    this.name = name;
    this.remedy = remedy;
  }

  get isAbsent(): boolean {
    return this.#whyAbsent !== undefined;
  }

  /** Why the engine counts as absent, or why not all of its hooks can be used. Undefined if all is well. */
  get trouble(): string | undefined {
    return this.#whyAbsent ?? this.problem;
  }

  get identity(): RemoteEngineIdentity {
    return { name: this.name ?? this.engineId, ...omitUndefined({ version: this.version }) };
  }

  /**
   * Records that a message of the engine arrived: an announcement or an answer. A message may arrive before the transport reports that the
   * connection is back. A call would still fail then, so the engine stays absent. All engines are asked again when the connection is back.
   */
  heard(): void {
    if (this.#surroundings.isConnectionLost()) {
      this.lost(connectionLost);
      return;
    }
    this.heardAt = performance.now();
    if (this.#whyAbsent === undefined) return;
    log('the engine %s is back', this.#label);
    this.#whyAbsent = undefined;
    this.#surroundings.changed();
  }

  /** Records that this engine replaces an earlier engine with the same name, and all engines that the earlier one had replaced. */
  supersede(earlier: RemoteEngine): void {
    for (const id of [...earlier.#superseded, earlier.engineId].slice(-maxSuperseded)) this.#superseded.add(id);
    this.#superseded.delete(this.engineId);
  }

  supersedes(engineId: string): boolean {
    return this.#superseded.has(engineId);
  }

  /** Returns a handler in this process that calls the handler in the other process. */
  createHandler(hook: Hook): HookHandler {
    return { handle: (event, context) => this.#call(hook, { ...event }, context) as ReturnType<HookHandler['handle']> };
  }

  /** Describes where the hooks run, for `explain`. */
  standing(): string {
    const version = this.version === undefined ? '' : `, version ${JSON.stringify(this.version)},`;
    const where = `of the engine ${this.#label}${version} in another process`;
    return this.isAbsent ? `${where}, which does not answer: the hook fails at once, and its onError applies` : where;
  }

  /** Calls the handler in the other process. Rejects if the handler threw, and with an AbsentError if no process answers. */
  async #call(hook: Hook, event: Record<string, unknown>, { signal }: HandlerContext): Promise<unknown> {
    if (this.isAbsent) throw this.#absence();
    const { timeout_ms: timeoutMs } = hook.config;
    const { engineId } = this;
    const correlationId = globalThis.crypto.randomUUID();
    const began = performance.now();
    const probe = setTimeout(this.#surroundings.ask, Math.min(longestSilenceMs, timeoutMs / 2));
    const reportDeadline = () => {
      if (!isDeadline(signal)) return;
      // The bus also sends a cancel, but without a reason. This cancel is sent first. Its reason lets the process of the handler
      // report that the handler was too slow.
      this.#bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId, reason: signal.reason as string } });
      // No message of the engine arrived since the call began, so the process may be gone.
      if (this.heardAt < began) this.lost(`no answer within ${timeoutMs} ms`);
    };
    const stopListening = onAbort(signal, reportDeadline);
    try {
      const trace = this.#surroundings.tracing?.outgoing();
      const payload = { correlationId, engineId, hookId: hook.id, event, timeoutMs, ...omitUndefined({ trace }) };
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
    if (this.#whyAbsent !== undefined) return;
    log('the engine %s counts as absent: %s', this.#label, why);
    this.#whyAbsent = why;
    this.#surroundings.changed();
  }

  /**
   * Returns the error for an absent engine. It also asks the engine from time to time to announce itself, because an engine that is
   * back may not do so unasked.
   */
  #absence(): AbsentError {
    const now = performance.now();
    if (now - this.#askedAt >= longestSilenceMs) {
      this.#askedAt = now;
      this.#surroundings.ask();
    }
    return new AbsentError(
      `The engine ${this.#label}, which runs the hook in another process, does not answer. Until it announces itself again, its hooks fail at once.`,
    );
  }

  get #label(): string {
    return JSON.stringify(this.name ?? this.engineId);
  }
}
