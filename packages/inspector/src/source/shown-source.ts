import type { Source } from './source.js';

/** A reader of the list, which ends when another source is shown. */
export interface Reader {
  end(): void;
}

/** The source that the page shows. It can be replaced while the server runs: numbers of rows and revisions then go on. */
export class ShownSource {
  readonly #readers = new Set<Reader>();
  #current: Source;
  #replacing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(source: Source) {
    this.#current = source;
  }

  get current(): Source {
    return this.#current;
  }

  /** Keeps a reader until it is released. */
  add(reader: Reader): () => void {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  /** Opens another source and shows it. The old one stays if that fails. Calls run one after another. */
  replace(open: (before: Source) => Promise<Source>): Promise<void> {
    const replaced = this.#replacing.then(async () => {
      const before = this.#current;
      const next = await open(before);
      if (this.#isClosed) return next.close();
      this.#current = next;
      // They ask again, and continue with the other source.
      for (const reader of this.#readers) reader.end();
      await before.close();
    });
    this.#replacing = replaced.catch(() => {});
    return replaced;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#replacing;
    await this.#current.close();
  }
}
