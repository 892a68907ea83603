import { isSameJson, omitUndefined } from '@tenterhook/runtime/json';
import type { LeftByCall, PastCall } from './past-call.js';

/** The maximum number of calls. */
const maxCalls = 8192;
/** The maximum number of calls at one place. A program may run the same conversation again and again. */
const maxAlike = 64;
/** The maximum length of their places and texts together. A place contains the input of its call, which may be a whole file. */
const maxCharacters = 8 * 1024 * 1024;

/**
 * The calls of one client by their places in conversations, with what they left for later model calls. Each call is entered when it is made,
 * also if it leaves nothing: two conversations may be alike, and the ids of their calls too, and only the number of calls at a place shows
 * that. Then it is not known which of them a later run continues:
 * - It gets texts only if all calls at the place have left the same. A text of one conversation must not reach another.
 * - It is stopped if any of the calls has left a stop, because a stop must not be lost. The stop counts until each of the calls may have been
 *   continued once.
 *
 * A run that made a call at the place itself is known, so only its own call counts for it, and what later runs take does not change that.
 */
export class Past {
  readonly #calls = new Map<string, PastCall[]>();
  #count = 0;
  #characters = 0;
  /** Whether any call left a stop or texts. Without them, conversations need not be searched. */
  hasLeft = false;

  /** Enters a call that a run makes. */
  enter(place: string, run: object, left: LeftByCall = {}): PastCall {
    const call: PastCall = { place, by: new WeakRef(run), left: {}, isOwnServed: false, isContinued: false };
    this.#add(call);
    this.leave(call, left);
    return call;
  }

  /** Replaces what a call left. */
  leave(call: PastCall, left: LeftByCall): void {
    const isEmpty = Object.keys(left).length === 0;
    if (!isEmpty) this.hasLeft = true;
    const isKnown = this.#at(call.place).includes(call);
    if (isKnown) this.#characters += lengthOf(left) - lengthOf(call.left);
    Object.assign(call, { left, isOwnServed: false, isContinued: false });
    // A call that was dropped to make room may leave something later.
    if (!isKnown && !isEmpty) this.#add(call);
    this.#makeRoom();
  }

  /**
   * Returns the call that a run continues, e.g. after the user has answered a question about it. If it is not known which one that is, another
   * one is entered, with the stop that may be meant.
   */
  continue(place: string, run: object): PastCall {
    const calls = this.#at(place);
    const [first, ...others] = calls;
    const own = calls.find(({ by }) => by.deref() === run);
    if (own !== undefined) return own;
    if (first === undefined) return this.enter(place, run);
    if (!others.every(({ left }) => isSameJson(left, first.left))) {
      const { stop } = summarize(calls);
      return this.enter(place, run, omitUndefined({ stop }));
    }
    first.by = new WeakRef(run);
    // Of calls that are the same, the next run continues another one.
    this.#calls.set(place, [...others, first]);
    return first;
  }

  /** What the calls of a run left at a place. Undefined if the run made none there. */
  ofRun(place: string, run: object): LeftByCall | undefined {
    const own = this.#ofRun(place, run);
    return own.length === 0 ? undefined : summarize(own);
  }

  /** What a run that made no call at a place reads there. Undefined if no run made one. */
  ofOthers(place: string): LeftByCall | undefined {
    const calls = this.#at(place);
    if (calls.length === 0) return undefined;
    const { stop } = summarize(calls.filter(({ isContinued }) => !isContinued));
    return omitUndefined({ ...summarize(calls), stop });
  }

  /** Takes a stop of the run's own calls, so that it ends one model call only. */
  takeOwnStop(place: string, run: object): LeftByCall['stop'] {
    const own = this.#ofRun(place, run).filter(({ isOwnServed }) => !isOwnServed);
    const { stop } = summarize(own);
    if (stop === undefined) return undefined;
    // Two conversations of one run may be alike too.
    const call = own.find(({ left }) => left.stop === undefined);
    if (call !== undefined) call.isOwnServed = true;
    else if (own[0] !== undefined) this.leave(own[0], omitUndefined({ additions: own[0].left.additions }));
    return stop;
  }

  /** Takes a stop for a run that made no call at the place. The runs that did are still stopped by it. */
  takeOthersStop(place: string): LeftByCall['stop'] {
    const open = this.#at(place).filter(({ isContinued }) => !isContinued);
    const { stop } = summarize(open);
    if (stop === undefined) return undefined;
    const call = open.find(({ left }) => left.stop === undefined) ?? open[0];
    if (call !== undefined) call.isContinued = true;
    return stop;
  }

  #at(place: string): readonly PastCall[] {
    return this.#calls.get(place) ?? [];
  }

  #ofRun(place: string, run: object): PastCall[] {
    return this.#at(place).filter(({ by }) => by.deref() === run);
  }

  #add(call: PastCall): void {
    const calls = [...this.#at(call.place), call];
    this.#calls.set(call.place, calls);
    this.#count += 1;
    this.#characters += call.place.length + lengthOf(call.left);
    if (calls.length <= maxAlike) return;
    // One call of each kind stays, so that it remains known that they differ.
    const isRepeated = (each: PastCall) => !hasStop(each) && calls.some((other) => other !== each && isSameTexts(each, other));
    const dropped = calls.find(isRepeated) ?? calls.find((each) => !hasStop(each)) ?? calls[0]!;
    calls.splice(calls.indexOf(dropped), 1);
    this.#count -= 1;
    this.#characters -= dropped.place.length + lengthOf(dropped.left);
  }

  /**
   * Drops the oldest places, because a conversation may never continue: first those where nothing was left, then those with texts, and last
   * those with a stop. A quarter of the space becomes free, so that this is seldom done.
   */
  #makeRoom(): void {
    if (this.#count <= maxCalls && this.#characters <= maxCharacters) return;
    const keeps: ((call: PastCall) => boolean)[] = [hasAny, hasStop, () => false];
    for (const keep of keeps) {
      for (const [place, calls] of this.#calls) {
        if (this.#count <= maxCalls * 0.75 && this.#characters <= maxCharacters * 0.75) return;
        if (calls.some(keep)) continue;
        this.#calls.delete(place);
        this.#count -= calls.length;
        for (const { left } of calls) this.#characters -= place.length + lengthOf(left);
      }
    }
  }
}

/** What calls at one place left, for a run that continues after one of them, and it is not known which. */
function summarize(calls: readonly PastCall[]): LeftByCall {
  const [first, ...others] = calls;
  const isSame = first !== undefined && others.every((other) => isSameTexts(first, other));
  return omitUndefined({ stop: calls.find(hasStop)?.left.stop, additions: isSame ? first.left.additions : undefined });
}

function isSameTexts(one: PastCall, other: PastCall): boolean {
  return isSameJson(one.left.additions ?? [], other.left.additions ?? []);
}

function hasAny({ left }: PastCall): boolean {
  return left.stop !== undefined || left.additions !== undefined;
}

function hasStop({ left }: PastCall): boolean {
  return left.stop !== undefined;
}

function lengthOf({ additions = [] }: LeftByCall): number {
  return additions.reduce((sum, text) => sum + text.length, 0);
}
