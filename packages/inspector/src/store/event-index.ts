import type { RecordedMessage } from '@tenterhook/recording';
import { textOfField } from '@tenterhook/runtime/text';
import type { EventRow } from '../api/messages.js';
import { EventStatistics } from './event-statistics.js';
import { type Fields, fieldsOf } from './fields.js';
import { GrowingRow } from './growing-row.js';
import type { ShownTexts } from './shown-texts.js';
import { addProgress, beginExchange, type SlimExchange, setResponse } from './slim-exchange.js';
import { jsonOfStored, placesOfStored, type StoredRow, StoredRows } from './stored-rows.js';

/** Bounds of the index. */
export interface IndexLimits {
  /** Beyond it, the oldest event is forgotten. @default 100000 */
  readonly maxEvents?: number | undefined;
  /** The number and the revision at which it begins, if it follows another index. @default 0 */
  readonly begin?: { readonly number: number; readonly revision: number } | undefined;
}

/**
 * Events that further messages can belong to. Beyond the first number, the oldest answered ones are closed, beyond the second all. Few are
 * open, so that what a recording of a million lines leaves behind lives shortly, and takes no memory.
 */
const usuallyOpen = 32;
const mostOpen = 16_384;
/** Messages of one event that its details show. */
const mostPlaces = 1_024;

const eventChannels: ReadonlySet<string> = new Set(['HOOK_EXECUTION_RESPONSE', 'HOOK_EXECUTION_PROGRESS', 'HOOK_EXECUTION_CANCEL']);

interface Entry {
  readonly n: number;
  /** The row while it changes, and then its bytes. */
  row: GrowingRow | StoredRow;
  /** Where the messages of the event are, in order. Empty if they are in the bytes. */
  places: number[];
  /** Rises with each change of any row. */
  revision: number;
}

const none: Set<unknown> = new Set();

interface OpenEvent {
  readonly exchange: SlimExchange;
  /** Undefined for messages without a request, until there is a response. */
  entry: Entry | undefined;
  readonly places: number[];
  at: number;
  /** The ids of hooks that run on after the response. */
  detached: Set<unknown>;
  /** Whether its figures were added, and can be no longer changed. */
  isCounted: boolean;
}

/**
 * The list of events: a row for each, the places of its messages in the recording, and the figures of all hooks. Messages are joined by
 * their correlation ids as `readRecording` joins them. Nothing else of a message is kept, so that 100,000 events fit into the memory.
 */
export class EventIndex {
  readonly statistics = new EventStatistics();
  readonly #texts: ShownTexts;
  readonly #maxEvents: number;
  readonly #entries = new Map<number, Entry>();
  readonly #open = new Map<unknown, OpenEvent>();
  readonly #stored = new StoredRows();
  readonly #listeners = new Set<(n: number) => void>();
  readonly #begin: number;
  #next: number;
  #closeAt = usuallyOpen;
  #revision: number;

  constructor(texts: ShownTexts, { maxEvents = 100_000, begin = { number: 0, revision: 0 } }: IndexLimits = {}) {
    this.#begin = begin.number;
    this.#next = begin.number;
    this.#revision = begin.revision;
    this.#texts = texts;
    this.#maxEvents = maxEvents;
  }

