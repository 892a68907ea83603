import type { HookExecutionProgress, HookExecutionRequest, HookExecutionResponse } from '@tenterhook/protocol';
import { outcomesIn } from '@tenterhook/protocol/internal';
import { BoundedStream } from './bounded-stream.js';
import type { MessageBus } from './message-bus.js';
import type { BusStream } from './streams.js';

/** The message that a background hook has ended. It comes after the response of its event. */
export type LateEnd = Extract<HookExecutionProgress, { readonly kind: 'hook-finished' }>;

/** All messages about one event. The messages are frozen. */
export interface EventRecord {
  readonly correlationId: string;

  /** The request. Absent if it was refused before a service received it, or sent before the first subscriber came. */
  readonly request?: HookExecutionRequest;

  /** The progress of the event until its response, in order. At most 10,000 messages. */
  readonly progress: readonly HookExecutionProgress[];

  /** The response. Absent if the bus was closed, or lost its connection, before the response came. */
  readonly response?: HookExecutionResponse;

  /** The messages that background hooks have ended, in order. */
  readonly lateEnds: readonly LateEnd[];

  /** Whether the record has the response and the ends of all background hooks. */
  readonly isComplete: boolean;
}

/** The maximum number of events that can be open at once. Beyond it, the oldest record is emitted incomplete. */
const mostOpen = 1024;

/** The maximum number of progress messages in a record. An event with 1000 hooks has about 2000. */
const mostProgress = 10_000;

interface OpenRecord {
  readonly correlationId: string;
  request?: HookExecutionRequest;
  readonly progress: HookExecutionProgress[];
  response?: HookExecutionResponse;
  readonly lateEnds: LateEnd[];
  /** The ids of background hooks that have not ended. */
  readonly running: Set<string>;
}

/** The maximum number of records that wait for a subscriber. Beyond it, the oldest are dropped. */
const mostWaiting = 1024;

/**
 * Joins the messages of a bus by their correlation id, and emits one record for each event. A record is emitted with the response. If the
 * event has background hooks, the record is emitted when the last of them has ended. The messages are joined once for all subscribers.
 * Subscribers are called in a later turn of the event loop, so that they do not delay an event.
 */
export class EventRecords {
  readonly #bus: MessageBus;
  readonly #records: BoundedStream<EventRecord>;
  /** The open records, keyed by correlation id. The oldest comes first. */
  readonly #open = new Map<string, OpenRecord>();
  #unsubscribe: readonly (() => void)[] = [];

  constructor(bus: MessageBus) {
    this.#bus = bus;
    this.#records = new BoundedStream<EventRecord>(
      mostWaiting,
      (record) => record,
      (isObserved) => (isObserved ? this.#start() : this.#stop()),
    );
  }

  get stream(): BusStream<EventRecord> {
    return this.#records.values$;
  }

  /** Emits the open records incomplete, and completes the stream. */
  close(): void {
    for (const record of [...this.#open.values()]) this.#emit(record);
    this.#stop();
    this.#records.close();
  }

  #start(): void {
    const closed = { complete: () => this.close() };
    const requests = this.#bus.stream('HOOK_EXECUTION_REQUEST').subscribe({ next: (request) => this.#onRequest(request), ...closed });
    const progress = this.#bus.stream('HOOK_EXECUTION_PROGRESS').subscribe((step) => this.#onProgress(step));
    const responses = this.#bus.stream('HOOK_EXECUTION_RESPONSE').subscribe((response) => this.#onResponse(response));
    this.#unsubscribe = [requests, progress, responses].map((subscription) => () => subscription.unsubscribe());
  }

  #stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#unsubscribe = [];
    this.#open.clear();
  }

  #onRequest(request: HookExecutionRequest): void {
    const { correlationId } = request;
    // A second request with the id of a request in flight is refused. The response to the second request has another id.
    if (typeof correlationId === 'string' && !this.#open.has(correlationId)) this.#record(correlationId).request = request;
  }

  /** Progress of an unknown event is ignored: its request came before the first subscriber, or it is not about an event. */
  #onProgress(step: HookExecutionProgress): void {
    const record = this.#open.get(step.correlationId);
    if (record === undefined) return;
    if (step.kind !== 'hook-finished' || step.late !== true) {
      if (record.progress.length < mostProgress) record.progress.push(step);
      return;
    }
    record.lateEnds.push(step);
    record.running.delete(step.hookId);
    if (record.running.size === 0 && record.response !== undefined) this.#emit(record);
  }

  #onResponse(response: HookExecutionResponse): void {
    const record = this.#open.get(response.correlationId) ?? this.#record(response.correlationId);
    record.response = response;
    for (const { hookId, status } of outcomesIn(response) ?? []) {
      if (status === 'detached' && typeof hookId === 'string') record.running.add(hookId);
    }
    for (const { hookId } of record.lateEnds) record.running.delete(hookId);
    if (record.running.size === 0) this.#emit(record);
  }

  #record(correlationId: string): OpenRecord {
    const record: OpenRecord = { correlationId, progress: [], lateEnds: [], running: new Set() };
    this.#open.set(correlationId, record);
    if (this.#open.size > mostOpen) this.#emit(this.#open.values().next().value as OpenRecord);
    return record;
  }

  #emit({ running, ...record }: OpenRecord): void {
    this.#open.delete(record.correlationId);
    const isComplete = record.response !== undefined && running.size === 0;
    this.#records.push(Object.freeze({ ...record, isComplete }));
  }
}
