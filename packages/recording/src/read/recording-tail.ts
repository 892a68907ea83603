import type { FileHandle } from 'node:fs/promises';
import { codeOf } from '@tenterhook/runtime/text';
import { isHeaderBegin, parseHeader } from '../format/header.js';
import { type ParsedLine, parseDeepBytes } from '../format/parse-line.js';
import type { RecordingHeader, RecordingProblem } from '../format/recording.js';
import { RecordingError } from '../format/recording-error.js';
import { problemOfNote } from '../format/torn-note.js';
import { openRegular } from './open-regular.js';
import { findParts, partPath } from './parts.js';
import { tornHeader } from './read-recording.js';

/** Limits of a tail. */
export interface TailOptions {
  /** Longer lines are skipped, with a problem. */
  readonly maxLineBytes: number;
  /** A recording with more bytes is refused with `too_large`. */
  readonly maxBytes: number;
  /** The number of files that the recorder keeps. Older ones are closed, so that the disk has their space again. */
  readonly maxFiles?: number | undefined;
}

/** Receives a line. The place finds it again with `readAt`, and rises with each line of the recording. */
export type ReceiveLine = (parsed: ParsedLine, place: number) => void;

interface Part {
  readonly handle: FileHandle;
  readonly path: string;
  /** The place of the first byte. */
  readonly base: number;
  /** The beginning of the line that is read, and how far it was read. */
  lineStart: number;
  readTo: number;
  line: number;
  /** What was read of the line. Empty if the line is too long. */
  pieces: Buffer[];
  isContinued: boolean;
}

const blockBytes = 256 * 1024;
const lineBreak = 10;
/** Further problems are counted. A file of a million invalid lines must not fill the memory. */
const mostProblems = 100;

/**
 * Reads a recording line by line while it is being written, or once. Keeps none of the lines, so that a recording may be larger than the
 * memory: a caller keeps places, and reads lines again.
 */
export class RecordingTail {
  readonly #file: string;
  readonly #options: TailOptions;
  readonly #block = Buffer.allocUnsafe(blockBytes);
  readonly #parts: Part[] = [];
  /** Paths of parts that are not open yet. */
  #waiting: string[] = [];
  #header: RecordingHeader | undefined;
  /** The path of the next part, if it exists without a whole header. */
  #unheaded: string | undefined;
  #partNumber = 0;
  #bytes = 0;
  #problems: RecordingProblem[] = [];
  #problemCount = 0;
  #lastNumber: number | undefined;
  #missing = 0;

  private constructor(file: string, options: TailOptions) {
    this.#file = file;
    this.#options = options;
  }

