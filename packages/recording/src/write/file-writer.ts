import { closeSync, fsyncSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { codeOf, describeThrown } from '@tenterhook/runtime/text';
import { RecordingError } from '../format/recording-error.js';
import { partPath } from '../read/parts.js';
import { removeBegin } from './file-end.js';
import { createPart, type OpenFile } from './open-file.js';

/** Bounds of the files. */
export interface FileBounds {
  readonly maxFileBytes: number;
  readonly maxFiles: number;
}

/** Room for the notes `part` and `end`. */
const noteBytes = 512;

/**
 * Writes lines to the parts of a recording. A line is one `write` of the whole line, so that a process that is killed leaves at most one
 * line without an end. A stream was rejected: it left such lines in a third of the kills.
 */
export class FileWriter {
  readonly #file: string;
  readonly #bounds: FileBounds;
  readonly #header: OpenFile['header'];
  readonly #parts: string[];
  #part: number;
  #descriptor: number;
  #bytes: number;
  #isClosed = false;

  constructor({ file, descriptor, parts, bytes, header }: OpenFile, bounds: FileBounds) {
    this.#file = file;
    this.#bounds = bounds;
    this.#header = header;
    this.#parts = [...parts];
    this.#part = header.part ?? 1;
    this.#descriptor = descriptor;
    this.#bytes = bytes;
  }

  /** Writes a line. Begins a new part if the file would be too large. Throws a RecordingError if the line cannot be written. */
  write(line: string, t: number): void {
    const bytes = Buffer.from(`${line}\n`);
    if (this.#bytes + bytes.length + noteBytes > this.#bounds.maxFileBytes) this.#beginPart(t);
    this.#append(bytes);
  }

  /** Writes the last line and closes the file. */
  end(line: string): void {
    if (this.#isClosed) return;
    try {
      this.#append(Buffer.from(`${line}\n`));
      this.#sync();
    } finally {
      this.close();
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#descriptor);
  }

  #beginPart(t: number): void {
    const next = partPath(this.#file, this.#part + 1);
    this.#append(Buffer.from(`${JSON.stringify({ t, note: 'part', next: basename(next) })}\n`));
    this.#sync();
    closeSync(this.#descriptor);
    this.#isClosed = true;
    // The oldest part is removed first, so that the limit holds at every moment.
    while (this.#parts.length >= this.#bounds.maxFiles) removePart(this.#parts.shift() as string);
    const { descriptor, bytes } = createPart(next, { ...this.#header, part: this.#part + 1 });
    this.#isClosed = false;
    this.#part += 1;
    this.#parts.push(next);
    this.#descriptor = descriptor;
    this.#bytes = bytes;
  }

  /** If a line cannot be written whole, what was written of it is removed again. */
  #append(bytes: Buffer): void {
    try {
      writeFileSync(this.#descriptor, bytes);
    } catch (error) {
      this.#removeTail(bytes);
      throw writeFailed(this.#parts.at(-1) as string, error);
    }
    this.#bytes += bytes.length;
  }

  /** Some file systems report only now that a line could not be written. */
  #sync(): void {
    try {
      fsyncSync(this.#descriptor);
    } catch (error) {
      throw writeFailed(this.#parts.at(-1) as string, error);
    }
  }

  #removeTail(line: Buffer): void {
    try {
      removeBegin(this.#descriptor, line);
    } catch {
      // A reader ignores a line without an end.
    }
  }
}

function removePart(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    const reason = `the oldest file of the recording cannot be removed: ${describeThrown(error)}`;
    throw new RecordingError('write_failed', `${path}: the recording ends here, because ${reason}. Record to another directory.`, {
      cause: error,
    });
  }
}

function writeFailed(path: string, error: unknown): RecordingError {
  const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(codeOf(error)));
  const [reason, remedy] = isFull
    ? ['the disk is full, or a limit of file sizes is reached', 'Free space, and record again.']
    : ['a line could not be written', 'Record to another file.'];
  return new RecordingError('write_failed', `${path}: the recording ends here, because ${reason} (${describeThrown(error)}). ${remedy}`, {
    cause: error,
  });
}
