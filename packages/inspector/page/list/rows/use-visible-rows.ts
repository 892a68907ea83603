import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import { type RowRange, scrollTopFor, type Viewport, visibleRows } from './visible-rows.js';

/** The rows that are elements now, and how to scroll to others. */
export interface VisibleRows extends RowRange {
  scrollTo(index: number, align: 'auto' | 'center'): void;
}

/**
 * Follows where a list is scrolled to, and draws the component again when other rows can be seen. A library for rows of any height was
 * rejected: it adds up the heights of all rows again whenever one is added. With `isAtEnd` the last rows are drawn, because the list is
 * scrolled there only after they are drawn.
 */
export function useVisibleRows(scroller: RefObject<HTMLElement | null>, count: number, isAtEnd: boolean): VisibleRows {
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0);
  const viewport = useRef<Viewport>({ top: 0, height: 0 });
  const { height } = viewport.current;
  const range = visibleRows(isAtEnd ? { top: Number.POSITIVE_INFINITY, height } : viewport.current, count);
  const drawn = useRef({ count, range });
  drawn.current = { count, range };
  const look = useRef(() => {
    const element = scroller.current as HTMLElement;
    viewport.current = { top: element.scrollTop, height: element.clientHeight };
    const { first, end } = visibleRows(viewport.current, drawn.current.count);
    if (first !== drawn.current.range.first || end !== drawn.current.range.end) draw(undefined);
  }).current;
  useLayoutEffect(() => {
    const element = scroller.current as HTMLElement;
    look();
    element.addEventListener('scroll', look, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      resized.disconnect();
    };
  }, []);
  const scrollTo = useRef((index: number, align: 'auto' | 'center') => {
    const element = scroller.current as HTMLElement;
    element.scrollTop = scrollTopFor(index, { top: element.scrollTop, height: element.clientHeight }, align);
  }).current;
  return { ...range, scrollTo };
}