  /** Opens a recording with all its parts. Rejects with a RecordingError if it cannot be used at all. */
  static async open(file: string, options: TailOptions): Promise<RecordingTail> {
    const tail = new RecordingTail(file, options);
    const found = await findParts(file);
    tail.#waiting = found.length === 0 ? [file] : found;
    try {
      await tail.#openNext();
      if (tail.#header === undefined) throw new RecordingError('not_a_recording', `${file}: the file has no whole line. Record again.`);
    } catch (error) {
      await tail.close();
      throw error;
    }
    return tail;
  }

  get header(): RecordingHeader {
    return this.#header as RecordingHeader;
  }

  /** The place of the first byte of the oldest file that is kept. Lines before it are gone. */
  get firstPlace(): number {
    return this.#parts[0]?.base ?? 0;
  }

  /** What could not be read, with a torn last line. */
  get problems(): readonly RecordingProblem[] {
    const problems = [...this.#problems];
    if (this.#problemCount > problems.length) {
      const more = this.#problemCount - problems.length;
      problems.push({ code: 'invalid_line', message: `${this.#file}: ${more} more problems of this recording are not listed.` });
    }
    if (this.#missing > 0)
      problems.push({ code: 'missing_messages', message: `${this.#file}: ${this.#missing} messages are missing between others.` });
    const part = this.#parts.at(-1);
    if (part !== undefined && part.readTo > part.lineStart) {
      const message = `${part.path}:${part.line}: the line has no end. The writer was interrupted, or is still writing. The line is ignored.`;
      problems.push({ code: 'torn', line: part.line, message });
    }
    if (this.#unheaded !== undefined) problems.push(tornHeader(this.#unheaded));
    return problems;
  }

  /** Reads all whole lines that were written since the last call. Calls must not overlap. */
  async read(receive: ReceiveLine): Promise<void> {
    for (;;) {
      const part = this.#parts.at(-1);
      if (part === undefined) return;
      const rotates = await this.#readPart(part, receive);
      if (rotates && this.#waiting.length === 0) this.#waiting = [partPath(this.#file, this.#partNumber + 1)];
      if (this.#waiting.length === 0 || !(await this.#openNext())) return;
    }
  }

  /** Reads the line at a place, with its length. Undefined if its file is gone. */
  async readAt(place: number): Promise<{ readonly parsed: ParsedLine; readonly bytes: number } | undefined> {
    const part = this.#parts.findLast(({ base }) => base <= place);
    if (part === undefined) return undefined;
    const pieces: Buffer[] = [];
    let bytes = 0;
    for (let from = place - part.base; ; ) {
      const block = Buffer.allocUnsafe(Math.min(blockBytes, 4096 + bytes));
      const { bytesRead } = await part.handle.read(block, 0, block.length, from);
      if (bytesRead === 0) return undefined;
      const end = block.subarray(0, bytesRead).indexOf(lineBreak);
      pieces.push(block.subarray(0, end < 0 ? bytesRead : end));
      if (end >= 0) {
        const line = Buffer.concat(pieces);
        return { parsed: parseDeepBytes(line, 0), bytes: line.length };
      }
      bytes += bytesRead;
      from += bytesRead;
      if (bytes > this.#options.maxLineBytes) return undefined;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#parts.splice(0).map(({ handle }) => handle.close()));
  }

  /** Opens the next part and reads its header. Resolves to false if there is none yet. */
  async #openNext(): Promise<boolean> {
    this.#unheaded = undefined;
    for (let path = this.#waiting.shift(); path !== undefined; path = this.#waiting.shift()) {
      let handle: FileHandle;
      try {
        handle = await openRegular(path);
      } catch (error) {
        // The recorder has written the note about the next part, and not yet created it.
        if (this.#header === undefined || codeOf((error as Error).cause) !== 'ENOENT') throw error;
        this.#waiting.unshift(path);
        return false;
      }
      const { size } = await handle.stat();
      // The recorder has created the next part, and not yet written its header.
      if (this.#header !== undefined && !(await this.#hasHeader(handle))) {
        await handle.close();
        this.#waiting.unshift(path);
        this.#unheaded = path;
        return false;
      }
      const last = this.#parts.at(-1);
      const base = last === undefined ? 0 : last.base + last.readTo;
      const part: Part = { handle, path, base, lineStart: 0, readTo: 0, line: 1, pieces: [], isContinued: false };
      this.#parts.push(part);
      this.#bytes += size;
      if (this.#bytes > this.#options.maxBytes) {
        throw new RecordingError(
          'too_large',
          `${path}: the recording has more than ${this.#options.maxBytes} bytes. Record less, or to several files.`,
        );
      }
      if (!(await this.#readHeader(part))) {
        this.#parts.pop();
        await handle.close();
        continue;
      }
      const { maxFiles = Number.POSITIVE_INFINITY } = this.#options;
      while (this.#parts.length > maxFiles) await this.#parts.shift()?.handle.close();
      return true;
    }
    return false;
  }

  async #hasHeader(handle: FileHandle): Promise<boolean> {
    const { bytesRead } = await handle.read(this.#block, 0, blockBytes, 0);
    const read = this.#block.subarray(0, bytesRead);
    return read.includes(lineBreak) || !isHeaderBegin(read.toString('utf8'));
  }

  /** Reads the first line of a part. Resolves to false if the part belongs to another recording. */
  async #readHeader(part: Part): Promise<boolean> {
    const { bytesRead } = await part.handle.read(this.#block, 0, blockBytes, 0);
    const end = this.#block.subarray(0, bytesRead).indexOf(lineBreak);
    const header = parseHeader(end < 0 ? '' : this.#block.toString('utf8', 0, end), part.path);
    if (this.#header !== undefined && this.#header.id !== header.id) return false;
    const { part: number = 1 } = header;
    if (this.#partNumber > 0 && number !== this.#partNumber + 1) {
      this.#report({ code: 'missing_part', message: `${part.path}: part ${this.#partNumber + 1} of the recording is missing.` });
    }
    this.#partNumber = number;
    this.#header ??= header;
    // The minimal form is one file. It may have replaced the first one of several.
    if (header.form === 'minimal') this.#waiting = [];
    part.lineStart = end + 1;
    part.readTo = end + 1;
    part.line = 2;
    return true;
  }

  /** Resolves to whether the part ends with a note about the next one. */
  async #readPart(part: Part, receive: ReceiveLine): Promise<boolean> {
    let rotates = false;
    for (;;) {
      const { bytesRead } = await part.handle.read(this.#block, 0, blockBytes, part.readTo);
      if (bytesRead === 0) return rotates;
      const read = this.#block.subarray(0, bytesRead);
      let from = 0;
      for (let end = read.indexOf(lineBreak); end >= 0; end = read.indexOf(lineBreak, from)) {
        rotates = this.#receiveLine(part, read.subarray(from, end), receive);
        from = end + 1;
        part.line += 1;
        part.lineStart = part.readTo + from;
      }
      if (from < bytesRead) this.#keep(part, read.subarray(from), bytesRead);
      part.readTo += bytesRead;
    }
  }

  /** Keeps the beginning of a line whose end was not read. */
  #keep(part: Part, piece: Buffer, bytesRead: number): void {
    part.isContinued = true;
    // A copy, because the next read overwrites the block.
    if (part.readTo + bytesRead - part.lineStart <= this.#options.maxLineBytes) part.pieces.push(Buffer.from(piece));
    else part.pieces = [];
  }

  #receiveLine(part: Part, end: Buffer, receive: ReceiveLine): boolean {
    const { pieces, isContinued, path, line, lineStart, base } = part;
    part.pieces = [];
    part.isContinued = false;
    const { maxLineBytes } = this.#options;
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, end.length);
    if (bytes > maxLineBytes || (isContinued && pieces.length === 0)) {
      this.#report({ code: 'long_line', line, message: `${path}:${line}: the line has more than ${maxLineBytes} bytes and is ignored.` });
      return false;
    }
    const parsed = parseDeepBytes(isContinued ? Buffer.concat([...pieces, end]) : end, line);
    if ('problem' in parsed) {
      this.#report({ code: 'invalid_line', line, message: `${path}:${line}: the line ${parsed.problem}, and is ignored.` });
      return false;
    }
    if ('message' in parsed) this.#count(parsed.message.n);
    else {
      const problem = problemOfNote(parsed.note, path);
      if (problem !== undefined) this.#report(problem);
    }
    receive(parsed, base + lineStart);
    return 'note' in parsed && parsed.note.note === 'part';
  }

  #count(n: number | undefined): void {
    if (n === undefined) return;
    if (this.#lastNumber !== undefined && n > this.#lastNumber + 1) this.#missing += n - this.#lastNumber - 1;
    this.#lastNumber = n;
  }

  #report(problem: RecordingProblem): void {
    this.#problemCount += 1;
    if (this.#problems.length < mostProblems) this.#problems.push(problem);
  }
}
