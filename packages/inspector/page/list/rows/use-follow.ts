import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { follows } from '../../state/page-state.js';
import { rowHeight } from './visible-rows.js';

/**
 * Keeps the newest event in view, until the reader scrolls up. Scrolling to the end follows again. `isHeld` is set while a mouse button is
 * pressed: a row that moves between the press and the release of a button is not clicked. `count` changes with each new row.
 */
export function useFollow(scroller: RefObject<HTMLDivElement | null>, isHeld: { current: boolean }, count: number): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element !== null && follows.value && !isHeld.current) element.scrollTop = element.scrollHeight;
  }, [count, follows.value]);
  useEffect(() => {
    const element = scroller.current as HTMLDivElement;
    let last = element.scrollTop;
    const look = () => {
      const top = element.scrollTop;
      const isAtEnd = element.scrollHeight - top - element.clientHeight < rowHeight;
      // Only a scroll upwards ends following: rows that were added also move the end away.
      if (top < last - 1 && !isAtEnd) follows.value = false;
      else if (top > last + 1 && isAtEnd) follows.value = true;
      last = top;
    };
    element.addEventListener('scroll', look, { passive: true });
    // What is above the list may change its height, and the newest event would leave the view.
    const toEnd = () => {
      if (follows.peek() && !isHeld.current) element.scrollTop = element.scrollHeight;
    };
    const resized = new ResizeObserver(toEnd);
    resized.observe(element);
    const hold = () => {
      isHeld.current = true;
    };
    const release = () => {
      isHeld.current = false;
      // After the click, which may end following.
      setTimeout(toEnd);
    };
    const releases = ['pointerup', 'pointercancel'] as const;
    element.addEventListener('pointerdown', hold);
    for (const name of releases) addEventListener(name, release);
    return () => {
      element.removeEventListener('scroll', look);
      element.removeEventListener('pointerdown', hold);
      for (const name of releases) removeEventListener(name, release);
      resized.disconnect();
    };
  }, []);
}
