import type { MaskPlan } from '../mask/masker.js';
import { createEntryEncoder, type Entry, type NoteEntry } from '../write/encode-entry.js';
import { type Dropped, MessageQueue, type Priority } from './message-queue.js';
import type { RecorderWriter } from './recorder-writer.js';

/**
 * Keeps entries in memory, at most `maxQueuedBytes`. They are masked only when they leave it, because masking takes longer than
 * everything else that a recorder does on the agent's thread.
 */
export class MemoryWriter implements RecorderWriter {
  readonly #queue: MessageQueue;
  readonly #noteDropped: (dropped: Dropped) => NoteEntry;
  readonly #notes: NoteEntry[] = [];

  constructor(maxQueuedBytes: number, noteDropped: (dropped: Dropped) => NoteEntry) {
    this.#queue = new MessageQueue(maxQueuedBytes);
    this.#noteDropped = noteDropped;
  }

  add(entry: Entry, bytes: number, priority: Priority): void {
    this.#queue.add(entry, bytes, priority);
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  close(note: NoteEntry): Promise<void> {
    const entries = this.#queue.entries();
    if (!this.#notes.some((one) => one.note === 'end')) {
      this.#notes.push({ ...note, messages: entries.filter((entry) => !('note' in entry)).length });
    }
    return Promise.resolve();
  }

  /** The lines that a file would have after its header. */
  lines(mask: MaskPlan, maxLineBytes: number): string[] {
    const dropped = this.#queue.takeDropped();
    if (dropped !== undefined) this.#notes.unshift(this.#noteDropped(dropped));
    const encode = createEntryEncoder(mask, maxLineBytes);
    return [...this.#queue.entries(), ...this.#notes].map(encode);
  }
}
