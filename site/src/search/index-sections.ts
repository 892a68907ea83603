import MiniSearch from 'minisearch';
import type { Section } from '../markdown.js';
import { type IndexedSection, indexOptions } from './options.js';

const excerptLength = 140;

/**
 * Returns the search index as JSON. It is made when the site is built, because a browser would take a second to make it.
 * Pagefind was rejected: its index is read by WebAssembly, which the policy of the site does not allow, and its builder is a binary of
 * each platform.
 */
export function searchIndexOf(pages: readonly { readonly address: string; readonly sections: readonly Section[] }[]): string {
  const index = new MiniSearch<IndexedSection>(indexOptions);
  const sections = pages.flatMap(({ address, sections: [first, ...others] }) => {
    if (first === undefined) return [];
    const page = first.title;
    return [first, ...others].map(({ anchor, level, title, text }) => ({
      href: level === 1 ? address : `${address}#${anchor}`,
      title,
      page,
      text,
      excerpt: text.length > excerptLength ? `${text.slice(0, text.lastIndexOf(' ', excerptLength))} …` : text,
    }));
  });
  index.addAll(sections.map((section, id) => ({ id, ...section })));
  return JSON.stringify(index);
}
