import type { RecordingNote } from '@tenterhook/recording';
import { RecordingTail } from '@tenterhook/recording/internal';
import { EventIndex, type IndexLimits } from '../store/event-index.js';
import { numberOf } from '../store/fields.js';
import { ShownTexts } from '../store/shown-texts.js';
import { aboutOf, type SourceAbout } from './about.js';
import { type ConnectionLine, type Source, type TimedMessage, timedMessage, type Unanswered } from './source.js';

/** A line of 8 MiB takes some 50 MB while it is read. Recorders write lines of at most 1 MiB by default. */
const maxLineBytes = 8 * 1024 * 1024;
const maxBytes = 1024 * 1024 * 1024;
/** Places of different recordings differ, because a recording is smaller than this. */
const placesOfRecording = 2 ** 40;

/** Returns the number of the recording of a place, from 0. All places of a running agent are in the first one. */
export function recordingOf(place: number): number {
  return Math.floor(place / placesOfRecording);
}

/** Options of a source of recordings. */
export interface RecordingSourceOptions extends IndexLimits {
  readonly isMasked: boolean;
}

/** Recordings that were made before, one after another. */
export class RecordingSource implements Source {
  readonly index: EventIndex;
  readonly texts: ShownTexts;
  readonly connection: ConnectionLine = { kind: 'connection', state: 'recording' };
  readonly recordings: readonly string[];
  /** For each recording, the rows of its requests. */
  readonly #requests: number[][] = [];
  readonly #tails: RecordingTail[] = [];
  readonly #notes: string[] = [];
  #about: RecordingNote | undefined;
  #dropped = 0;

  private constructor(files: readonly string[], { isMasked, ...limits }: RecordingSourceOptions) {
    this.recordings = files;
    this.texts = new ShownTexts(isMasked);
    this.index = new EventIndex(this.texts, limits);
  }

  /** Opens and reads recordings. Rejects with a RecordingError if one of them cannot be used. */
  static async open(files: readonly string[], options: RecordingSourceOptions): Promise<RecordingSource> {
    const source = new RecordingSource(files, options);
    try {
      for (const file of files) await source.#read(file);
    } catch (error) {
      await source.close();
      throw error;
    }
    return source;
  }

  get dropped(): number {
    return this.#dropped;
  }

  async about(): Promise<SourceAbout> {
    const name = this.recordings.map((file) => this.texts.short(file)).join(', ');
    const source = { kind: 'recording', name, canBeAsked: false, notes: this.#notes.map((note) => this.texts.short(note)) } as const;
    return aboutOf(this.#about, source, this.texts);
  }

  rowOfRequest(recording: number, ordinal: number): number | undefined {
    return this.#requests[recording]?.[ordinal - 1];
  }

  onConnection(): () => void {
    return () => {};
  }

  async messageAt(place: number): Promise<TimedMessage | undefined> {
    const tail = this.#tails[recordingOf(place)];
    const found = await tail?.readAt(place % placesOfRecording);
    return tail && found && timedMessage(found, startOf(tail));
  }

  async ask(): Promise<Unanswered> {
    return { unanswered: 'A recording cannot be asked. The settings files as they are now are read instead, where they are known.' };
  }

  async close(): Promise<void> {
    await Promise.all(this.#tails.splice(0).map((tail) => tail.close()));
  }

  async #read(file: string): Promise<void> {
    const tail = await RecordingTail.open(file, { maxLineBytes, maxBytes });
    const base = this.#tails.push(tail) * placesOfRecording - placesOfRecording;
    const { form, masked, writer } = tail.header;
    const start = startOf(tail);
    const requests: number[] = [];
    this.#requests.push(requests);
    this.index.separate();
    await tail.read((parsed, place) => {
      if ('message' in parsed) {
        if (parsed.message.type === 'HOOK_EXECUTION_REQUEST') requests.push(this.index.next);
        this.index.receive(parsed.message, base + place, start + (parsed.message.t ?? 0));
      } else if ('note' in parsed) this.#note(parsed.note);
    });
    if (form === 'minimal') this.#notes.push(`${file}: the minimal form has no times, no steps and no durations.`);
    if (!masked) this.#notes.push(`${file}: the file contains secrets as they are. They are masked here.`);
    if (writer !== undefined) this.#notes.push(`${file}: recorded by ${writer.name} ${writer.version}, Node ${writer.node}.`);
    for (const { message } of tail.problems) this.#notes.push(message);
    const { forgotten: hidden, total } = this.index.counts;
    if (hidden > 0) this.#notes.push(`${hidden} events are not in the list, because it shows the last ${total - hidden}.`);
  }

  #note(note: RecordingNote): void {
    if (note.note === 'about') this.#about = note;
    if (note.note === 'dropped') this.#dropped += numberOf(note['count']) ?? 0;
  }
}

/** The minimal form has no times, so its events are at the beginning of the time axis. */
function startOf({ header }: RecordingTail): number {
  const began = Date.parse(header.startedAt ?? '');
  return Number.isFinite(began) ? began : 0;
}
