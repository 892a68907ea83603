/**
 * Makes choices that a seed repeats. Every event and every set of settings has its own generator, made from the seed and a number. With a
 * shared generator, the order in which events end would change the choices for the next events.
 */
export class Random {
  #state: number;

  constructor(state: number) {
    this.#state = state >>> 0;
  }

  /** Returns a number from 0 to 1, excluding 1. */
  float(): number {
    // mulberry32: five lines, and random enough for these choices.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from `least` to `most`, including both. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.float() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.float() < probability;
  }

  pick<const Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.integer(0, items.length - 1)] as Item;
  }

  /** Returns a key of the record. Keys with a higher weight are returned more often. */
  weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key {
    const entries = Object.entries<number>(weights) as [Key, number][];
    let left = this.float() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    return (entries.at(-1) as [Key, number])[0];
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    const order = [...items];
    for (let index = order.length - 1; index > 0; index -= 1) {
      const other = this.integer(0, index);
      [order[index], order[other]] = [order[other] as Item, order[index] as Item];
    }
    return order;
  }
}

/** Returns the generator for one thing: `randomFor(7, 'event', 12)`. */
export function randomFor(seed: number, ...path: readonly (string | number)[]): Random {
  // FNV-1a is used because similar numbers must not give similar states.
  let hash = 0x811c9dc5;
  for (const character of [seed, ...path].join('/')) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return new Random(hash);
}
