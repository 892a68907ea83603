import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';

/** What one stream of a job came to. */
export interface OutputText {
  readonly text: string;
  readonly bytes: number;
  readonly truncated: boolean;
  readonly invalidUtf8: boolean;
}

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

  /** Creates the file; throws the errno of the file system. */
  constructor(path: string, cap: number) {
    this.path = path;
    // Append, so that after `> /dev/stderr` in the process, or truncating here, the next write goes to the end and not behind a hole.
    this.fd = openSync(path, 'ax+', 0o600);
    this.#cap = cap;
  }

  /** Bytes written so far, kept or not. */
  get bytes(): number {
    return this.#discarded + fstatSync(this.fd).size;
  }

  /** Keeps the first `cap` bytes and empties the file when there are more. The process goes on and notices nothing. */
  bound(): void {
    if (fstatSync(this.fd).size <= this.#cap) return;
    this.#head ??= this.#read(this.#cap);
    // Asked again, because reading took its time: only what is written between these two lines is missed by the count.
    const { size } = fstatSync(this.fd);
    ftruncateSync(this.fd, 0);
    this.#discarded += size;
  }

  /** Decoded in one piece: decoding chunks destroys the characters on their borders (field failure 41). */
  read(): OutputText {
    this.bound();
    const truncated = this.#head !== undefined;
    const kept = this.#head === undefined ? this.#read(this.#cap) : withoutCutCharacter(this.#head);
    return { text: decoder.decode(kept), bytes: this.bytes, truncated, invalidUtf8: !isUtf8(kept) };
  }

  close(): void {
    closeSync(this.fd);
  }

  #read(most: number): Buffer {
    const buffer = Buffer.allocUnsafe(Math.min(most, fstatSync(this.fd).size));
    let length = 0;
    while (length < buffer.length) {
      const read = readSync(this.fd, buffer, length, buffer.length - length, length);
      // The process may have emptied its own output in between (`> /dev/stdout`).
      if (read === 0) break;
      length += read;
    }
    return buffer.subarray(0, length);
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
