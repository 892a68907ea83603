import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A file of the page. */
export interface Asset {
  readonly bytes: Buffer;
  readonly type: string;
}

/** Paths of requests with the files that the build has made for them. */
const files: readonly (readonly [path: string, file: string, type: string])[] = [
  ['/', 'index.html', 'text/html; charset=utf-8'],
  ['/app.js', 'app.js', 'text/javascript; charset=utf-8'],
  ['/app.css', 'app.css', 'text/css; charset=utf-8'],
  ['/icon.svg', 'icon.svg', 'image/svg+xml'],
];

/**
 * Reads the page into memory, before there is a request. A map from paths to bytes answers all requests, so that no path of a request
 * reaches the file system. The package is looked up by name, because the command is a bundle in another package.
 */
export function loadAssets(): ReadonlyMap<string, Asset> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@tenterhook/inspector/package.json')), 'dist', 'page');
  return new Map(files.map(([path, file, type]) => [path, { bytes: readFileSync(join(folder, file)), type }]));
}
