import { leaveDetails, moveActive, moveToDeny, openActive, toggleFollow } from '../list/list-actions.js';
import { isHelpOpen, opened, view } from '../state/page-state.js';
import { focusFilter, focusGrid } from './focus.js';

/** The key `g` waits for the next key for so long, in milliseconds. */
const sequenceMs = 1_500;
let waitsSince = Number.NEGATIVE_INFINITY;

const viewKeys = { e: 'events', h: 'hooks', s: 'settings', a: 'agents', c: 'compare' } as const;

/** The keys of the page. Keys in fields and with Ctrl, Alt or Meta belong to the browser. */
export function handleKey(event: KeyboardEvent): void {
  // On many keyboards "[" is typed with AltGr, which some systems report as Ctrl and Alt.
  const isCommand = (event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph');
  if (event.defaultPrevented || isCommand || event.metaKey || isDialogOpen()) return;
  const target = event.target as HTMLElement;
  if (event.key === 'Escape') {
    leave(target);
    event.preventDefault();
    return;
  }
  if (isField(target)) return;
  if (event.timeStamp - waitsSince < sequenceMs && event.key in viewKeys) {
    waitsSince = Number.NEGATIVE_INFINITY;
    view.value = viewKeys[event.key as keyof typeof viewKeys];
    if (view.value === 'events') queueMicrotask(focusGrid);
    event.preventDefault();
    return;
  }
  if (act(event, target)) event.preventDefault();
}

/** Keys in an open dialog are its own: Esc closes it, and not what is below it. */
function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

/** Returns whether the key means something here. */
function act(event: KeyboardEvent, target: HTMLElement): boolean {
  switch (event.key) {
    case 'g':
      waitsSince = event.timeStamp;
      return true;
    case '?':
      isHelpOpen.value = true;
      return true;
    case '/':
      view.value = 'events';
      queueMicrotask(focusFilter);
      return true;
  }
  if (view.value !== 'events') return false;
  switch (event.key) {
    case 'j':
    case 'k':
      moveActive(event.key === 'j' ? 1 : -1);
      return true;
    case '[':
    case ']':
      moveToDeny(event.key === ']' ? 1 : -1);
      return true;
    case 'f':
      toggleFollow();
      return true;
    case 'Enter':
      // On a button, Enter presses the button.
      if (target.closest('button, a, summary, [role=tab]') !== null) return false;
      openActive();
      return true;
  }
  return false;
}

/** One step back: out of a field, out of the details, to the list of events. */
function leave(target: HTMLElement): void {
  if (isField(target) && target.closest('.details') === null) {
    target.blur();
    focusGrid();
  } else if (view.value !== 'events') {
    view.value = 'events';
    queueMicrotask(focusGrid);
  } else if (opened.value !== undefined) {
    leaveDetails();
  } else {
    focusGrid();
  }
}

function isField(element: HTMLElement): boolean {
  return element.matches('input, textarea, select');
}
