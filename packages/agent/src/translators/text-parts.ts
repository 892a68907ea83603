/** How one SDK writes text in a list of parts. */
export interface PartFormat<Part> {
  /** The text of a part. Undefined for a thought and for a part without text. */
  textOf(part: Part): string | undefined;
  withText(part: Part, text: string): Part;
}

/** Returns the text of all parts, without separators, as the SDKs read it. */
export function joinTextParts<Part>(format: PartFormat<Part>, parts: readonly Part[]): string {
  return parts.map((part) => format.textOf(part) ?? '').join('');
}

/**
 * Replaces the text of the text parts. Other parts keep their order. An empty text removes all text parts.
 *
 * Text parts at the beginning and the end stay as they are if the new text has them too. So if a hook appends a line, the provider's cache
 * stays valid. Of the text parts in between, the first gets the rest of the new text, and the others are removed.
 */
export function rewriteTextParts<Part>(format: PartFormat<Part>, parts: readonly Part[], text: string): Part[] {
  const texts = parts.flatMap((part, place) => {
    const old = format.textOf(part);
    return old === undefined ? [] : [{ place, old }];
  });
  let [first, last, rest] = [0, texts.length - 1, text];
  while (first < last && rest.startsWith(texts[first]!.old)) rest = rest.slice(texts[first++]!.old.length);
  while (first < last && rest.endsWith(texts[last]!.old)) rest = rest.slice(0, rest.length - texts[last--]!.old.length);
  const replaced = new Set(texts.slice(first, last + 1).map(({ place }) => place));
  const writtenAt = rest === '' ? undefined : texts[first]?.place;
  return parts.flatMap((part, place) => {
    if (!replaced.has(place)) return [part];
    if (place !== writtenAt) return [];
    return [rest === format.textOf(part) ? part : format.withText(part, rest)];
  });
}

/** Returns the parts that are not text. */
export function withoutTextParts<Part>(format: PartFormat<Part>, parts: readonly Part[]): Part[] {
  return parts.filter((part) => format.textOf(part) === undefined);
}

/** How one SDK writes the parts of a response. */
export interface ResponsePartFormat<Part> extends PartFormat<Part> {
  isThought(part: Part): boolean;
  createText(text: string): Part;
}

/** Replaces the text of a response. If it has no text, the new text is inserted after the thoughts and before the calls. */
export function writeResponseText<Part>(format: ResponsePartFormat<Part>, parts: readonly Part[], text: string): readonly Part[] {
  if (parts.some((part) => format.textOf(part) !== undefined)) return rewriteTextParts(format, parts, text);
  const place = parts.findIndex((part) => !format.isThought(part));
  const end = place < 0 ? parts.length : place;
  return [...parts.slice(0, end), format.createText(text), ...parts.slice(end)];
}

/** The separator of system texts, for a request that has one field for all of them. */
const systemTextGap = '\n\n';

/**
 * Adds texts of a hook before and after the parts of a system prompt. Each becomes a separate part, so that existing parts stay the same.
 */
export function surroundParts<Part>(
  parts: readonly Part[],
  before: readonly string[],
  after: readonly string[],
  create: (text: string) => Part,
): Part[] {
  return [...before.map((text) => create(text + systemTextGap)), ...parts, ...after.map((text) => create(systemTextGap + text))];
}

export function joinSystemTexts(texts: readonly string[]): string {
  return texts.join(systemTextGap);
}
