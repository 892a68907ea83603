import { isSameJson } from '@tenterhook/runtime/json';
import type { KnownCall } from '../tool/call-ledger.js';

/** The maximum number of calls. The oldest are dropped, because a conversation may never go on. */
const maxCalls = 1024;
/** The maximum length of their places together. A place contains the input of its call, which may be a whole file. */
const maxCharacters = 4 * 1024 * 1024;

interface PastCall {
  /** The run that knows the call. Undefined if two runs left different things at the same place. */
  readonly by: WeakRef<object> | undefined;
  readonly left: KnownCall;
}

/**
 * What the runs of one client left for later runs of the same conversation, by the place of the call in the conversation. Two conversations
 * may be alike, and the ids of their calls too. Then it is not known whose texts are meant, so neither of them gets any: a text of one
 * conversation must not reach another.
 */
export class Past {
  readonly #calls = new Map<string, PastCall>();
  #characters = 0;
  /** Whether any call left a stop or texts. Without them, conversations need not be searched. */
  hasLeft = false;

  get isEmpty(): boolean {
    return this.#calls.size === 0;
  }

  leave(place: string, run: object, left: KnownCall): void {
    const known = this.#calls.get(place);
    const isOfOther = known !== undefined && known.by?.deref() !== run && !isSameJson(known.left, left);
    this.#calls.set(place, isOfOther ? { by: undefined, left: {} } : { by: new WeakRef(run), left });
    if (known === undefined) this.#characters += place.length;
    for (const oldest of this.#calls.keys()) {
      if (this.#calls.size <= maxCalls && this.#characters <= maxCharacters) return;
      this.#calls.delete(oldest);
      this.#characters -= oldest.length;
    }
  }

  recall(place: string, run: object): KnownCall | undefined {
    const known = this.#calls.get(place);
    if (known === undefined) return undefined;
    if (known.by !== undefined) this.#calls.set(place, { by: new WeakRef(run), left: known.left });
    return known.left;
  }
}
