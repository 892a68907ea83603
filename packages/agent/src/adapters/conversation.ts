/** A call of a tool in a conversation. */
export interface PlacedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/**
 * Reads a conversation from its beginning, and says where in it a call is: its id, tool and input, and what the model said before. Texts of
 * the user do not count, because hooks add context to them in the request, and the history of the app does not have it.
 *
 * What comes before is kept as two numbers, because a conversation may be long. They tell the conversations of one session apart, and no
 * permission depends on them.
 */
export class Conversation {
  #first = 0xdeadbeef;
  #second = 0x41c6ce57;

  /** Adds what the model said next. */
  add(text: string): void {
    for (let at = 0; at < text.length; at += 1) this.#mix(text.charCodeAt(at));
    this.#mix(0x10000);
  }

  addCall({ id, name, input }: PlacedCall): void {
    this.add(JSON.stringify([id, name, input]));
  }

  /** Returns the place of a call that the model makes now. */
  placeOf({ id, name, input }: PlacedCall): string {
    return JSON.stringify([id, name, input, this.#first, this.#second]);
  }

  #mix(unit: number): void {
    this.#first = Math.imul(this.#first ^ unit, 2654435761);
    this.#second = Math.imul(this.#second ^ unit, 1597334677);
    this.#first ^= this.#second >>> 15;
  }
}
