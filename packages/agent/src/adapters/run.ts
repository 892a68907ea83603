import { omitUndefined } from '@tenterhook/runtime/json';
import { type CallLedger, createCallLedger, type KnownCall } from '../tool/call-ledger.js';
import { areOfOneAnswer, Conversation } from './conversation.js';
import type { Past } from './past.js';
import type { LeftByCall, PastCall } from './past-call.js';

/** The maximum number of calls of which the place is kept by their ids. Later ones are found by their places alone. */
const maxPlaces = 1024;

/** How a tool call ended, as far as later model calls need it. */
export interface CallEnd {
  /** Texts that the model reads behind the result. */
  readonly texts?: readonly string[] | undefined;
  /** Why a hook stopped the agent at the call. */
  readonly stop?: LeftByCall['stop'] | undefined;
}

/**
 * One run of an agent in a framework, with its tool calls by their ids. Ids are unique in a run at best: some providers number the calls of
 * each answer from 0, so a new call replaces what is known about an earlier one.
 */
export class Run implements Pick<CallLedger, 'begin' | 'note' | 'get'> {
  readonly #calls = createCallLedger();
  readonly #past: Past;
  #hasLeft = false;
  /** Where calls are in the conversation, by their ids. Calls of one answer with the same id are at several places. */
  readonly #places = new Map<string, readonly PastCall[]>();
  /** The ids of calls with a stop that has not been taken. Another call may have one of them since. */
  readonly #stopped = new Set<string>();
  /** The conversation that was read last. */
  #conversation: Conversation | undefined;

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
    this.#places.delete(callId);
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
    this.#places.delete(callId);
    this.#calls.finish(callId);
  }

  /** Begins to read the conversation of the run. */
  readConversation(): Conversation {
    this.#conversation = new Conversation(this.#conversation);
    return this.#conversation;
  }

  /** Notes where in the conversation a call is that the model has made in this run. Later runs find there what the call leaves. */
  place(callId: string, place: string): void {
    if (this.#placeOf(callId, place) !== undefined) return;
    const { stop, additions } = this.#calls.get(callId) ?? {};
    this.#addPlace(callId, this.#past.enter(place, this, omitUndefined({ stop, additions })));
  }

  /** Whether a call has left something, and it is not known where in the conversation it is. */
  isUnplaced(callId: string): boolean {
    return this.#calls.get(callId) !== undefined && !this.#places.has(callId);
  }

  /** Continues a call that an earlier run of the conversation has left open, e.g. because the user had to be asked. */
  continue(callId: string, place: string): void {
    if (this.#placeOf(callId, place) !== undefined) return;
    const call = this.#past.continue(place, this);
    this.#calls.note(callId, call.left);
    this.#addPlace(callId, call);
  }

  /** Adds what the model reads behind the result of a call, and a stop. What is there stays: it is of the same answer of the model. */
  leave(callId: string, { texts = [], stop: newStop }: CallEnd): void {
    const known = this.#calls.get(callId) ?? {};
    const additions = texts.length === 0 ? known.additions : [...(known.additions ?? []), ...texts];
    const left = omitUndefined({ stop: newStop ?? known.stop, additions });
    this.#calls.note(callId, left);
    if (left.stop !== undefined) this.#stopped.add(callId);
    if (Object.keys(left).length > 0) {
      this.#hasLeft = true;
      this.#past.hasLeft = true;
    }
    for (const call of this.#places.get(callId) ?? []) this.#past.leave(call, left);
  }

  /** Ends a call: only its stop, its texts and its place are left. */
  end(callId: string, end: CallEnd = {}): void {
    this.leave(callId, end);
    const { stop, additions } = this.#calls.get(callId) ?? {};
    this.#calls.finish(callId, omitUndefined({ stop, additions }));
  }

  /**
   * Returns what a call of the conversation left: at its place in this run, by its id, or at its place in earlier runs. `callId` is undefined
   * if a later call has the same id. `place` comes first, because conversations in one run may have calls with equal ids.
   */
  find(callId: string | undefined, place: string | undefined): LeftByCall | undefined {
    const own = place === undefined ? undefined : this.#past.ofRun(place, this);
    const known = own ?? (callId === undefined ? undefined : this.#calls.get(callId));
    return known ?? (place === undefined ? undefined : this.#past.ofOthers(place));
  }

  /** Whether a call with this id may have left a stop. */
  mayBeStopped(callId: string): boolean {
    return this.#stopped.has(callId) || this.#calls.get(callId)?.stop !== undefined;
  }

  /** Takes the stop of a call, so that it ends one model call only. The call is found as in `find`. */
  takeStop(callId: string, place?: string): LeftByCall['stop'] {
    if (this.#isOwn(callId, place)) return this.#takeOwnStop(callId, place);
    return place === undefined ? undefined : this.#past.takeOthersStop(place);
  }

  /** Removes the stop of a call, because the user has gone on since. If it may be one of another conversation, it stays for that one. */
  forgetStop(callId: string, place: string | undefined): void {
    if (this.#isOwn(callId, place)) this.#takeOwnStop(callId, place);
  }

  #isOwn(callId: string, place: string | undefined): boolean {
    return this.#calls.get(callId) !== undefined || (place !== undefined && this.#past.ofRun(place, this) !== undefined);
  }

  #takeOwnStop(callId: string, place: string | undefined): LeftByCall['stop'] {
    const { stop } = this.#calls.get(callId) ?? {};
    const at = place === undefined ? undefined : this.#placeOf(callId, place);
    if (place !== undefined && this.#past.ofRun(place, this) !== undefined) {
      const taken = this.#past.takeOwnStop(place, this);
      if (taken !== undefined) this.#stopped.delete(callId);
      // If another call at this place had the stop, this one keeps its own.
      if (stop !== undefined && at !== undefined && at.left.stop === undefined) this.#dropStop(callId, true);
      return taken;
    }
    // At another place, the conversation may have been shortened, or the call is one of another conversation, which must find its stop there.
    if (stop !== undefined) this.#dropStop(callId, at !== undefined || place === undefined);
    return stop;
  }

  #dropStop(callId: string, isAtPlaces: boolean): void {
    this.#stopped.delete(callId);
    const { additions } = this.#calls.get(callId) ?? {};
    const left = omitUndefined({ additions });
    this.#calls.finish(callId, left);
    if (isAtPlaces) for (const call of this.#places.get(callId) ?? []) this.#past.leave(call, left);
  }

  #placeOf(callId: string, place: string): PastCall | undefined {
    return this.#places.get(callId)?.find((call) => call.place === place);
  }

  #addPlace(callId: string, call: PastCall): void {
    // What an earlier answer left at a call with this id is of that call.
    const others = (this.#places.get(callId) ?? []).filter(({ place }) => areOfOneAnswer(place, call.place));
    this.#places.delete(callId);
    this.#places.set(callId, [...others, call]);
    const oldest = this.#places.size > maxPlaces ? this.#places.keys().next().value : undefined;
    if (oldest !== undefined) this.#places.delete(oldest);
  }
}
