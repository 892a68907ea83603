/** The height of a row and of the head of the list, in pixels. */
export const rowHeight = 24;
/** Rows beyond each edge, so that a scroll does not show an empty edge. Each costs time in every frame. */
const overscan = 4;

/** Where a list is scrolled to, and the height of what can be seen of it with its head, in pixels. */
export interface Viewport {
  readonly top: number;
  readonly height: number;
}

/** The rows from `first` up to, but without, `end`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** Returns the rows that are elements. A list that has become shorter is scrolled to its end by the browser, so its end is drawn. */
export function visibleRows({ top, height }: Viewport, count: number): RowRange {
  if (height <= 0) return { first: 0, end: 0 };
  const seen = height - rowHeight;
  const from = Math.min(top, Math.max(0, count * rowHeight - seen));
  const first = Math.max(0, Math.floor(from / rowHeight) - overscan);
  return { first, end: Math.min(count, Math.ceil((from + seen) / rowHeight) + overscan) };
}

/** Returns the scroll position that shows a row: `auto` moves as little as possible. */
export function scrollTopFor(index: number, { top, height }: Viewport, align: 'auto' | 'center'): number {
  const seen = height - rowHeight;
  const start = index * rowHeight;
  if (align === 'center') return Math.max(0, start - (seen - rowHeight) / 2);
  if (start < top) return start;
  return Math.max(top, start + rowHeight - seen);
}
