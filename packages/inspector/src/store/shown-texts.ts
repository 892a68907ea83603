import { createDecoder, mapTexts, maskRecorded } from '@tenterhook/recording/internal';
import { maskText } from '@tenterhook/runtime/log';
import { cutDeep } from './deep-values.js';

/** The maximum number of characters of a text in the list. */
const longestShort = 300;
/** Ids and names repeat in each event, so the texts of the list are kept once. */
const mostKept = 2_000;

/** Turns `⟦⟦` of a recording into `⟦`. Placeholders stay, because their values are those of another machine. */
const decode = createDecoder({ roots: [], secrets: [] }, new Set());

/**
 * Prepares texts of messages for the page. Everything is masked here, and nothing leaves the server in another way, so that a page or a
 * screenshot of it shows no secret of a known shape.
 */
export class ShownTexts {
  readonly isMasked: boolean;
  #kept = new Map<string, string>();

  constructor(isMasked: boolean) {
    this.isMasked = isMasked;
  }

  /** A text for the list: masked, at most 300 characters, and one object for equal texts. */
  short(text: string): string {
    const known = this.#kept.get(text);
    if (known !== undefined) return known;
    // The whole text is masked first. A secret at the cut would lose the shape by which it is recognised.
    const masked = this.isMasked ? maskText(decode(text)) : decode(text);
    const cut = masked.length > longestShort ? `${masked.slice(0, longestShort - 1)}…` : masked;
    // A copy, because a part of a text keeps the whole text in memory.
    const shown = Buffer.from(cut).toString();
    if (text.length > longestShort) return shown;
    if (this.#kept.size >= mostKept) this.#kept.clear();
    this.#kept.set(text, shown);
    return shown;
  }

  /** A payload for a file: masked, and with the placeholders of a recording. */
  stored(payload: unknown): unknown {
    try {
      const shown = cutDeep(payload);
      return this.isMasked ? maskRecorded(shown) : shown;
    } catch {
      return {};
    }
  }

  /** A value of a message with all its texts masked. What is nested too deeply is replaced by a sentence. */
  whole(value: unknown): unknown {
    try {
      const shown = cutDeep(value);
      return mapTexts(this.isMasked ? maskRecorded(shown) : shown, decode);
    } catch {
      return 'This value is nested too deeply to be shown.';
    }
  }
}
