import { closeSync, openSync, readSync } from 'node:fs';
import { findHalt, hasStoppedProcess, isNumber, parseProcStat } from './job-processes.js';

/** One buffer for all files: each text is used before the next one is read. */
const buffer = Buffer.alloc(4096);

/**
 * Looks before each question whether a resident process was paused or has ended, like `findHalt`. Its files in /proc stay open, because
 * opening them takes longer than reading them. They never show another process with the same pid.
 */
export class HaltWatch {
  readonly #pid: number;
  readonly #stat: number | undefined;
  readonly #children: number | undefined;

  constructor(pid: number) {
    this.#pid = pid;
    this.#stat = openFile(`/proc/${pid}/stat`);
    this.#children = openFile(`/proc/${pid}/task/${pid}/children`);
  }

  find(): 'stopped' | 'ended' | undefined {
    if (this.#stat === undefined || this.#children === undefined) return findHalt(this.#pid);
    try {
      const { state } = parseProcStat(readFields(this.#stat));
      if (state === 'T') return 'stopped';
      if (state === 'Z' || state === 'X') return 'ended';
      const children = readFields(this.#children).split(' ').filter(isNumber).map(Number);
      return children.some(hasStoppedProcess) ? 'stopped' : undefined;
    } catch {
      // The process is gone, and Node is about to report its end.
      return undefined;
    }
  }

  /** Call it once, when the process answers no more questions. */
  close(): void {
    for (const fd of [this.#stat, this.#children]) if (fd !== undefined) closeSync(fd);
  }
}

/** Returns undefined without /proc, and if no descriptor is free. */
function openFile(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
}

/** Such a file ends at the end of a field. So a text that leaves half of the buffer free is complete, without another read. */
export function readFields(fd: number, into = buffer): string {
  let text = '';
  let bytes: number;
  do {
    bytes = readSync(fd, into, 0, into.length, text.length);
    text += into.toString('latin1', 0, bytes);
  } while (bytes > into.length / 2);
  return text;
}
