import { type BigIntStats, lstatSync } from 'node:fs';

/**
 * The size, times and identity of a file. They show without reading the file whether it has changed. `undefined`: the file
 * does not exist or is not accessible.
 */
export type Stamp = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mode' | 'mtimeNs' | 'ctimeNs'> | undefined;

/** Returns the stats of a path itself, not of what a link leads to. */
export function statsOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A part of the path is a file (ENOTDIR) or too long, or this process may not enter one of the folders. In each case the hook cannot
    // run anything at this path.
    return undefined;
  }
}

/**
 * The precision of file times in milliseconds, with a margin. Two changes within this time may have the same time. `usual`: Linux before
 * version 6.13 counts in steps of up to 10 ms. `longest`: FAT has a precision of 2 s.
 */
export const timeSteps = { usual: 20, longest: 3_000 } as const;

/** Tests whether every change after the time `at` gives the file another stamp than this one. `at` and `step` are in milliseconds. */
export function isSettled(stamp: Pick<BigIntStats, 'ctimeNs'> | undefined, at: number, step: number): boolean {
  return stamp === undefined || stamp.ctimeNs < BigInt(at - step) * 1_000_000n;
}

/**
 * Compares the time of the last change (ctime) too. No program can set this time back, so a file that was changed and changed back is
 * noticed.
 */
export function isSameStamp(one: Stamp, other: Stamp): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.ino === other.ino &&
    one.ctimeNs === other.ctimeNs &&
    one.mtimeNs === other.mtimeNs &&
    one.size === other.size &&
    one.mode === other.mode &&
    one.dev === other.dev
  );
}
