import type { ResolvedLimits } from '../format/limits.js';
import { RecordingError } from '../format/recording-error.js';
import type { MaskPlan } from '../mask/masker.js';
import { createEntryEncoder, type Entry, type EntryEncoder, type NoteEntry } from './encode-entry.js';
import { FileWriter } from './file-writer.js';
import type { OpenFile } from './open-file.js';

/** What a writer needs, as plain data, which can be passed to another thread. */
export interface WritePlan {
  readonly open: OpenFile;
  readonly mask: MaskPlan;
  readonly limits: ResolvedLimits;
}

/** Masks entries and writes them to a file. After the first failure it writes nothing more, and keeps the message of the failure. */
export class EntryWriter {
  readonly #encode: EntryEncoder;
  readonly #file: FileWriter;
  #failure: string | undefined;
  #messages = 0;

  constructor({ open, mask, limits }: WritePlan) {
    this.#encode = createEntryEncoder(mask, limits.maxLineBytes);
    this.#file = new FileWriter(open, limits);
  }

  /** Why the recording ended early. The message is for people. */
  get failure(): string | undefined {
    return this.#failure;
  }

  write(entry: Entry): void {
    this.#attempt(() => {
      this.#file.write(this.#encode(entry), entry.t);
      if (!('note' in entry)) this.#messages += 1;
    });
  }

  /** Writes the note `end` with the number of written messages, and closes the file. */
  end(note: NoteEntry): void {
    this.#attempt(() => this.#file.end(this.#encode({ ...note, messages: this.#messages })));
    this.#file.close();
  }

  #attempt(work: () => void): void {
    if (this.#failure !== undefined) return;
    try {
      work();
    } catch (error) {
      this.#failure = error instanceof RecordingError ? error.message : `The recording ends here, because of a bug: ${String(error)}`;
    }
  }
}
