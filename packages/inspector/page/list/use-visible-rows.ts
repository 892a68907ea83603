import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import { type RowRange, scrollTopFor, type Viewport, visibleRows } from './visible-rows.js';

/** The rows that are elements now, and how to scroll to others. */
export interface VisibleRows extends RowRange {
  scrollTo(index: number, align: 'auto' | 'center'): void;
}

/**
 * Follows where a list is scrolled to, and draws the component again when other rows can be seen. A library for rows of any height was
 * rejected: it adds up the heights of all rows again whenever one is added.
 */
export function useVisibleRows(scroller: RefObject<HTMLElement | null>, count: number): VisibleRows {
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0);
  const viewport = useRef<Viewport>({ top: 0, height: 0 });
  const current = { count, ...visibleRows(viewport.current, count) };
  const drawn = useRef(current);
  drawn.current = current;
  const look = useRef(() => {
    const { scrollTop: top, clientHeight: height } = scroller.current as HTMLElement;
    viewport.current = { top, height };
    const { first, end } = visibleRows(viewport.current, drawn.current.count);
    if (first !== drawn.current.first || end !== drawn.current.end) draw(undefined);
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
  return { ...current, scrollTo };
}
