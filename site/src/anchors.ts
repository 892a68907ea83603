/** Gives the headings of a page the anchors that repository hosts give them, so that a link works in both places. */
export class Anchors {
  readonly #uses = new Map<string, number>();

  /** Returns the anchor of the next heading of the page. If a heading occurs again, its anchor gets a number. */
  next(heading: string): string {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const earlier = this.#uses.get(anchor) ?? 0;
    this.#uses.set(anchor, earlier + 1);
    return earlier === 0 ? anchor : `${anchor}-${earlier}`;
  }
}
