import { join } from 'node:path';
import type { Collector } from './collector.js';

/** What Node tries in this order, and what TypeScript adds. A missing name counts up to the file that is found. */
const endings = ['', '.js', '.json', '.node', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx'];
const triedByNode = 4;

/**
 * Finds the file of an import, of which `path` is the absolute path as it is imported, and adds the names that would come before it and are
 * not there. Calls back with the path of the file.
 */
export function findJavaScriptImport(path: string, to: Collector, onModule: (path: string) => void): void {
  if (to.project.relative(path) === undefined) {
    const place = to.locate(path);
    if (place !== undefined) to.addFile(place, false);
    return;
  }
  for (const [order, ending] of endings.entries()) {
    const place = to.locate(path + ending);
    if (place === undefined) return;
    if (place.stats?.isFile()) {
      onModule(path + ending);
      return;
    }
    if (place.stats === undefined && order < triedByNode) to.addMissing(place);
    if (place.stats?.isDirectory()) to.addLinks(place);
  }
  // TypeScript's loaders take ./x.ts for ./x.js.
  const typed = path.replace(/\.([mc]?)js$/, '.$1ts');
  if (typed !== path) onModule(typed);
  if (!to.project.isFolder(path)) return;
  const manifest = to.locate(join(path, 'package.json'));
  if (manifest?.stats !== undefined) to.addFile(manifest, false);
  else if (manifest !== undefined) to.addMissing(manifest);
  to.openFor(`The folder ${JSON.stringify(to.project.relative(path))} is imported. It is unknown which of its files is loaded first.`);
  to.addFolder(path);
  findJavaScriptImport(join(path, 'index'), to, onModule);
}
