import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Returns the path of a file of this package, whose folder is two folders above this file, both in the sources and in the build. */
export function ownFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** Returns the path of the command's script. `process.argv[1]` is another file if a program of the user loads the command. */
export function ownScript(): string {
  return ownFile('bin/tenterhook.js');
}

/** The version of this package. */
export const version: string = (JSON.parse(readFileSync(ownFile('package.json'), 'utf8')) as { version: string }).version;
