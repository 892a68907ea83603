/**
 * Choices that a seed repeats. Every event and every set of settings has its own generator, made of the seed and its number:
 * with a shared one, the order in which events end would change the next events.
 */
export class Random {
  #state: number;

  constructor(state: number) {
    this.#state = state >>> 0;
  }

  /** From 0 to 1, excluding 1. */
  float(): number {
    // mulberry32: five lines, and good enough to choose with.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Both ends included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.float() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.float() < probability;
  }

  pick<const Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.integer(0, items.length - 1)] as Item;
  }

  /** A key of the record, as likely as its weight. */
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

/** The generator of one thing: `randomFor(7, 'event', 12)`. */
export function randomFor(seed: number, ...path: readonly (string | number)[]): Random {
  // FNV-1a: neighbouring numbers must not give neighbouring states.
  let hash = 0x811c9dc5;
  for (const character of [seed, ...path].join('/')) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return new Random(hash);
}
