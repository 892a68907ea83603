import type { Mark } from '../bench.js';
import type { Measured } from '../measure.js';

/** Requires that one variant takes at most this many times as long as another. */
export function atMostTimes(factor: number, what: string, variant: string, baseline: string, why?: string): Mark {
  return {
    text: `${what}: at most ${factor < 0.1 ? `1/${Math.round(1 / factor)} of` : `${factor} times`} ${baseline}`,
    needs: [variant, baseline],
    ...(why === undefined ? {} : { why }),
    reached: (median) => {
      const ratio = median(variant) / median(baseline);
      return {
        reached: ratio <= factor,
        over: ratio / factor,
        measured: ratio < 0.1 ? `1/${Math.round(1 / ratio)}` : `${ratio.toFixed(2)} times`,
      };
    },
  };
}

/** Requires that a number of one variant is at most this many units, such as its processor time for each hook. */
export function atMostUnits(
  most: number,
  unit: string,
  what: string,
  variant: string,
  read: (row: Measured) => number,
  why?: string,
): Mark {
  return {
    text: `${what}: at most ${most} ${unit}`,
    needs: [variant],
    ...(why === undefined ? {} : { why }),
    reached: (_median, _bytes, row) => {
      const value = read(row(variant));
      return { reached: value <= most, over: value / most, measured: `${value.toFixed(2)} ${unit}` };
    },
  };
}
