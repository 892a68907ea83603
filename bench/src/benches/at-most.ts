import type { Mark } from '../bench.js';

/** A mark about a difference of medians, in microseconds. */
export function atMost(text: string, most: number, measure: (median: (name: string) => number) => number): Mark {
  return {
    text,
    reached: (median) => {
      const more = measure(median);
      return { reached: more <= most, measured: `${more.toFixed(2)} µs` };
    },
  };
}
