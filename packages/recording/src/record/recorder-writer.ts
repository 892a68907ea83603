import type { Entry, NoteEntry } from '../write/encode-entry.js';
import { EntryWriter, type WritePlan } from '../write/entry-writer.js';
import type { Priority } from './message-queue.js';

/** Where a recorder puts its entries. Never throws. */
export interface RecorderWriter {
  /** `bytes` is the size in memory. */
  add(entry: Entry, bytes: number, priority: Priority): void;
  /** Resolves when everything that was added is in the file. */
  flush(): Promise<void>;
  /** Writes the last note and closes the file. Resolves when everything is on the disk. Idempotent. */
  close(note: NoteEntry): Promise<void>;
  /** Blocks until everything is written, if another thread writes. For the end of a process. */
  block?(): void;
}

/** Writes on the thread of the caller, who waits for it. For a command that does nothing else, and where there are no threads. */
export class InPlaceWriter implements RecorderWriter {
  readonly #writer: EntryWriter;
  readonly #fail: (message: string) => void;
  #isClosed = false;

  constructor(plan: WritePlan, fail: (message: string) => void) {
    this.#writer = new EntryWriter(plan);
    this.#fail = fail;
  }

  add(entry: Entry): void {
    this.#report(() => this.#writer.write(entry));
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  close(note: NoteEntry): Promise<void> {
    if (!this.#isClosed) this.#report(() => this.#writer.end(note));
    this.#isClosed = true;
    return Promise.resolve();
  }

  #report(work: () => void): void {
    const before = this.#writer.failure;
    work();
    const { failure } = this.#writer;
    if (before === undefined && failure !== undefined) this.#fail(failure);
  }
}
