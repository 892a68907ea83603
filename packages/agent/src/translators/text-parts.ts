/** How one SDK writes text in a list of parts. */
export interface PartFormat<Part> {
  /** The text of a part that is text for the reader; undefined for everything else, thoughts included. */
  textOf(part: Part): string | undefined;
  withText(part: Part, text: string): Part;
}

/** All text of a list of parts, without anything between them: that is how the SDKs read it. */
export function joinTextParts<Part>(format: PartFormat<Part>, parts: readonly Part[]): string {
  return parts.map((part) => format.textOf(part) ?? '').join('');
}

/**
 * A new text in the place of the text parts; the other parts keep their order. Text parts at the beginning and at the end that the new
 * text still has stay as they are (a hook that appends a line leaves a cached prefix cached), the first one between them takes the
 * rest, and the others go: an empty text takes them all. A list without a text part stays as it is.
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

/** The parts that are no text. */
export function withoutTextParts<Part>(format: PartFormat<Part>, parts: readonly Part[]): Part[] {
  return parts.filter((part) => format.textOf(part) === undefined);
}
