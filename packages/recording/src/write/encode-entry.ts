import { isTooDeep } from '../format/depth.js';
import { cutTexts } from '../mask/cut-texts.js';
import { createMasker, type MaskPlan } from '../mask/masker.js';

/** A message as the subscriber has serialised it. */
export interface MessageEntry {
  readonly n: number;
  readonly t: number;
  readonly type: string;
  /** The payload as JSON. */
  readonly json: string;
}

/** A note of the recorder. */
export interface NoteEntry {
  readonly t: number;
  readonly note: string;
  readonly [field: string]: unknown;
}

/** What a recorder passes to its writer, in order. */
export type Entry = MessageEntry | NoteEntry;

/** Returns the line of an entry without its line break. Notes that replace a message are returned in its place. */
export type EntryEncoder = (entry: Entry) => string;

/** Room for the path of a cut text. */
const frameBytes = 256;
const mostPasses = 4;

/** Returns a function that masks a message, cuts it if it is too long, and writes both kinds of entries as lines. */
export function createEntryEncoder(plan: MaskPlan, maxLineBytes: number): EntryEncoder {
  const mask = createMasker(plan);
  const noteLine = (note: NoteEntry) => JSON.stringify(mask(note));
  return (entry) => {
    if ('note' in entry) return noteLine(entry);
    const { n, t, type, json } = entry;
    const unwritable = (reason: string) => noteLine({ t, note: 'unwritable', n, channel: type, reason });
    const original: unknown = JSON.parse(json);
    if (isTooDeep({ payload: original }, json)) return unwritable('The message is nested too deeply.');
    const payload = mask(original);
    const paths = new Set<string>();
    const lineOf = () => JSON.stringify({ n, t, type, payload, ...(paths.size === 0 ? {} : { cut: [...paths] }) });
    // The list of paths makes the line longer, so one pass may be too few.
    for (let pass = 0; pass < mostPasses; pass += 1) {
      const line = lineOf();
      const excess = Buffer.byteLength(line) - maxLineBytes;
      if (excess <= 0) return line;
      const cut = cutTexts(payload, excess + frameBytes);
      if (cut.length === 0) return unwritable(`Its line is ${excess} bytes too long, and no text in it can be shortened.`);
      for (const path of cut) paths.add(path);
    }
    return unwritable('Its line is too long, although its texts were shortened.');
  };
}
