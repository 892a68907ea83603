import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useReducer } from 'preact/hooks';

/** The height of a row and of the head of the list, in pixels. */
export const rowHeight = 24;
/** Rows beyond each edge, so that a scroll does not show an empty edge. Each costs time in every frame. */
const overscan = 4;

/** Connects the virtualizer, which knows no framework, to a component: it says which rows are drawn, and draws again after a scroll. */
export function useVirtualRows(scroller: RefObject<HTMLElement | null>, count: number): Virtualizer<HTMLElement, HTMLElement> {
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0);
  const virtualizer = useMemo(
    () =>
      new Virtualizer<HTMLElement, HTMLElement>({
        count,
        getScrollElement: () => scroller.current,
        estimateSize: () => rowHeight,
        overscan,
        // The head of the list covers its first 24 pixels.
        scrollMargin: rowHeight,
        scrollPaddingStart: rowHeight,
        observeElementRect,
        observeElementOffset,
        scrollToFn: elementScroll,
        onChange: () => draw(undefined),
      }),
    [],
  );
  if (virtualizer.options.count !== count) virtualizer.setOptions({ ...virtualizer.options, count });
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
