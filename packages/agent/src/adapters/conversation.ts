/** A call of a tool in a conversation. */
export interface PlacedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** What the model said up to here, as two numbers. A conversation may be long. */
interface Said {
  readonly first: number;
  readonly second: number;
}

const nothing: Said = { first: 0xdeadbeef, second: 0x41c6ce57 };

/**
 * Reads a conversation from its beginning, and says where in it a call is: its id, tool and input, and what the model said before. Texts of
 * the user do not count, because hooks add context to them in the request, and the history of the app does not have it.
 *
 * What comes before is kept as two numbers. They tell the conversations of one session apart, and no permission depends on them. The numbers
 * of a conversation that was read before are used again as far as both say the same: comparing texts is much faster than mixing them, and an
 * agent reads its conversation again at each step.
 */
export class Conversation {
  readonly #texts: string[] = [];
  readonly #said: Said[] = [];
  /** Absent as soon as the conversations differ. */
  #known: Conversation | undefined;

  constructor(known?: Conversation) {
    this.#known = known;
    // A conversation that has been read keeps no earlier one.
    if (known !== undefined) known.#known = undefined;
  }

  /** Adds what the model said next: a text, or the place of a call. */
  add(text: string): void {
    const at = this.#texts.length;
    const known = this.#known;
    const said = known !== undefined && known.#texts[at] === text ? known.#said[at] : undefined;
    if (said === undefined) this.#known = undefined;
    // The text that is kept already, so that equal ones are not kept twice.
    this.#texts.push(known !== undefined && said !== undefined ? known.#texts[at]! : text);
    this.#said.push(said ?? mix(this.#last, text));
  }

  /** Returns the place of a call that the model makes now. */
  placeOf({ id, name, input }: PlacedCall): string {
    const { first, second } = this.#last;
    return `${first},${second} ${JSON.stringify([id, name, input], writeBigInt)}`;
  }

  get #last(): Said {
    return this.#said.at(-1) ?? nothing;
  }
}

/** Whether two places are those of calls in the same answer of the model. */
export function areOfOneAnswer(one: string, other: string): boolean {
  return one.split(' ', 1)[0] === other.split(' ', 1)[0];
}

/** A schema of the app may have made a BigInt of a text. */
function writeBigInt(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

function mix({ first, second }: Said, text: string): Said {
  let [one, two] = [first, second];
  const add = (unit: number) => {
    one = Math.imul(one ^ unit, 2654435761);
    two = Math.imul(two ^ unit, 1597334677);
    one ^= two >>> 15;
  };
  for (let at = 0; at < text.length; at += 1) add(text.charCodeAt(at));
  add(0x10000);
  return { first: one, second: two };
}
