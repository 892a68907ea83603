import { type BigIntStats, lstatSync } from 'node:fs';

/** What tells one state of a file from another without reading it. `undefined`: the file does not exist or cannot be seen. */
export type Stamp = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mode' | 'mtimeNs' | 'ctimeNs'> | undefined;

/** Returns the stats of a path itself, not of what a link leads to. */
export function statsOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A part of the path is a file (ENOTDIR), too long, or in a folder that this process may not enter: nothing can be run there.
    return undefined;
  }
}

/** The time of the last change (ctime) is compared too: it cannot be set back, so a file that was changed and restored is noticed. */
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
