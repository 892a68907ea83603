import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

/** What one stream of a job came to. */
export interface OutputText {
  readonly text: string;
  readonly bytes: number;
  readonly truncated: boolean;
  readonly invalidUtf8: boolean;
  /** The process emptied the file by opening it anew (`> /dev/stdout`): what it had written before is gone. */
  readonly emptied: boolean;
}

/** Stands first in every output file and belongs to no output: once it is gone, the process has emptied the file. */
const mark = Buffer.from('\0out\0');

/** ignoreBOM means: leave it in the text. Whether it counts is for whoever reads the text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * One output of one process, as a file of which at most about `cap` bytes and what is written in 20 ms exist at any time (field failure 40).
 * A pipe would bound it too, but by stopping the process, or by killing it with SIGPIPE: then its exit code would not count any more.
 */
export class BoundedOutput {
  readonly path: string;
  /** For the process too. Held until close(), so that reading the answer cannot fail for want of a descriptor. */
  readonly fd: number;
  readonly #cap: number;
  #head: Buffer | undefined;
  #discarded = 0;
  /** False once the file was emptied by us. */
  #isMarked = true;
  #emptied = false;

  /** Creates the file; throws the errno of the file system. */
  constructor(path: string, cap: number) {
    this.path = path;
    // Append, so that after `> /dev/stderr` in the process, or truncating here, the next write goes to the end and not behind a hole.
    this.fd = openSync(path, 'ax+', 0o600);
    writeSync(this.fd, mark);
    this.#cap = cap;
  }

  /** Bytes written so far, kept or not. */
  get bytes(): number {
    return this.#discarded + this.#written();
  }

  /** Keeps the first `cap` bytes and empties the file when there are more. The process goes on and notices nothing. */
  bound(): void {
    if (this.#written() <= this.#cap) return;
    // Not once the mark was taken away by us: a second pass over the bound is not the process's doing.
    this.#emptied ||= this.#isMarked && !this.#hasMark();
    this.#head ??= this.#read(this.#cap);
    // Asked again, because reading took its time: only what is written between these two lines is missed by the count.
    const written = this.#written();
    ftruncateSync(this.fd, 0);
    this.#isMarked = false;
    this.#discarded += written;
  }

  /** Decoded in one piece: decoding chunks destroys the characters on their borders (field failure 41). */
  read(): OutputText {
    this.bound();
    const truncated = this.#head !== undefined;
    const kept = this.#head === undefined ? this.#read(this.#cap) : withoutCutCharacter(this.#head);
    const emptied = this.#emptied || (this.#isMarked && !this.#hasMark());
    return { text: decoder.decode(kept), bytes: this.bytes, truncated, invalidUtf8: !isUtf8(kept), emptied };
  }

  /** The file stays for whoever may still write to it, without what was in it. */
  close(): void {
    try {
      ftruncateSync(this.fd, 0);
    } finally {
      closeSync(this.fd);
    }
  }

  #read(most: number): Buffer {
    const from = this.#hasMark() ? mark.length : 0;
    const buffer = Buffer.allocUnsafe(Math.min(most, Math.max(0, fstatSync(this.fd).size - from)));
    let length = 0;
    while (length < buffer.length) {
      const read = readSync(this.fd, buffer, length, buffer.length - length, from + length);
      // The process may have emptied its own output in between (`> /dev/stdout`).
      if (read === 0) break;
      length += read;
    }
    return buffer.subarray(0, length);
  }

  #written(): number {
    const { size } = fstatSync(this.fd);
    return this.#hasMark() ? size - mark.length : size;
  }

  #hasMark(): boolean {
    if (!this.#isMarked) return false;
    const start = Buffer.alloc(mark.length);
    return readSync(this.fd, start, 0, start.length, 0) === start.length && start.equals(mark);
  }
}

/** Drops a character that the cap cut in two; what was wrong in the output itself stays, and is reported as such. */
export function withoutCutCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
    }
  }
  return bytes;
}
