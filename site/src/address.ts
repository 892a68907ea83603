import { posix } from 'node:path';

/** What a file of the repository is on the site. */
export type PlaceKind = 'page' | 'source' | 'folder' | 'image';

const images = /\.(?:svg|png|jpe?g|gif|webp)$/;

export function kindOf(file: string, isFolder: boolean): PlaceKind {
  if (isFolder) return 'folder';
  if (file.endsWith('.md')) return 'page';
  return images.test(file) ? 'image' : 'source';
}

/**
 * Returns where a file or folder of the repository is on the site. The site has the same folders as the repository, so a relative link of a
 * page is a relative link of the site. Addresses end in `.html`, because not every server of static files adds this ending.
 */
export function addressOf(file: string, kind: PlaceKind): string {
  switch (kind) {
    case 'image':
      return file;
    case 'folder':
      return posix.join(file, 'index.html');
    case 'source':
      return `${file}.html`;
    case 'page':
      return file.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html');
  }
}

/** Returns the link from one address of the site to another. Links are relative, so the site works below any path of a server. */
export function linkBetween(from: string, to: string, anchor = ''): string {
  if (from === to && anchor !== '') return `#${anchor}`;
  const path = posix.relative(posix.dirname(from), to) || posix.basename(to);
  return anchor === '' ? path : `${path}#${anchor}`;
}
