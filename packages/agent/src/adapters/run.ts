import { omitUndefined } from '@tenterhook/runtime/json';
import { type CallLedger, createCallLedger, type KnownCall } from '../tool/call-ledger.js';
import type { Past } from './past.js';

/** How a tool call ended, as far as later model calls need it. */
export interface CallEnd {
  /** Texts that the model reads behind the result. */
  readonly texts?: readonly string[] | undefined;
  /** Why a hook stopped the agent at the call. */
  readonly stop?: KnownCall['stop'] | undefined;
}

/**
 * One run of an agent in a framework, with its tool calls by their ids. Ids are unique in a run at best: some providers number the calls of
 * each answer from 0, so a new call replaces what is known about an earlier one.
 */
export class Run implements Pick<CallLedger, 'begin' | 'note' | 'get'> {
  readonly #calls = createCallLedger();
  readonly #past: Past;
  #hasLeft = false;

  constructor(past: Past) {
    this.#past = past;
  }

  /** Whether calls have left a stop or texts. Without them, no answer of the model needs to be searched for calls with the same ids. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** Whether any call of the client has left a stop or texts. Without them, no conversation needs to be searched. */
  get isSearched(): boolean {
    return this.#past.hasLeft;
  }

  begin(callId: string, known: KnownCall): void {
    this.#calls.begin(callId, known);
  }

  note(callId: string, known: KnownCall): void {
    this.#calls.note(callId, known);
  }

  get(callId: string): KnownCall | undefined {
    return this.#calls.get(callId);
  }

  /** Removes a call, because the model has made another one with the same id. */
  forget(callId: string): void {
    this.#calls.finish(callId);
  }

  /** Adds what the model reads behind the result of a call, and a stop. What is there stays: it is of the same answer of the model. */
  leave(callId: string, { texts = [], stop: newStop }: CallEnd): void {
    const known = this.#calls.get(callId) ?? {};
    const additions = texts.length === 0 ? known.additions : [...(known.additions ?? []), ...texts];
    const left = omitUndefined({ stop: newStop ?? known.stop, additions });
    this.#calls.note(callId, left);
    if (Object.keys(left).length > 0) {
      this.#hasLeft = true;
      this.#past.hasLeft = true;
    }
    if (known.place === undefined) return;
    const place = known.place();
    // The function may hold the whole conversation.
    this.#calls.note(callId, { place: () => place });
    this.#past.leave(place, this, left);
  }

  /** Ends a call: only its stop, its texts and its place are left. */
  end(callId: string, end: CallEnd = {}): void {
    this.leave(callId, end);
    const { stop, additions, place } = this.#calls.get(callId) ?? {};
    this.#calls.finish(callId, omitUndefined({ stop, additions, place }));
  }

  /** Takes the stop of a call, so that it ends one model call only. `place` finds a call of an earlier run. */
  takeStop(callId: string, place?: () => string): KnownCall['stop'] {
    const known = this.#calls.get(callId);
    const { stop, additions } = known ?? this.recall(place) ?? {};
    if (stop === undefined) return undefined;
    const left = omitUndefined({ additions, place: known?.place ?? place });
    if (known !== undefined) this.#calls.finish(callId, left);
    if (left.place !== undefined) this.#past.leave(left.place(), this, omitUndefined({ additions }));
    return stop;
  }

  /** Returns what an earlier run of the same conversation left of a call. From then on, the call is one of this run. */
  recall(place: (() => string) | undefined): KnownCall | undefined {
    return place === undefined || this.#past.isEmpty ? undefined : this.#past.recall(place(), this);
  }
}
