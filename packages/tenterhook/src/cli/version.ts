import { readFileSync } from 'node:fs';

/** The version of this package. Its package.json is two folders above this file, in the sources and in the build. */
export const version: string = (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string })
  .version;
