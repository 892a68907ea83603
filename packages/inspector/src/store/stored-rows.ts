/** A row that no longer changes, with the places of its messages, as bytes outside of the heap. */
export interface StoredRow {
  readonly chunk: Buffer;
  readonly from: number;
  readonly to: number;
}

const chunkBytes = 1024 * 1024;

/**
 * Keeps rows as bytes in large buffers. As objects or texts, 100,000 rows took twice the memory, and the collector let the heap grow to four
 * times of that before it removed forgotten ones. A buffer is freed when all of its rows are forgotten.
 */
export class StoredRows {
  #chunk = Buffer.alloc(0);
  #used = 0;

  store(json: string, places: readonly number[]): StoredRow {
    const text = `${places.join(' ')}\n${json}`;
    const bytes = Buffer.byteLength(text);
    if (this.#used + bytes > this.#chunk.length) {
      this.#chunk = Buffer.allocUnsafeSlow(Math.max(chunkBytes, bytes));
      this.#used = 0;
    }
    const from = this.#used;
    this.#used += this.#chunk.write(text, from);
    return { chunk: this.#chunk, from, to: this.#used };
  }
}

export function jsonOfStored({ chunk, from, to }: StoredRow): string {
  return chunk.toString('utf8', chunk.indexOf(10, from) + 1, to);
}

export function placesOfStored({ chunk, from }: StoredRow): number[] {
  const places = chunk.toString('latin1', from, chunk.indexOf(10, from));
  return places === '' ? [] : places.split(' ').map(Number);
}
