import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Returns the path of the compiled client for this machine: that of an installed package for this system, or the one that was compiled with
 * this package. Undefined if there is none.
 */
export function clientProgram(): string | undefined {
  const { resolve } = createRequire(import.meta.url);
  const candidates = [
    [`@tenterhook/relay-client-${process.platform}-${process.arch}`, 'tenterhook-hook'],
    ['@tenterhook/relay-client', 'dist/tenterhook-hook'],
  ] as const;
  return candidates
    .flatMap(([name, file]) => {
      try {
        return [join(dirname(resolve(`${name}/package.json`)), file)];
      } catch {
        // The package is not installed.
        return [];
      }
    })
    .find(existsSync);
}
