import { type ResolvedLimits, resolveLimits } from '../format/limits.js';
import type { Recording } from '../format/recording.js';
import { RecordingError } from '../format/recording-error.js';
import { tornNote } from '../format/torn-note.js';
import type { MaskPlan } from '../mask/masker.js';
import { createPlaceholderTable } from '../mask/placeholders.js';
import { createEntryEncoder, type Entry, type EntryEncoder, type NoteEntry } from './encode-entry.js';
import { FileWriter } from './file-writer.js';
import { type OpenFile, openToAppend } from './open-file.js';

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
  #messages: number;

  /** `messages` is the number of messages that the file has already, if the last note is to count them. */
  constructor({ open, mask, limits }: WritePlan, messages = 0) {
    this.#messages = messages;
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

/**
 * Writes the note `end` to the file of a recorder that was killed. Continuing the recording with a recorder was rejected: it would need the
 * options of the one that was killed. Throws a RecordingError if the file cannot be written.
 */
export function completeRecording(file: string, { header, messages }: Recording): void {
  const open = openToAppend(file, header);
  const since = Date.now() - Date.parse(header.startedAt ?? '');
  const table = createPlaceholderTable({ home: undefined, tmp: undefined });
  const writer = new EntryWriter({ open, mask: { table, mask: false }, limits: resolveLimits({}) }, messages.length);
  const t = Math.max(open.t, Number.isFinite(since) ? since : 0);
  for (const removed of open.removed) writer.write({ t, note: 'torn', ...tornNote(removed) });
  writer.end({ t, note: 'end' });
  if (writer.failure !== undefined) throw new RecordingError('write_failed', writer.failure);
}
