import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/sources.js';

interface Sizes {
  readonly packed: number;
  readonly unpacked: number;
  readonly import: number;
}
const { completeManifest, manifestProblems } = (await import('../../scripts/packages/manifest.mjs' as string)) as Record<
  'completeManifest' | 'manifestProblems',
  (root: string, folder: string) => string[]
>;
const { sizeProblems } = (await import('../../scripts/packages/sizes.mjs' as string)) as {
  sizeProblems: (name: string, sizes: Sizes) => string[];
};

test.each(readdirSync(join(root, 'packages')))('%s has what a published package needs', (name) => {
  expect(manifestProblems(root, join(root, 'packages', name))).toEqual([]);
});

test('what is not a package is private: nothing of it can be published by mistake', () => {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
  const folders = workspaces.flatMap((pattern) => {
    if (pattern === 'packages/*') return [];
    return pattern.endsWith('/*')
      ? readdirSync(join(root, pattern.slice(0, -2))).map((name) => join(pattern.slice(0, -2), name))
      : [pattern];
  });
  const manifests = ['.', ...folders, 'bench/peers', 'newer-otel', 'real-agents'].flatMap((folder) => {
    try {
      return [
        { folder, isPrivate: (JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { private?: boolean }).private },
      ];
    } catch {
      // An example without programs has no package.json.
      return [];
    }
  });
  expect(manifests.length).toBeGreaterThan(8);
  expect(manifests.filter(({ isPrivate }) => isPrivate !== true)).toEqual([]);
});

test('a new package lacks what it lacks, and --fix adds what is the same in every package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenterhook-package-'));
  try {
    cpSync(join(root, 'packages/bus/README.md'), join(folder, 'README.md'));
    const manifest = { name: '@tenterhook/bus', version: '0.1.0', description: 'A package that was just written', files: ['dist'] };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, repository: 'x' }));
    expect(manifestProblems(root, folder).map((problem) => problem.replace(/^.*package\.json: /, ''))).toEqual([
      expect.stringContaining('"keywords" must be'),
      '"license" must be "Apache-2.0"',
      '"engines.node" must be ">=20.19", as in the workspace',
      '"publishConfig" must be {"access":"public","provenance":true}',
      expect.stringContaining('"repository" must be missing'),
      'its LICENSE must be a copy of the one of the workspace',
    ]);
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    completeManifest(root, folder);
    expect(manifestProblems(root, folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a package above its budget is reported with the size, the budget and the way to raise it', () => {
  expect(sizeProblems('@tenterhook/otel', { packed: 1, unpacked: 1, import: 1 })).toEqual([]);
  const [problem, ...others] = sizeProblems('@tenterhook/otel', { packed: 1, unpacked: 9_999.5, import: 1 });
  expect(others).toEqual([]);
  expect(problem).toMatch(/^"unpacked", the files in it, is 9999\.5 kB\. The budget is \d+ kB\. .*--write-budgets/);
});

test('a package without a budget of its own has the one of all others', () => {
  expect(sizeProblems('@tenterhook/new', { packed: 10, unpacked: 10, import: 10 })).toEqual([]);
  expect(sizeProblems('@tenterhook/new', { packed: 10, unpacked: 10, import: 9_999 })).toHaveLength(1);
});
