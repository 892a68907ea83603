import { createRequire } from 'node:module';

/** The version of this package, from its own package.json. */
export const version: string = (createRequire(import.meta.url)('../package.json') as { version: string }).version;
