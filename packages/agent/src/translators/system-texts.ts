/** Between the system texts of a request that has one place for all of them. */
const gap = '\n\n';

/** Texts a hook put before and after the parts of a system prompt, each a part of its own so that the others stay as they are. */
export function surroundParts<Part>(
  parts: readonly Part[],
  before: readonly string[],
  after: readonly string[],
  create: (text: string) => Part,
): Part[] {
  return [...before.map((text) => create(text + gap)), ...parts, ...after.map((text) => create(gap + text))];
}

export function joinSystemTexts(texts: readonly string[]): string {
  return texts.join(gap);
}
