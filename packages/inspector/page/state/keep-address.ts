import { effect } from '@preact/signals';
import { formatFragment, parseFragment } from './address.js';
import { active, filterText, opened, setFilter, view } from './page-state.js';

/** Applies the fragment of the address, and keeps it equal to what is shown from then on. */
export function keepAddress(): void {
  apply();
  // A fragment that a person has changed. What the page writes itself causes no such event.
  addEventListener('hashchange', () => {
    // The address of an inspector that was started again, in the tab of the one before.
    const { token, code } = parseFragment(location.hash);
    if (token !== undefined || code !== undefined) location.reload();
    else apply();
  });
  effect(() => {
    const event = opened.value;
    const fragment = formatFragment({ view: view.value, filter: filterText.value, ...(event === undefined ? {} : { event }) });
    // Replaced and not added: the way back would otherwise lead through every letter of a filter.
    if (fragment !== location.hash) history.replaceState(null, '', `${location.pathname}${fragment}`);
  });
}

function apply(): void {
  const address = parseFragment(location.hash);
  view.value = address.view;
  if (address.filter !== filterText.value) setFilter(address.filter);
  opened.value = address.event;
  active.value = address.event ?? active.value;
}
