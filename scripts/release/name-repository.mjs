/**
 * Writes the address of the repository into each package, before it is published. The registry accepts provenance only if this address is
 * that of the repository whose workflow publishes. The address is not committed, so that a copy of this repository does not name another one.
 *
 * node scripts/release/name-repository.mjs <address> <folder>…   The folders contain folders of packages.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, writeJson } from './workspace.mjs';

const [address = '', ...parents] = process.argv.slice(2);
if (!URL.canParse(address) || parents.length === 0) {
  process.stderr.write(`"${address}" must be the address of the repository, and folders must follow it.\n`);
  process.exit(64);
}
const url = `git+${address.replace(/(\.git)?\/?$/, '')}.git`;
for (const parent of parents) {
  for (const name of readdirSync(parent)) {
    const file = join(parent, name, 'package.json');
    if (!existsSync(file)) continue;
    // The packages with a compiled program have no folder in the repository.
    const directory = parent === 'packages' ? { directory: `packages/${name}` } : {};
    writeJson(file, { ...readJson(file), repository: { type: 'git', url, ...directory } });
  }
}
