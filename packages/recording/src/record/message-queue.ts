import type { Entry } from '../write/encode-entry.js';

/** The order in which messages are dropped: those with the lowest priority first. */
export type Priority = 0 | 1 | 2;

/** Messages that do not fit into a queue. */
export interface Dropped {
  readonly count: number;
  readonly bytes: number;
  /** How many of them have the highest priority: requests and responses. Without these, the recording of a run is incomplete. */
  readonly requests: number;
}

interface Waiting {
  readonly entry: Entry;
  readonly bytes: number;
  readonly order: number;
}

/** Entries that leave in the order in which they came. `shift()` of an array was rejected: it moves all others. */
class Lane {
  #waiting: (Waiting | undefined)[] = [];
  #head = 0;

  get first(): Waiting | undefined {
    return this.#waiting[this.#head];
  }

  get rest(): readonly Waiting[] {
    return this.#waiting.slice(this.#head) as Waiting[];
  }

  add(waiting: Waiting): void {
    this.#waiting.push(waiting);
  }

  removeFirst(): void {
    // Otherwise its text would stay in memory.
    this.#waiting[this.#head] = undefined;
    this.#head += 1;
    if (this.#head * 2 < this.#waiting.length) return;
    this.#waiting = this.#waiting.slice(this.#head);
    this.#head = 0;
  }
}

/**
 * A queue with a limit of bytes. If a message does not fit, the oldest messages of a lower priority are dropped for it, or the message
 * itself. A message that is larger than the whole limit may wait alone, so that an event with much output is not lost.
 */
export class MessageQueue {
  readonly #maxBytes: number;
  readonly #lanes: readonly Lane[] = [new Lane(), new Lane(), new Lane()];
  #order = 0;
  #bytes = 0;
  /** Bytes that were taken and are still in memory. */
  #taken = 0;
  #dropped = { count: 0, bytes: 0, requests: 0 };

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isEmpty(): boolean {
    return this.#lanes.every(({ first }) => first === undefined);
  }

  /** Bytes that are in memory: waiting ones, and taken ones that were not released. */
  get bytes(): number {
    return this.#bytes + this.#taken;
  }

  add(entry: Entry, bytes: number, priority: Priority): void {
    for (let lower = 0; lower < priority && !this.#fits(bytes); lower += 1) this.#dropFrom(lower, bytes);
    if (!this.#fits(bytes)) {
      this.#drop(bytes, priority);
      return;
    }
    this.#order += 1;
    this.#lanes[priority]?.add({ entry, bytes, order: this.#order });
    this.#bytes += bytes;
  }

  /** Removes the first entry. Its bytes count until they are released. */
  take(): Waiting | undefined {
    let from: Lane | undefined;
    for (const lane of this.#lanes) {
      if (lane.first !== undefined && (from?.first === undefined || lane.first.order < from.first.order)) from = lane;
    }
    const taken = from?.first;
    if (taken === undefined) return undefined;
    from?.removeFirst();
    this.#bytes -= taken.bytes;
    this.#taken += taken.bytes;
    return taken;
  }

  /** Counts bytes that did not pass the queue. They are released like others. */
  hold(bytes: number): void {
    this.#taken += bytes;
  }

  release(bytes: number): void {
    this.#taken -= bytes;
  }

  /** Returns what was dropped since the last call. */
  takeDropped(): Dropped | undefined {
    if (this.#dropped.count === 0) return undefined;
    const dropped = this.#dropped;
    this.#dropped = { count: 0, bytes: 0, requests: 0 };
    return dropped;
  }

  /** The waiting entries, in order. */
  entries(): Entry[] {
    return this.#lanes
      .flatMap(({ rest }) => rest)
      .sort((one, other) => one.order - other.order)
      .map(({ entry }) => entry);
  }

  #fits(bytes: number): boolean {
    const others = this.#bytes + this.#taken;
    return others + bytes <= this.#maxBytes || (bytes > this.#maxBytes && others <= this.#maxBytes);
  }

  #dropFrom(priority: number, bytes: number): void {
    const lane = this.#lanes[priority] as Lane;
    for (let oldest = lane.first; oldest !== undefined && !this.#fits(bytes); oldest = lane.first) {
      lane.removeFirst();
      this.#bytes -= oldest.bytes;
      this.#drop(oldest.bytes, priority);
    }
  }

  #drop(bytes: number, priority: number): void {
    this.#dropped.count += 1;
    this.#dropped.bytes += bytes;
    if (priority === 2) this.#dropped.requests += 1;
  }
}
