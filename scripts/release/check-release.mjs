/** Checks that a tag may be released: node scripts/release/check-release.mjs v1.2.3 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pendingChangesets, workspaceVersion } from './workspace.mjs';

const root = process.cwd();
const tag = process.argv[2] ?? '';
const version = workspaceVersion(root);
const pending = pendingChangesets(root);
const problems = [
  [tag === `v${version}`, `The tag is "${tag}", and the packages have version ${version}. Push the tag v${version}.`],
  [pending.length === 0, `Changesets are pending: ${pending.join(', ')}. Run npm run release:version, and commit what it changes.`],
  [
    readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## [${version}] - `),
    `CHANGELOG.md has no section of version ${version}. Run npm run release:version.`,
  ],
].flatMap(([holds, problem]) => (holds ? [] : [problem]));
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length === 0) process.stdout.write(`Version ${version} can be released.\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
