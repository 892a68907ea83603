import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../support/sources.js';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly repository?: object;
  readonly optionalDependencies?: object;
}
const readJson = <Value>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as Value;
const manifestIn = (folder: string) => readJson<Manifest>(join(folder, 'package.json'));
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A copy of what a release reads and writes: manifests, the lockfile, the changelog and the sources with a version in them. */
function copyOfWorkspace(): string {
  const copy = mkdtempSync(join(tmpdir(), 'tenterhook-release-'));
  folders.push(copy);
  const workspaces = ['packages', 'examples'].flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)));
  const manifests = ['', 'bench', 'site', 'scripts/reference', 'soak', ...workspaces].map((folder) => join(folder, 'package.json'));
  const files = [
    ...manifests,
    'package-lock.json',
    '.npmrc',
    'CHANGELOG.md',
    '.changeset/config.json',
    '.changeset/README.md',
    'packages/otel/src/providers.ts',
  ];
  for (const file of files.filter((one) => existsSync(join(root, one)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  for (const name of readdirSync(join(root, 'packages'))) mkdirSync(join(copy, 'packages', name, 'src'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

function runScript(copy: string, script: string, ...args: string[]) {
  const env = { ...process.env, npm_config_offline: 'true' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/release', script), ...args], {
    cwd: copy,
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr };
}

test('pending changesets can be read, and name packages that exist', async () => {
  const { default: getReleasePlan } = createRequire(import.meta.url)('@changesets/get-release-plan') as {
    default: (folder: string) => Promise<{ releases: readonly { name: string; newVersion: string }[] }>;
  };
  const { releases } = await getReleasePlan(root);
  expect(new Set(releases.map(({ newVersion }) => newVersion)).size).toBeLessThanOrEqual(1);
});

test('one changeset gives all packages one new version, the dependencies between them, the changelog and the lockfile', () => {
  const copy = copyOfWorkspace();
  const before = manifestIn(join(copy, 'packages/tenterhook')).version;
  const [major, minor] = before.split('.').map(Number);
  const next = `${major}.${(minor as number) + 1}.0`;
  writeFileSync(
    join(copy, '.changeset/blue-fox.md'),
    '---\n"@tenterhook/bus": minor\n---\n\nThe bus has wings.\n\n### Fixed\n\n- It no longer lands.\n',
  );
  expect(runScript(copy, 'prepare-version.mjs')).toMatchObject({ status: 0, stdout: expect.stringContaining(`Version ${next}.`) });

  const names = readdirSync(join(copy, 'packages'));
  expect(names.map((name) => manifestIn(join(copy, 'packages', name)).version)).toEqual(names.map(() => next));
  expect(readFileSync(join(copy, 'packages/tenterhook/package.json'), 'utf8')).not.toContain(`"${before}"`);
  expect(manifestIn(join(copy, 'bench')).version).toBe(next);
  expect(readFileSync(join(copy, 'packages/otel/src/providers.ts'), 'utf8')).toContain(`packageVersion = '${next}'`);
  const locked = readJson<{ packages: Record<string, Manifest> }>(join(copy, 'package-lock.json'));
  expect(locked.packages['packages/bus']?.version).toBe(next);
  const changelog = readFileSync(join(copy, 'CHANGELOG.md'), 'utf8');
  expect(changelog).toMatch(new RegExp(`## \\[Unreleased\\]\n\n## \\[${next.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d\n`));
  expect(changelog).toMatch(/### Added\n[\s\S]*- The bus has wings\.\n[\s\S]*### Fixed\n[\s\S]*- It no longer lands\.\n/);
  expect(existsSync(join(copy, '.changeset/blue-fox.md'))).toBe(false);

  expect(runScript(copy, 'check-release.mjs', `v${next}`)).toEqual({ status: 0, stdout: `Version ${next} can be released.\n`, stderr: '' });
  expect(runScript(copy, 'check-release.mjs', `v${before}`)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`Push the tag v${next}.`),
  });
});

test('the first release has the present version, and nothing can be released twice', () => {
  const copy = copyOfWorkspace();
  for (const name of readdirSync(join(copy, '.changeset')).filter((file) => file.endsWith('.md'))) rmSync(join(copy, '.changeset', name));
  const { version } = manifestIn(join(copy, 'packages/tenterhook'));
  writeFileSync(join(copy, 'CHANGELOG.md'), '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Everything.\n');
  expect(runScript(copy, 'prepare-version.mjs').status).toBe(0);
  expect(readFileSync(join(copy, 'CHANGELOG.md'), 'utf8').replace(/\d{4}-\d\d-\d\d/, 'today')).toBe(
    `# Changelog\n\n## [Unreleased]\n\n## [${version}] - today\n\n### Added\n\n- Everything.\n`,
  );
  expect(runScript(copy, 'prepare-version.mjs')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`has version ${version} already`),
  });
});

test('a tag with a pending changeset is not released', () => {
  const copy = copyOfWorkspace();
  writeFileSync(join(copy, '.changeset/red-fox.md'), '---\n"tenterhook": patch\n---\n\nA correction.\n');
  const { version } = manifestIn(join(copy, 'packages/tenterhook'));
  expect(runScript(copy, 'check-release.mjs', `v${version}`)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Changesets are pending: red-fox.md.'),
  });
});

test('the address of the repository is written into each package, with its folder', () => {
  const copy = copyOfWorkspace();
  expect(runScript(copy, 'name-repository.mjs', 'https://host.example/a/b', 'packages')).toMatchObject({ status: 0 });
  expect(manifestIn(join(copy, 'packages/bus')).repository).toEqual({
    type: 'git',
    url: 'git+https://host.example/a/b.git',
    directory: 'packages/bus',
  });
});
