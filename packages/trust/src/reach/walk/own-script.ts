import type { Collector } from '../files/collector.js';
import type { Place } from '../files/locate.js';
import { readContent } from '../files/read-content.js';

/** A script with more bytes is not read. Scripts that a person writes are smaller; larger files are programs. */
const maxBytes = 256 * 1024;
/** The maximum number of scripts outside of the project that are read for one hook. */
const maxScripts = 32;

/** The scripts of the user outside of the project that were read for one hook. Their contents are not part of the pin. */
export class OwnScripts {
  readonly #texts = new Map<string, string | undefined>();

  /**
   * Returns the text of a script. Undefined if it is not text, is too large or cannot be read, or if `maxScripts` scripts were read
   * already.
   */
  textOf({ path }: Place, to: Collector): string | undefined {
    if (this.#texts.has(path)) return this.#texts.get(path);
    if (this.#texts.size >= maxScripts) return undefined;
    const content = readContent(path, maxBytes);
    const isText = content !== undefined && !content.bytes.includes(0);
    const text = isText ? Buffer.from(content.bytes).toString('utf8') : undefined;
    this.#texts.set(path, text);
    // If the script changes, it may refer to other files.
    if (isText) {
      to.stamps.set(path, content.stamp);
      to.evidence.ownScript(path, content.sha256);
    }
    return text;
  }
}
