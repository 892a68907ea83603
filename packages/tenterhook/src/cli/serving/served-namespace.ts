import { hostname } from 'node:os';
import { type ConnectionState, MessageBus, type RequestContext } from '@tenterhook/bus';
import type { HookExecutionRequest, HookExecutionResponse } from '@tenterhook/protocol';
import type { OpenHooks } from '../../hooks.js';
import type { WorkerTransport } from './connect-worker.js';

/** What a namespace has done so far. */
export interface NamespaceLoad {
  readonly running: number;
  readonly answered: number;
  readonly denied: number;
  readonly failed: number;
  /** Deliveries by a stream that were not the first one of their request. Absent if no stream keeps requests. */
  readonly redelivered?: number;
  /** Deliveries by a stream of requests that this worker ran or had answered already. */
  readonly repeated?: number;
}

export interface ServedNamespaceOptions {
  /** The maximum number of requests at a time. Further ones are answered with `overloaded`. */
  readonly maxInFlight: number;
  /** Milliseconds that `drain()` waits for a lost connection, so that the last answers arrive. */
  readonly drainTimeoutMs: number;
  /** Whether the worker answers the query `load` of other programs. */
  readonly answersQueries: boolean;
  /** Whether a stream keeps requests until they are answered. */
  readonly keepsRequests: boolean;
  /** Called with a line for the log after each request. */
  readonly onAnswered: ((line: object) => void) | undefined;
}

/** The maximum number of answered requests whose late progress is still passed on. */
const mostLate = 1024;

/**
 * The hooks of one namespace, and the bus on which agents in other processes ask them. The hooks have a bus of their own. So requests can be
 * counted, limited and finished before the worker ends.
 */
export class ServedNamespace {
  readonly name: string;
  readonly #hooks: OpenHooks;
  readonly #transport: WorkerTransport;
  readonly #bus: MessageBus;
  readonly #options: ServedNamespaceOptions;
  /** The contexts of requests, for their progress. The oldest comes first. */
  readonly #contexts = new Map<string, RequestContext>();
  readonly #load = { running: 0, answered: 0, denied: 0, failed: 0 };
  #stop = () => {};
  #isConnected = true;
  #isServing = false;
  #draining: Promise<boolean> | undefined;
  #onIdle = () => {};

  constructor(name: string, hooks: OpenHooks, transport: WorkerTransport, options: ServedNamespaceOptions) {
    this.name = name;
    this.#hooks = hooks;
    this.#transport = transport;
    this.#bus = new MessageBus({ transport });
    this.#options = options;
    this.onConnectionChange((state) => {
      this.#isConnected = state === 'restored';
    });
  }

  get load(): NamespaceLoad {
    const { redelivered, repeated } = this.#transport.deliveryCounts ?? { redelivered: 0, repeated: 0 };
    return this.#options.keepsRequests ? { ...this.#load, redelivered, repeated } : this.#load;
  }

  /** Whether requests are answered: the connection is open, and the worker has started and is not ending. */
  get isReady(): boolean {
    return this.#isConnected && this.#isServing;
  }

  onConnectionChange(listener: (state: ConnectionState) => void): void {
    this.#bus.onConnectionChange(listener);
  }

  /** Resolves when agents can ask. */
  async start(): Promise<void> {
    this.#hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => this.#contexts.get(payload.correlationId)?.progress(payload));
    const { maxInFlight } = this.#options;
    this.#stop = this.#bus.respond('HOOK_EXECUTION_REQUEST', (payload, context) => this.#answer(payload, context), { maxInFlight });
    if (this.#options.answersQueries) this.#bus.respond('HOOK_SERVICE_QUERY', ({ query }) => this.#describe(query));
    await this.#bus.flush();
    this.#isServing = true;
    // A server reports a refused subscription in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
  }

  /**
   * Takes no more requests. Resolves when those that run are answered and the answers have arrived: to false if the connection is lost and
   * not restored in time, so that the last answers may not have arrived.
   */
  drain(): Promise<boolean> {
    this.#draining ??= this.#drain();
    return this.#draining;
  }

  close(): Promise<void> {
    return this.#bus.close();
  }

  async #drain(): Promise<boolean> {
    this.#isServing = false;
    this.#stop();
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    if (this.#load.running > 0) await idle;
    // The bus publishes the last answer later in this turn.
    await new Promise((resolve) => setImmediate(resolve));
    return this.#transport.answersSettled?.(this.#options.drainTimeoutMs) ?? this.#bus.flush();
  }

  #describe(query: string) {
    if (query !== 'load') {
      const message = `A worker of tenterhook serve answers the query "load", and this one is ${JSON.stringify(query.slice(0, 100))}.`;
      return { success: false as const, error: { code: 'invalid_request' as const, message } };
    }
    const load = { worker: `${hostname()}-${process.pid}`, ready: this.isReady, ...this.load };
    return { success: true as const, output: { events: [], hooks: [], files: [], diagnostics: [], load } };
  }

  async #answer(payload: HookExecutionRequest, context: RequestContext) {
    const began = performance.now();
    this.#load.running += 1;
    this.#contexts.set(context.correlationId, context);
    const [oldest] = this.#contexts.keys();
    if (this.#contexts.size > this.#options.maxInFlight + mostLate && oldest !== undefined) this.#contexts.delete(oldest);
    const { signal, correlationId } = context;
    try {
      const asked = { ...payload, correlationId } as never;
      const response: HookExecutionResponse = await this.#hooks.bus.request('HOOK_EXECUTION_REQUEST', asked, { signal });
      this.#count(response, payload, performance.now() - began);
      return response.success
        ? { success: true as const, output: response.output }
        : { success: false as const, error: response.error as NonNullable<HookExecutionResponse['error']> };
    } finally {
      this.#load.running -= 1;
      if (this.#load.running === 0) this.#onIdle();
    }
  }

  #count({ success, output, error, correlationId }: HookExecutionResponse, { eventName }: HookExecutionRequest, ms: number): void {
    this.#load.answered += 1;
    const verdict = output?.verdict.kind;
    if (!success) this.#load.failed += 1;
    else if (verdict === 'deny') this.#load.denied += 1;
    this.#options.onAnswered?.({
      time: new Date().toISOString(),
      namespace: this.name,
      correlationId,
      eventName,
      ...(success ? { verdict } : { error: error?.code }),
      durationMs: Math.round(ms),
      running: this.#load.running - 1,
    });
  }
}
