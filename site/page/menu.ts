import { element } from './elements.js';

/** On a narrow window, the list of pages is behind a button. Without this script it is always shown. */
export function startMenu(): void {
  const button = element<HTMLButtonElement>('button.menu');
  const pages = element('#site-pages');
  document.documentElement.classList.add('scripted');
  button.hidden = false;
  const setOpen = (open: boolean) => {
    button.setAttribute('aria-expanded', String(open));
    pages.classList.toggle('open', open);
  };
  button.addEventListener('click', () => setOpen(button.getAttribute('aria-expanded') !== 'true'));
  pages.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || button.getAttribute('aria-expanded') !== 'true') return;
    setOpen(false);
    button.focus();
  });
  const contents = document.querySelector<HTMLDetailsElement>('.contents');
  if (contents !== null) contents.open = matchMedia('(min-width: 80rem)').matches;
  // The list scrolls by itself, and the current page may be far below. scrollIntoView() would scroll the whole page.
  const current = pages.querySelector<HTMLElement>('[aria-current]');
  if (current !== null) pages.scrollTop = current.offsetTop - pages.offsetTop - pages.clientHeight / 3;
}
