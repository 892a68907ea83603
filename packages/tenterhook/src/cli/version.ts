import { readFileSync } from 'node:fs';

/** The version of this package. package.json is two folders above this file, both in the sources and in the build. */
export const version: string = (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string })
  .version;
