import { joinExchanges } from '../format/exchanges.js';
import { formatName, formatVersion, parseHeader } from '../format/header.js';
import { parseLine } from '../format/parse-line.js';
import type { RecordedMessage, Recording, RecordingHeader, RecordingNote, RecordingProblem } from '../format/recording.js';
import { RecordingError } from '../format/recording-error.js';
import type { RecordingStream, StoredChunk } from '../format/recording-stream.js';

/** What is known about one recorder of a stream. */
interface Source {
  /** Milliseconds since 1970, by the clock of the stream, at the start of the recorder. */
  readonly startedAt: number;
  chunk: number;
  n: number | undefined;
  hasEnded: boolean;
  /** Its header cannot be read, for example because a later version has written it. */
  isUnreadable: boolean;
}

/** A message or a note, with its time by the clock of the stream. */
interface Timed<Entry> {
  readonly entry: Entry;
  readonly at: number;
}

const place = 'the stream';

/** In milliseconds, the latest time that a `Date` can have. */
const latestTime = 8.64e15;

/**
 * Reads all recordings of a stream as one. Messages are in the order in which the stream stored them, and have new numbers. Times are those
 * of the clock of the stream, so the clocks of the recorders may differ. The oldest chunks may have been removed by the limits of the
 * stream. Other programs may write to a stream, so what cannot be read is left out and reported as a problem. Rejects with a RecordingError
 * if the stream contains no recording.
 */
export async function readRecordingStream(stream: RecordingStream): Promise<Recording> {
  const reader = new StreamReader();
  for await (const chunk of stream.read()) reader.read(chunk);
  return reader.recording();
}

class StreamReader {
  readonly #sources = new Map<string, Source>();
  readonly #messages: Timed<RecordedMessage>[] = [];
  readonly #notes: Timed<RecordingNote>[] = [];
  readonly #problems: RecordingProblem[] = [];
  readonly #headers: RecordingHeader[] = [];
  /** Why the first header that cannot be read cannot be read. */
  #unreadable: RecordingError | undefined;
  /** The header is line 1. */
  #line = 1;

  read({ recorder, number, t, lines, storedAt }: StoredChunk): void {
    const startedAt = storedAt - t;
    if (!Number.isSafeInteger(number) || number < 1 || !(Math.abs(startedAt) <= latestTime)) {
      this.#problems.push({ code: 'invalid_line', message: `${place}: a chunk with an invalid number or time is ignored.` });
      return;
    }
    const source = this.#sources.get(recorder) ?? { startedAt, chunk: number - 1, n: undefined, hasEnded: false, isUnreadable: false };
    this.#sources.set(recorder, source);
    // A chunk whose confirmation was lost may have been stored twice.
    if (number <= source.chunk) return;
    if (number > source.chunk + 1) {
      this.#problems.push({ code: 'missing_part', message: `${place}: chunk ${source.chunk + 1} of the recorder ${recorder} is missing.` });
      source.n = undefined;
    }
    source.chunk = number;
    for (const [index, line] of lines.split('\n').entries()) {
      if (number === 1 && index === 0) this.#readHeader(line, source, recorder);
      else if (!source.isUnreadable) this.#readLine(line, source);
    }
  }

  #readHeader(line: string, source: Source, recorder: string): void {
    try {
      this.#headers.push(parseHeader(line, place));
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error;
      this.#unreadable ??= error;
      source.isUnreadable = true;
      this.#problems.push({ code: 'invalid_line', message: `The recorder ${recorder} is left out. ${error.message}` });
    }
  }

  recording(): Recording {
    const sources = [...this.#sources.values()].filter(({ isUnreadable }) => !isUnreadable);
    if (sources.length === 0 && this.#unreadable !== undefined) throw this.#unreadable;
    if (sources.length === 0) throw new RecordingError('not_a_recording', `${place} contains no recording. Record to it first.`);
    const begin = Math.min(...sources.map(({ startedAt }) => startedAt));
    const since = (at: number) => Math.round((at - begin) * 1000) / 1000;
    const messages = this.#messages.map(({ entry, at }, index) => ({ ...entry, n: index + 1, t: since(at) }));
    const notes = this.#notes.map(({ entry, at }) => ({ ...entry, t: since(at) }));
    const open = sources.filter(({ hasEnded }) => !hasEnded).length;
    if (open > 0) {
      const message = `${place}: ${open} of ${sources.length} recorders have not ended, so they still write or were interrupted.`;
      this.#problems.push({ code: 'interrupted', message });
    }
    return { header: this.#header(begin), files: [], messages, notes, exchanges: joinExchanges(messages), problems: this.#problems };
  }

  /** If the limits of the stream have removed all headers, it is unknown what the recorders have masked. */
  #header(begin: number): RecordingHeader {
    const [first = { format: formatName, version: formatVersion, form: 'full' } as const] = this.#headers;
    return {
      ...first,
      id: globalThis.crypto.randomUUID(),
      part: 1,
      startedAt: new Date(begin).toISOString(),
      masked: this.#headers.length > 0 && this.#headers.every(({ masked }) => masked),
      placeholders: [...new Set(this.#headers.flatMap(({ placeholders }) => placeholders))],
    };
  }

  #readLine(text: string, source: Source): void {
    this.#line += 1;
    const parsed = parseLine(text, this.#line);
    if ('problem' in parsed) {
      const message = `${place}: line ${this.#line} ${parsed.problem}, and is ignored.`;
      this.#problems.push({ code: 'invalid_line', line: this.#line, message });
    } else if ('note' in parsed) {
      const { note } = parsed;
      if (note.note === 'end') source.hasEnded = true;
      this.#notes.push({ entry: note, at: source.startedAt + (note.t ?? 0) });
    } else {
      const { n, t = 0 } = parsed.message;
      if (source.n !== undefined && n !== undefined && n > source.n + 1) {
        const message = `line ${this.#line}: ${n - source.n - 1} messages are missing before this one.`;
        this.#problems.push({ code: 'missing_messages', line: this.#line, message });
      }
      source.n = n;
      this.#messages.push({ entry: parsed.message, at: source.startedAt + t });
    }
  }
}
