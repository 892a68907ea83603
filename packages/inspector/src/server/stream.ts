import type { ServerResponse } from 'node:http';
import { escapeLineBreaks } from '../api/json.js';
import type { StreamLine } from '../api/messages.js';
import type { Source } from '../source/source.js';

/** Where a reader is: the last row that it has, and the last change of a row that it has seen. */
export interface Cursor {
  readonly after: number;
  readonly revision: number;
}

const batchMs = 50;
const pingMs = 15_000;
/** Bytes that wait for a slow reader. Beyond it, nothing is written until the reader has taken them. */
const mostWaitingBytes = 4 * 1024 * 1024;
/** A reader that takes nothing for this long is cut off, because the number of connections is limited. */
const mostStalledMs = 60_000;
const rowsOfLine = 200;
/** Lines are written together until they have this many characters, because a row that has changed is a short line, and each write has its own cost. */
const writtenTogether = 64 * 1024;

/**
 * Sends the list and its changes to one reader, as lines of JSON. Nothing waits in a queue: a reader that is slow gets the rows of the index
 * when it has taken what was sent before, and of a row that changed several times only the last state. So it loses a row only if the
 * index forgets it first, and then it gets a gap.
 */
export class RowStream {
  readonly #source: Source;
  readonly #response: ServerResponse;
  readonly #changed = new Set<number>();
  readonly #others: StreamLine[] = [];
  readonly #stops: (() => void)[] = [];
  #next: number;
  #revision = -1;
  #dropped = -1;
  #timer: NodeJS.Timeout | undefined;
  #isWaiting = false;

  constructor(source: Source, response: ServerResponse, { after, revision }: Cursor) {
    this.#source = source;
    this.#response = response;
    const { index } = source;
    // A cursor of another source may be beyond the end.
    this.#next = Math.min(Math.max(after + 1, index.next - index.counts.total), index.next);
    for (let n = index.first; n < this.#next; n += 1) if (index.revisionOf(n) > revision) this.#changed.add(n);
    this.#others.push(
      { kind: 'begin', isMasked: source.texts.isMasked, recordings: source.recordings.map((file) => source.texts.short(file)) },
      source.connection,
    );
    // Before the first row, the index may have forgotten rows, too.
    this.#stops.push(
      index.onChange((n) => {
        if (n < this.#next) this.#changed.add(n);
        this.#schedule();
      }),
      source.onConnection((line) => {
        this.#others.push(line);
        this.#schedule();
      }),
    );
    const pings = setInterval(() => this.#ping(), pingMs);
    let stalled = 0;
    const stalls = setInterval(() => {
      stalled = this.#isWaiting ? stalled + 1 : 0;
      if (stalled * 5_000 >= mostStalledMs) response.destroy();
    }, 5_000);
    this.#stops.push(
      () => clearInterval(pings),
      () => clearInterval(stalls),
      () => clearTimeout(this.#timer),
    );
    response.on('drain', () => {
      this.#isWaiting = false;
      this.#pump();
    });
    response.once('close', () => this.#stop());
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson; charset=utf-8' });
    this.#pump();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#pump();
    }, batchMs);
  }

  /** Writes what the reader does not have, until too much waits. */
  #pump(): void {
    while (!this.#isWaiting && !this.#response.writableEnded && !this.#response.destroyed) {
      const lines: string[] = [];
      for (let length = 0; length < writtenTogether; ) {
        const line = this.#nextLine() ?? this.#nextStats();
        if (line === undefined) break;
        length += line.length;
        lines.push(line);
      }
      if (lines.length === 0) return;
      this.#write(lines);
    }
  }

  /** The next line as JSON. Rows are JSON already. */
  #nextLine(): string | undefined {
    const { index } = this.#source;
    const other = this.#others.shift();
    if (other !== undefined) return lineOf(other);
    if (this.#next < index.first) {
      const from = this.#next;
      this.#next = index.first;
      return lineOf({ kind: 'gap', from, next: this.#next, why: this.#revision < 0 ? 'forgotten' : 'slow' });
    }
    for (const n of this.#changed) {
      this.#changed.delete(n);
      const row = index.rowJson(n);
      if (row !== undefined) return `{"kind":"row-changed","row":${row}}`;
    }
    if (this.#next >= index.next) return undefined;
    const to = Math.min(this.#next + rowsOfLine, index.next);
    const rows: string[] = [];
    for (let n = this.#next; n < to; n += 1) rows.push(index.rowJson(n) ?? '');
    this.#next = to;
    return `{"kind":"rows","rows":[${rows.filter((row) => row !== '').join(',')}]}`;
  }

  /** Comes last, so that the reader has all changes up to its revision. Undefined if nothing has changed since. */
  #nextStats(): string | undefined {
    const { index, dropped } = this.#source;
    if (this.#revision === index.revision && this.#dropped === dropped) return undefined;
    this.#revision = index.revision;
    this.#dropped = dropped;
    return lineOf({ kind: 'stats', ...index.counts, dropped, revision: index.revision });
  }

  #write(lines: readonly string[]): void {
    this.#response.write(lines.map((line) => `${escapeLineBreaks(line)}\n`).join(''));
    if (this.#response.writableLength > mostWaitingBytes) this.#isWaiting = true;
  }

  /** Ends the response. The reader asks again. */
  end(): void {
    this.#response.end();
  }

  #ping(): void {
    if (!this.#isWaiting && !this.#response.writableEnded) this.#write([lineOf({ kind: 'ping' })]);
  }

  #stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }
}

function lineOf(line: StreamLine): string {
  return JSON.stringify(line);
}
