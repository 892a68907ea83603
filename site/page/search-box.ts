import MiniSearch from 'minisearch';
import { type FoundSection, type IndexedSection, indexOptions, searchOptions } from '../src/search/options.js';
import { element } from './elements.js';

const shownResults = 12;
const root = document.documentElement.dataset['root'] ?? '';

/** The search: a text field with a list of results, which the arrow keys go through. The index is loaded when the field is used first. */
export function startSearch(): void {
  const input = element<HTMLInputElement>('#site-search');
  const list = element('#site-results');
  const status = element('.search-status');
  let selected = -1;
  element('.search').hidden = false;

  const options = () => [...list.querySelectorAll<HTMLAnchorElement>('[role=option]')];
  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
    selected = -1;
  };
  const select = (index: number) => {
    const all = options();
    selected = all.length === 0 ? -1 : (index + all.length) % all.length;
    for (const [position, option] of all.entries()) option.setAttribute('aria-selected', String(position === selected));
    const option = all[selected];
    if (option === undefined) return;
    input.setAttribute('aria-activedescendant', option.id);
    option.scrollIntoView({ block: 'nearest' });
  };
  const show = async () => {
    const asked = input.value.trim();
    if (asked === '') {
      status.textContent = '';
      close();
      return;
    }
    const found = await find(asked).catch(() => undefined);
    // The reader may have typed on while the index was loaded.
    if (asked !== input.value.trim()) return;
    status.textContent = found === undefined ? 'The search index could not be loaded.' : countOf(found.length);
    list.replaceChildren(...(found ?? []).slice(0, shownResults).map(resultElement));
    list.hidden = list.childElementCount === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
    select(0);
  };

  input.addEventListener('focus', () => void index().catch(() => undefined), { once: true });
  input.addEventListener('input', () => void show());
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (list.hidden) void show();
      else select(selected + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Enter') {
      options()[selected]?.click();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (list.hidden) input.value = '';
      status.textContent = '';
      close();
    }
  });
  list.addEventListener('click', () => {
    status.textContent = '';
    close();
  });
  document.addEventListener('click', (event) => {
    if (!(event.target as Element).closest('.search')) close();
  });
  document.addEventListener('keydown', (event) => {
    const typing = (event.target as Element).closest('input, textarea, select') !== null;
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

let loaded: Promise<MiniSearch<IndexedSection>> | undefined;

function index(): Promise<MiniSearch<IndexedSection>> {
  loaded ??= loadIndex().catch((error: unknown) => {
    // The next use tries again.
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function loadIndex(): Promise<MiniSearch<IndexedSection>> {
  const response = await fetch(`${root}assets/search-index.json`);
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return MiniSearch.loadJSON(await response.text(), indexOptions);
}

async function find(text: string): Promise<FoundSection[]> {
  return (await index()).search(text, searchOptions) as unknown as FoundSection[];
}

function countOf(count: number): string {
  if (count === 0) return 'Nothing found.';
  return `${count} ${count === 1 ? 'result' : 'results'}${count > shownResults ? `, the best ${shownResults} are shown` : ''}.`;
}

function resultElement({ href, title, page, excerpt }: FoundSection, position: number): HTMLElement {
  const link = document.createElement('a');
  Object.assign(link, { id: `site-result-${position}`, href: `${root}${href}`, tabIndex: -1 });
  link.setAttribute('role', 'option');
  const parts = [
    ['strong', title],
    ['span', title === page ? '' : page],
    ['small', excerpt],
  ] as const;
  for (const [tag, text] of parts) {
    if (text === '') continue;
    const part = document.createElement(tag);
    part.textContent = text;
    link.append(part, ' ');
  }
  return link;
}
