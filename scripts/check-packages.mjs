/**
 * publint and attw on every package as it would be published, and what its tarball holds; then all of them installed together and used
 * from ES modules, from CommonJS and as a command. ESM only is meant (CONTRIBUTING says why), so attw is asked about that.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const bin = (name) => join(root, 'node_modules', '.bin', name);
const packed = mkdtempSync(join(tmpdir(), 'tenterhook-pack-'));
const tarballs = [];
let failures = 0;
try {
  for (const name of readdirSync(join(root, 'packages'))) {
    const folder = join(root, 'packages', name);
    run(name, bin('publint'), ['run', folder, '--strict'], folder);
    const tarball = run(name, 'npm', ['pack', '--silent', '--pack-destination', packed], folder).trim().split('\n').at(-1);
    tarballs.push(join(packed, tarball ?? ''));
    checkContents(name, folder, join(packed, tarball ?? ''));
    checkDeclarations(name, folder);
    run(name, bin('attw'), [join(packed, tarball ?? ''), '--profile', 'esm-only', '--format', 'ascii', '--no-emoji'], folder);
  }
  writeFileSync(join(packed, 'package.json'), '{ "private": true }');
  run('all packages', 'npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...tarballs], packed);
  const use = `createHooks({ settings: {} }).then((hooks) => hooks.dispose())`;
  run('as an ES module', 'node', ['--input-type=module', '-e', `import { createHooks } from 'tenterhook'; await ${use}`], packed);
  run('from CommonJS', 'node', ['-e', `const { createHooks } = require('tenterhook'); ${use}`], packed);
  run('as a command', join(packed, 'node_modules', '.bin', 'tenterhook'), ['--version'], packed);
} finally {
  rmSync(packed, { recursive: true, force: true });
}
process.stdout.write(
  failures === 0 ? 'All packages pass publint and attw, and work once they are installed.\n' : `${failures} package checks failed.\n`,
);
process.exitCode = failures === 0 ? 0 : 1;

/** A declaration that names a package which is not installed makes its types `any` without an error. */
function checkDeclarations(name, folder) {
  const { name: self, dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const named = readdirSync(join(folder, 'dist'), { recursive: true })
    .filter((file) => file.endsWith('.d.ts'))
    .flatMap((file) => [
      ...readFileSync(join(folder, 'dist', file), 'utf8').matchAll(/(?:from |import\()["']((?:@[^/"']+\/)?[^./"'][^/"']*)/g),
    ])
    .map(([, found]) => found);
  const unknown = [...new Set(named)].filter((found) => !found.startsWith('node:') && found !== self && dependencies[found] === undefined);
  if (unknown.length === 0) return;
  failures += 1;
  process.stdout.write(`${name}: its declarations name ${unknown.join(', ')}, which it does not depend on\n`);
}

/** npm leaves out without a word what "files" names and is not there: a package that was not built is packed all the same. */
function checkContents(name, folder, tarball) {
  const { files, exports: entryPoints, scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const promised = [
    'README.md',
    'LICENSE',
    ...(scripts.build.includes('bundle') ? ['dist/THIRD-PARTY.txt'] : []),
    ...Object.values(entryPoints).flatMap((entry) => (entry.default === undefined ? [] : [entry.types.slice(2), entry.default.slice(2)])),
    ...['schema/', 'bin/'].filter((part) => files.includes(part.slice(0, -1))),
  ];
  // Entries begin with "package/". A folder is there when a file in it is.
  const entries = run(name, 'tar', ['-tzf', tarball], folder)
    .split('\n')
    .map((entry) => entry.replace(/^package\//, ''));
  const missing = promised.filter(
    (part) => !entries.some((entry) => (part.endsWith('/') ? entry.startsWith(part) && entry !== part : entry === part)),
  );
  if (missing.length === 0) return;
  failures += 1;
  process.stdout.write(`${name}: the package lacks ${missing.join(', ')}\n`);
}

function run(name, file, args, cwd) {
  const result = spawnSync(file, args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
  if (result.status !== 0) {
    failures += 1;
    process.stdout.write(`${name}: ${file} ${args.join(' ')}\n${result.stdout}${result.stderr}\n`);
  }
  return result.stdout ?? '';
}
