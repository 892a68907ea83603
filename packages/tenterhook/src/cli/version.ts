import { createRequire } from 'node:module';

/** The version of this package. It is read by the name of the package, because this file is in one place as source and in another one when built. */
export const version: string = (createRequire(import.meta.url)('tenterhook/package.json') as { version: string }).version;
