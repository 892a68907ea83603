import type { Said } from './said.js';

/** Something that a hook prints on stdout before it ends with exit code 0. */
export interface Printed {
  /** What stands on stdout, in words. */
  readonly what: string;
  readonly stdout: string | Uint8Array;
  readonly says: Said;
}

/** A table of what is printed, by words for it. */
export function printedOf(table: Readonly<Record<string, string | Uint8Array>>, says: Said): Printed[] {
  return Object.entries(table).map(([what, stdout]) => ({ what, stdout, says }));
}
