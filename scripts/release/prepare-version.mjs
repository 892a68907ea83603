/**
 * Makes a version of what has changed since the last one: npm run release:version. Changesets decide the number; their texts become entries
 * of CHANGELOG.md, which is one for all packages. The changelog of each package, which changesets can write, was rejected: with one
 * version for all, twenty files would say that a dependency was updated.
 *
 * Without a changeset, the entries under "Unreleased" are released with the present version. This is the first release.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { withVersion } from './changelog.mjs';
import { publishedPackages, workspaceVersion } from './workspace.mjs';

const root = process.cwd();
const require = createRequire(import.meta.url);
const { default: getReleasePlan } = require('@changesets/get-release-plan');

const before = workspaceVersion(root);
const { changesets } = await getReleasePlan(root);
const kinds = ['major', 'minor', 'patch'];
const entries = changesets.map(({ summary, releases }) => ({
  summary,
  kind: kinds.find((kind) => releases.some(({ type }) => type === kind)) ?? 'patch',
}));
if (changesets.length > 0) run(process.execPath, [require.resolve('@changesets/cli/bin.js'), 'version']);
const version = workspaceVersion(root);

const changelog = join(root, 'CHANGELOG.md');
const today = new Date().toISOString().slice(0, 10);
writeFileSync(changelog, withVersion(readFileSync(changelog, 'utf8'), version, today, entries));
if (version !== before) {
  for (const { folder } of publishedPackages(root)) replaceConstants(join(root, folder, 'src'));
  run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']);
}
process.stdout.write(
  `Version ${version}. Read the changes, run npm run check, and commit them. After the review, push the tag v${version}.\n`,
);

/** Writes the version into constants such as `packageVersion`. Tests compare them with package.json. */
function replaceConstants(folder) {
  for (const name of readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.ts'))) {
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8');
    const changed = text.replace(/^(export const \w*[vV]ersion = ')([^']+)(';)$/gm, (line, start, value, end) =>
      value === before ? `${start}${version}${end}` : line,
    );
    if (changed !== text) writeFileSync(file, changed);
  }
}

function run(file, args) {
  const { status, error } = spawnSync(file, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32' && file === 'npm',
  });
  if (status === 0) return;
  process.stderr.write(`"${[file, ...args].join(' ')}" ended with ${error?.message ?? status}.\n`);
  process.exit(1);
}
