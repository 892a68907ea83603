import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/** A transformer of jest, which takes it from the default export. Leaves a built file as it is and gives jest its source map, so that a stack trace names lines of the sources. */
const builtFile = {
  process: (code, file) => ({ code, map: readMap(file) }),
  // A change of comments alone changes the map and not the code.
  getCacheKey: (code, file) =>
    createHash('sha1')
      .update(code)
      .update(readMap(file) ?? '')
      .digest('hex'),
};

function readMap(file) {
  return existsSync(`${file}.map`) ? readFileSync(`${file}.map`, 'utf8') : undefined;
}

export { builtFile as default };