  /** The number of events so far, and of those that are forgotten. */
  get counts(): { readonly total: number; readonly forgotten: number } {
    const total = this.#next - this.#begin;
    return { total, forgotten: total - this.#entries.size };
  }

  /** The number of the oldest event that is kept. */
  get first(): number {
    return this.#next - this.#entries.size;
  }

  /** The number of the next event. */
  get next(): number {
    return this.#next;
  }

  get revision(): number {
    return this.#revision;
  }

  row(n: number): EventRow | undefined {
    const row = this.#entries.get(n)?.row;
    return row instanceof GrowingRow ? row.row : row && (JSON.parse(jsonOfStored(row)) as EventRow);
  }

  /** The row as JSON. */
  rowJson(n: number): string | undefined {
    const row = this.#entries.get(n)?.row;
    return row instanceof GrowingRow ? JSON.stringify(row.row) : row && jsonOfStored(row);
  }

  /** The revision of the last change of a row. 0 if the row is forgotten. */
  revisionOf(n: number): number {
    return this.#entries.get(n)?.revision ?? 0;
  }

  placesOf(n: number): readonly number[] | undefined {
    const entry = this.#entries.get(n);
    return entry && placesOf(entry);
  }

  /** Calls the listener with the number of each row that is new or has changed. Returns a function that stops this. */
  onChange(listener: (n: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Adds a message of the recording. `at` is its time in milliseconds since 1970. */
  receive({ type, payload: given }: RecordedMessage, place: number, at: number): void {
    const payload = fieldsOf(given);
    if (type === 'HOOK_EXECUTION_REQUEST') this.#request(payload, place, at);
    else if (eventChannels.has(type)) this.#answer(type, payload, place, at);
  }

  /** Forgets which ids are in use, because the messages of another recording follow. */
  separate(): void {
    for (const { entry } of this.#open.values()) if (entry !== undefined) this.#settle(entry);
    this.#open.clear();
  }

  /** Forgets the events with messages before a place, because their file is gone. */
  forgetBefore(place: number): void {
    for (const [n, entry] of this.#entries) {
      if ((placesOf(entry)[0] ?? 0) >= place) return;
      this.#entries.delete(n);
    }
  }

  #request(payload: Fields, place: number, at: number): void {
    const id = payload['correlationId'];
    const known = id === undefined ? undefined : this.#open.get(id);
    const event = this.#beginEvent(payload, true, at);
    event.places.push(place);
    this.#show(event, payload);
    // An id in use is refused under another id, so further messages belong to the request that has it. An answered id may be used again.
    if (id !== undefined && (known === undefined || known.exchange.response !== undefined)) this.#keepOpen(id, event);
  }

  #answer(type: string, payload: Fields, place: number, at: number): void {
    const id = payload['correlationId'];
    const known = id === undefined ? undefined : this.#open.get(id);
    const event = known ?? this.#beginEvent(payload, false, at);
    if (known === undefined && id !== undefined) this.#keepOpen(id, event);
    if (event.places.length < mostPlaces || type === 'HOOK_EXECUTION_RESPONSE') event.places.push(place);
    if (type === 'HOOK_EXECUTION_PROGRESS') this.#progress(event, payload);
    else if (type === 'HOOK_EXECUTION_RESPONSE' && event.exchange.response === undefined) this.#respond(event, payload, at);
    else if (event.entry !== undefined) this.#changed(event.entry);
  }

  #progress(event: OpenEvent, payload: Fields): void {
    const { exchange, entry } = event;
    addProgress(exchange, payload);
    const { kind, hookId, state, late } = payload;
    if (kind === 'circuit-changed') this.statistics.circuit(textOfField(hookId), textOfField(state), event.isCounted);
    if (late === true && event.detached.delete(hookId) && event.detached.size === 0) {
      event.isCounted = this.statistics.settle(exchange);
    }
    if (entry === undefined) return;
    growingOf(entry).progress(payload);
    this.#changed(entry);
  }

  #respond(event: OpenEvent, payload: Fields, at: number): void {
    const { exchange } = event;
    event.detached = setResponse(exchange, payload);
    event.isCounted = this.statistics.add(exchange, event.detached.size > 0);
    const entry = event.entry ?? this.#show(event, { correlationId: payload['correlationId'], eventName: exchange.eventName });
    const elapsed = exchange.request === undefined ? undefined : Math.max(0, at - event.at);
    growingOf(entry).respond(payload, elapsed);
    this.#changed(entry);
  }

  #beginEvent(payload: Fields, hasRequest: boolean, at: number): OpenEvent {
    return { exchange: beginExchange(payload, hasRequest), entry: undefined, places: [], at, detached: none, isCounted: false };
  }

  /** Adds the row of an event. */
  #show(event: OpenEvent, payload: Fields): Entry {
    const row = new GrowingRow(this.#next, event.at, payload, this.#texts);
    const entry: Entry = { n: this.#next, row, places: event.places, revision: 0 };
    event.entry = entry;
    this.#entries.set(this.#next, entry);
    this.#next += 1;
    if (this.#entries.size > this.#maxEvents) this.#entries.delete(this.first);
    this.#changed(entry);
    return entry;
  }

  #keepOpen(id: unknown, event: OpenEvent): void {
    const earlier = this.#open.get(id)?.entry;
    if (earlier !== undefined) this.#settle(earlier);
    // Set again, so that the oldest ones come first.
    this.#open.delete(id);
    this.#open.set(id, event);
    if (this.#open.size > this.#closeAt) this.#closeOldest();
  }

  /**
   * Closes many at once, because each search for the oldest entry of a map passes all that were deleted before it. Events that are not
   * answered, or whose hooks run on, are kept while there is room.
   */
  #closeOldest(): void {
    const closesAll = this.#open.size > mostOpen;
    let left = usuallyOpen / 2;
    for (const [id, { entry, exchange, detached }] of this.#open) {
      if (left === 0) break;
      if (!closesAll && (exchange.response === undefined || detached.size > 0)) continue;
      left -= 1;
      this.#open.delete(id);
      if (entry !== undefined) this.#settle(entry);
    }
    this.#closeAt = this.#open.size + usuallyOpen / 2;
  }

  /** Called when no further message can belong to the event. */
  #settle(entry: Entry): void {
    if (!(entry.row instanceof GrowingRow)) return;
    entry.row = this.#stored.store(JSON.stringify(entry.row.row), entry.places);
    entry.places = [];
  }

  #changed(entry: Entry): void {
    this.#revision += 1;
    entry.revision = this.#revision;
    for (const listener of this.#listeners) listener(entry.n);
  }
}

/** The row of an event that is open. */
function growingOf({ row }: Entry): GrowingRow {
  return row as GrowingRow;
}

function placesOf({ row, places }: Entry): readonly number[] {
  return row instanceof GrowingRow ? places : placesOfStored(row);
}
