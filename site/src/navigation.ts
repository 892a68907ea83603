import { posix } from 'node:path';
import { linksOf } from './markdown.js';

/** An entry of the list of pages: a page, or a folder with the pages in it. */
export interface NavigationEntry {
  readonly title: string;
  /** The page itself. A folder without a README has none. */
  readonly page?: string;
  readonly children: readonly string[];
}

export interface NavigationGroup {
  readonly title: string;
  readonly entries: readonly NavigationEntry[];
}

const index = 'docs/README.md';

/**
 * Orders the pages. The order is that of `docs/README.md`, which links to every page: its headings are the groups, and a folder of `docs/`
 * is an entry with its pages below it. So a page that is added there needs no second list. Packages, examples and what is left follow.
 */
export function navigationOf(pages: ReadonlyMap<string, { readonly title: string; readonly text: string }>): NavigationGroup[] {
  const left = new Set(pages.keys());
  const titleOf = (page: string) => pages.get(page)?.title ?? page;
  const take = (page: string) => left.delete(page);
  // What the index lists before its first heading is for every reader.
  const groups = new Map([['', pagesAsEntries(['README.md', index].filter(take), titleOf)]]);
  const listed = linksOf(pages.get(index)?.text ?? '')
    .map(({ heading, href }) => ({ heading, page: posix.normalize(posix.join('docs', href.split('#', 1)[0] ?? '')) }))
    .filter(({ page }) => pages.has(page));
  for (const { heading, page } of listed) {
    if (!left.has(page)) continue;
    const group = groups.get(heading) ?? [];
    groups.set(heading, group);
    const folder = posix.dirname(page);
    // Pages of one folder are one entry if they have an index or are several: a single page in a folder is an entry like others.
    const inFolder = listed.filter((other) => posix.dirname(other.page) === folder).map((other) => other.page);
    if (!folder.startsWith('docs/') || new Set(inFolder).size < 2) {
      take(page);
      group.push({ title: titleOf(page), page, children: [] });
    } else {
      group.push(folderEntry(folder, inFolder.filter(take), titleOf));
    }
  }

  const inFolders = (folder: string) => [...left].filter((page) => page.startsWith(`${folder}/`) && take(page));
  const packages = inFolders('packages').sort((a, b) => Number(b.includes('/tenterhook/')) - Number(a.includes('/tenterhook/')));
  const examples = inFolders('examples');
  return [
    ...[...groups].map(([title, entries]) => ({ title: title === '' ? 'Start' : title, entries })),
    { title: 'Packages', entries: pagesAsEntries(packages, titleOf) },
    { title: 'Examples', entries: pagesAsEntries(examples, titleOf) },
    { title: 'The repository', entries: pagesAsEntries([...left].sort(), titleOf) },
  ].filter(({ entries }) => entries.length > 0);
}

/** Returns the pages in the order in which a reader goes through them. */
export function readingOrder(groups: readonly NavigationGroup[]): string[] {
  return groups.flatMap(({ entries }) => entries.flatMap(({ page, children }) => [...(page === undefined ? [] : [page]), ...children]));
}

function pagesAsEntries(pages: readonly string[], titleOf: (page: string) => string): NavigationEntry[] {
  return pages.map((page) => ({ title: titleOf(page), page, children: [] }));
}

function folderEntry(folder: string, pages: readonly string[], titleOf: (page: string) => string): NavigationEntry {
  const readme = posix.join(folder, 'README.md');
  const children = pages.filter((page) => page !== readme);
  if (pages.includes(readme)) return { title: titleOf(readme), page: readme, children };
  const name = posix.basename(folder).replaceAll('-', ' ');
  return { title: `${name.charAt(0).toUpperCase()}${name.slice(1)}`, children };
}
