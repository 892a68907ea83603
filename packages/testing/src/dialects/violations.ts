import assert from 'node:assert/strict';
import { inspect, isDeepStrictEqual } from 'node:util';
import { clockReads } from './clock-reads.js';

/** The most that one failure tells. Tables are long, and a broken dialect breaks most of their rows: of what is alike, a few will do. */
const mostTold = 12;
const mostAlike = 3;
const mostCharacters = 400;

/** What did not hold in a case. A table is tried to its end, so that one run shows what its rows have in common. */
export class Violations {
  readonly #told: string[] = [];
  /** How often each thing was expected in vain. */
  readonly #alike = new Map<string, number>();
  #count = 0;

  add(done: string, came: string, expected: string): void {
    this.#count += 1;
    const alike = 1 + (this.#alike.get(expected) ?? 0);
    this.#alike.set(expected, alike);
    if (alike > mostAlike || this.#told.length >= mostTold) return;
    this.#told.push(`${done}\n  came:     ${came}\n  expected: ${expected}`);
  }

  /** `came` is shown as a value. */
  require(holds: boolean, done: string, came: unknown, expected: string): void {
    if (!holds) this.add(done, shown(came), expected);
  }

  /** What a call gave, in a box of its own because it may be undefined; no box where it threw, which is a violation. */
  attempt<Value>(done: string, call: () => Value): { readonly value: Value } | undefined {
    try {
      return { value: call() };
    } catch (error) {
      this.add(done, `it threw ${shown(error)}`, 'that it does not throw');
      return undefined;
    }
  }

  /** The same of a call that has to be pure: called twice it gives the same, and neither call looks at a clock or draws a random number. */
  pure<Value>(done: string, call: () => Value): { readonly value: Value } | undefined {
    const reads: string[] = [];
    const first = this.attempt(done, () => clockReads(call, reads));
    const second = first && this.attempt(`${done}, a second time`, () => clockReads(call, reads));
    if (reads.length > 0)
      this.add(done, `it called ${[...new Set(reads)].join(', ')}`, 'no clock and no chance: the same answer at any time');
    if (first !== undefined && second !== undefined && !isDeepStrictEqual(first.value, second.value)) {
      this.add(`${done}, twice`, `${shown(first.value)}\n            and then ${shown(second.value)}`, 'the same both times');
    }
    return first;
  }

  /** Throws an AssertionError when anything was added. */
  assertNone(): void {
    if (this.#count === 0) return;
    const rest = this.#count - this.#told.length;
    const more = rest > 0 ? `\n\nand ${rest} more` : '';
    throw new assert.AssertionError({ message: `${this.#told.join('\n\n')}${more}` });
  }
}

/** A value on one line, bounded. */
export function shown(value: unknown): string {
  const text =
    value instanceof Error
      ? `${value.name}: ${value.message}`
      : inspect(value, { depth: 6, compact: true, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 20, maxStringLength: 200 });
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text;
}
