import { batch } from '@preact/signals';
import { focusGrid } from '../shell/focus.js';
import { active, announce, follows, openEvent, opened, store, wantsDetailsFocus } from '../state/page-state.js';

/** What scrolls the list. The list registers itself, because keys are handled for the whole page. */
export const listScroller: { scrollTo?: (index: number) => void } = {};

/** Makes another event the active one. With details open, they are of the active event. */
export function moveActive(step: number): void {
  const { shown } = store;
  const index = active.value === undefined ? -1 : store.shownIndex(active.value);
  const next = index < 0 ? (step > 0 ? 0 : shown.length - 1) : Math.min(shown.length - 1, Math.max(0, index + step));
  activate(next);
}

/** Goes to the next or the previous event that was denied. */
export function moveToDeny(step: 1 | -1): void {
  const { shown } = store;
  const from = active.value === undefined ? (step > 0 ? -1 : shown.length) : store.shownIndex(active.value);
  for (let index = from + step; index >= 0 && index < shown.length; index += step) {
    if (shown[index]?.verdict === 'deny') {
      activate(index);
      return;
    }
  }
  announce(step > 0 ? 'There is no later deny.' : 'There is no earlier deny.');
}

/** Makes the event in this place of the list the active one, and scrolls to it. */
export function activate(index: number): void {
  const row = store.shown[index];
  if (row === undefined) return;
  batch(() => {
    follows.value = false;
    active.value = row.n;
    if (opened.value !== undefined) opened.value = row.n;
  });
  listScroller.scrollTo?.(index);
}

/** Opens the details of the active event, and moves the focus there. */
export function openActive(): void {
  const n = active.value ?? store.shown.at(-1)?.n;
  if (n === undefined) return;
  wantsDetailsFocus.value = true;
  openEvent(n);
}

export function leaveDetails(): void {
  wantsDetailsFocus.value = false;
  opened.value = undefined;
  focusGrid();
}

export function toggleFollow(): void {
  follows.value = !follows.value;
  announce(follows.value ? 'The list follows new events.' : 'The list does not follow new events.');
}
