import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/**
 * A transformer for jest, which requires a default export. Does not change a built file, but passes its source map to jest, so that a stack
 * trace shows lines of the sources.
 */
const builtFile = {
  process: (code, file) => ({ code, map: readMap(file) }),
  // The map is part of the key, because a change of comments changes the map and not the code.
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
