import { readFileSync } from 'node:fs';
import { isTransient } from './retry-transient.js';

/** What Linux tells about a process in /proc. */
export interface ProcStat {
  /** One letter; `Z` and `X` are processes that have ended and wait for their parent to notice. */
  readonly state: string;
  readonly group: number;
  /** Clock ticks after boot: with it a process can be told from a later one of the same number. */
  readonly startTime: string;
}

/** Undefined where there is no such process, or no /proc. Throws the errno of what the machine is short of: then nothing is known. */
export function readProcStat(pid: number): ProcStat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch (error) {
    if (isTransient(error)) throw error;
    return undefined;
  }
  // The second field is the name in parentheses and may hold blanks and parentheses itself: what follows the last one is regular.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', group: Number(fields[2]), startTime: fields[19] ?? '' };
}
