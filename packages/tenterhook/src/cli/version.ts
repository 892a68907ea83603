import { readFileSync } from 'node:fs';

/** The version of this package. Its package.json is two folders up, from the source and from what is built of it. */
export const version: string = (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string })
  .version;
