import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { kindOf, type PlaceKind } from './address.js';

/** The root of the repository. The compiled file is in site/dist. */
export const root = resolve(import.meta.dirname, '../..');

/** The pages from which the site begins. Pages to which these link are on the site, too. */
export function firstPages(): string[] {
  const own = readdirSync(root).filter((name) => name.endsWith('.md'));
  const ofFolders = ['packages', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => posix.join(folder, name, 'README.md')),
  );
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => posix.join('docs', file.replaceAll('\\', '/')));
  return [...own, ...docs, ...ofFolders].filter((file) => existsSync(join(root, file))).sort();
}

export function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Returns the names in a folder; those of folders end in `/`. */
export function namesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort();
}

export interface Target {
  readonly file: string;
  readonly kind: PlaceKind;
}

/**
 * Returns what a relative link of a page leads to: a folder with a README is that page. Undefined if there is no such file, or if it is
 * outside of the repository.
 */
export function targetOf(page: string, path: string): Target | undefined {
  const file = posix.normalize(posix.join(posix.dirname(page), decodeURIComponent(path))).replace(/\/$/, '');
  if (file === '..' || file.startsWith('../')) return undefined;
  const found = statSync(join(root, file), { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const readme = posix.join(file, 'README.md');
  if (found.isDirectory() && existsSync(join(root, readme))) return { file: readme, kind: 'page' };
  return { file, kind: kindOf(file, found.isDirectory()) };
}
