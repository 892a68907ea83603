import { join } from 'node:path';
import type { Collector } from '../files/collector.js';

/**
 * The endings that Node tries, in this order, and those that TypeScript adds. A name that is tried before the existing file is recorded
 * as missing, because a new file with this name would be loaded instead.
 */
const endings = ['', '.js', '.json', '.node', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx'];
const triedByNode = 4;

/**
 * Finds the file of an import, and calls `onModule` with its path. `path` is the absolute path as it is imported. Also records the missing
 * names that Node would try first.
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
  // For `import './x.js'`, loaders of TypeScript read ./x.ts.
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
