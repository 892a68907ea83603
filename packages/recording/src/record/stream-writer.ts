import { codeOf, describeThrown } from '@tenterhook/runtime/text';
import type { RecordingHeader } from '../format/recording.js';
import type { RecordingStream } from '../format/recording-stream.js';
import type { MaskPlan } from '../mask/masker.js';
import { createEntryEncoder, type EntryEncoder, type NoteEntry } from '../write/encode-entry.js';
import { type Dropped, MessageQueue, type Priority } from './message-queue.js';
import type { RecorderWriter } from './recorder-writer.js';

/** How long a recorder that is closed goes on trying to store what waits, and the pause between two attempts. */
const closeMs = 10_000;
const retryMs = 200;
/** Beyond this size a chunk gets no further line, so that encoding it does not block the thread for long. */
const usualChunkBytes = 64 * 1024;
/** With other codes, a chunk would never be stored. */
const passingCodes: readonly unknown[] = ['disconnected', 'overloaded'];

export interface StreamPlan {
  readonly stream: RecordingStream;
  readonly header: RecordingHeader;
  readonly mask: MaskPlan;
  readonly maxLineBytes: number;
  readonly maxQueuedBytes: number;
  readonly noteDropped: (dropped: Dropped) => NoteEntry;
  readonly time: () => number;
  readonly fail: (message: string) => void;
}

type Entry = Parameters<EntryEncoder>[0];

/**
 * Stores entries in a stream, in order and one chunk at a time. What arrives meanwhile waits for the next chunk, so a slow stream gets
 * larger chunks, not more of them. A chunk that cannot be stored is tried again until the recorder is closed.
 */
export class StreamWriter implements RecorderWriter {
  readonly #plan: StreamPlan;
  readonly #encode: EntryEncoder;
  readonly #queue: MessageQueue;
  readonly #recorder = globalThis.crypto.randomUUID();
  /** Lines that are encoded and in no chunk. */
  #lines: string[];
  #chunks = 0;
  #messages = 0;
  #storing: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #giveUpAt = Number.POSITIVE_INFINITY;
  #hasFailed = false;
  #wake = () => {};

  constructor(plan: StreamPlan) {
    this.#plan = plan;
    this.#encode = createEntryEncoder(plan.mask, plan.maxLineBytes);
    this.#queue = new MessageQueue(plan.maxQueuedBytes);
    this.#lines = [JSON.stringify(plan.header)];
  }

  add(entry: Entry, bytes: number, priority: Priority): void {
    if (this.#hasFailed || this.#closing !== undefined) return;
    this.#queue.add(entry, bytes, priority);
    this.#storing ??= this.#store();
  }

  async flush(): Promise<void> {
    await this.#storing;
  }

  close(note: NoteEntry): Promise<void> {
    this.#closing ??= this.#finish(note);
    return this.#closing;
  }

  async #finish(note: NoteEntry): Promise<void> {
    this.#giveUpAt = performance.now() + closeMs;
    this.#wake();
    await this.#storing;
    if (this.#hasFailed) return;
    this.#lines.push(this.#encode({ ...note, messages: this.#messages }));
    await this.#store();
  }

  /** Stores everything that waits. Never rejects. */
  async #store(): Promise<void> {
    // A turn later, so that the messages of a turn are in one chunk.
    await new Promise((resolve) => setImmediate(resolve));
    for (let lines = this.#takeLines(); lines !== '' && !this.#hasFailed; lines = this.#takeLines()) await this.#append(lines);
    this.#storing = undefined;
  }

  /** Returns as many lines as a chunk may have. */
  #takeLines(): string {
    const { maxChunkBytes } = this.#plan.stream;
    const taken: string[] = [];
    let bytes = 0;
    for (;;) {
      if (this.#lines.length === 0) this.#encodeNext();
      const line = this.#lines[0];
      if (line === undefined) break;
      const size = Buffer.byteLength(line) + 1;
      if (taken.length > 0 && bytes + size > Math.min(maxChunkBytes, usualChunkBytes)) break;
      this.#lines.shift();
      taken.push(line);
      bytes += size;
    }
    return taken.join('\n');
  }

  #encodeNext(): void {
    const next = this.#queue.take();
    if (next !== undefined) {
      this.#queue.release(next.bytes);
      if (!('note' in next.entry)) this.#messages += 1;
      this.#lines.push(this.#encode(next.entry));
      return;
    }
    const dropped = this.#queue.takeDropped();
    if (dropped !== undefined) this.#lines.push(this.#encode(this.#plan.noteDropped(dropped)));
  }

  async #append(lines: string): Promise<void> {
    this.#chunks += 1;
    const { stream, time, fail } = this.#plan;
    const chunk = { recorder: this.#recorder, number: this.#chunks, t: time(), lines };
    for (;;) {
      try {
        await stream.append(chunk);
        return;
      } catch (error) {
        if (performance.now() < this.#giveUpAt && passingCodes.includes(codeOf(error))) {
          await this.#pause();
          continue;
        }
        this.#hasFailed = true;
        fail(`The recording ends here, because its stream cannot store it: ${describeThrown(error)}`);
        return;
      }
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, retryMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
