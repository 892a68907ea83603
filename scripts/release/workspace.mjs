/** What a release reads of the workspace. It has no dependencies, because a part of it runs before any are installed. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The manifests of the packages that are published, each with its folder relative to the root. */
export function publishedPackages(root) {
  return readdirSync(join(root, 'packages')).map((name) => {
    const folder = join('packages', name);
    return { folder, manifest: readJson(join(root, folder, 'package.json')) };
  });
}

/** The one version of all packages. */
export function workspaceVersion(root) {
  const versions = new Set(publishedPackages(root).map(({ manifest }) => manifest.version));
  if (versions.size !== 1)
    throw new Error(`The packages have different versions: ${[...versions].join(', ')}. Run npm run release:version.`);
  return [...versions][0];
}

/** The changesets that are not part of a version yet. */
export function pendingChangesets(root) {
  return readdirSync(join(root, '.changeset')).filter((name) => name.endsWith('.md') && name !== 'README.md');
}

export function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

export function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
