/**
 * Runs publint and attw on every package as it would be published, and checks the content of its tarball. Then installs all of them
 * together and uses them from ES modules, from CommonJS and as a command. The packages are deliberately ESM only (see CONTRIBUTING), so
 * attw uses that profile.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const root = join(import.meta.dirname, '..');
const bin = (name) => join(root, 'node_modules', '.bin', name);
const packed = mkdtempSync(join(tmpdir(), 'tenterhook-pack-'));
const tarballs = [];
let failures = 0;
try {
  const names = readdirSync(join(root, 'packages'));
  // attw takes seconds for each package, so several are checked at a time, one for each processor.
  const checkNext = async () => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) await checkPackage(name);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, checkNext));
  writeFileSync(join(packed, 'package.json'), '{ "private": true }');
  await run('all packages', 'npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...tarballs], packed);
  const use = `createHooks({ settings: {} }).then((hooks) => hooks.dispose())`;
  await run('as an ES module', 'node', ['--input-type=module', '-e', `import { createHooks } from 'tenterhook'; await ${use}`], packed);
  const subpaths = `import { createAgent } from 'tenterhook/agent'; import { HookEngine } from 'tenterhook/handlers'; void [createAgent, HookEngine]`;
  await run('its subpaths', 'node', ['--input-type=module', '-e', subpaths], packed);
  await run('from CommonJS', 'node', ['-e', `const { createHooks } = require('tenterhook'); ${use}`], packed);
  // Checks that an agent can be bundled into one file, because agents are often published that way.
  writeFileSync(join(packed, 'agent.mjs'), `import { createHooks } from 'tenterhook'; ${use}`);
  await run(
    'bundled',
    bin('esbuild'),
    ['agent.mjs', '--bundle', '--platform=node', '--outfile=bundled/agent.cjs', '--log-level=error'],
    packed,
  );
  renameSync(join(packed, 'node_modules'), join(packed, 'not-there'));
  await run('as part of a bundle', 'node', ['bundled/agent.cjs'], packed);
  renameSync(join(packed, 'not-there'), join(packed, 'node_modules'));
  await run('as a command', join(packed, 'node_modules', '.bin', 'tenterhook'), ['--version'], packed);
} finally {
  rmSync(packed, { recursive: true, force: true });
}
process.stdout.write(
  failures === 0 ? 'All packages pass publint and attw, and work once they are installed.\n' : `${failures} package checks failed.\n`,
);
process.exitCode = failures === 0 ? 0 : 1;

async function checkPackage(name) {
  const folder = join(root, 'packages', name);
  await run(name, bin('publint'), ['run', folder, '--strict'], folder);
  const printed = await run(name, 'npm', ['pack', '--silent', '--pack-destination', packed], folder);
  const tarball = join(packed, printed.trim().split('\n').at(-1) ?? '');
  tarballs.push(tarball);
  await checkContents(name, folder, tarball);
  checkDeclarations(name, folder);
  // Entries for bundles are excluded: only packages of this repository load them, and they have no types.
  const bundles = ['--exclude-entrypoints', './bundle', './internal/bundle'];
  await run(name, bin('attw'), [tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji', ...bundles], folder);
}

/** Checks that declarations name only packages that are installed. Otherwise their types would become `any` without an error. */
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

/**
 * Checks that the tarball contains everything that "files" lists. npm silently leaves out what does not exist, so it also packs a package
 * that was not built.
 */
async function checkContents(name, folder, tarball) {
  const { files, exports: entryPoints, scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const promised = [
    'README.md',
    'LICENSE',
    ...(scripts.build.includes('bundle') ? ['dist/THIRD-PARTY.txt'] : []),
    ...Object.values(entryPoints).flatMap((entry) => (entry.default === undefined ? [] : [entry.types.slice(2), entry.default.slice(2)])),
    ...['schema/', 'bin/'].filter((part) => files.includes(part.slice(0, -1))),
  ];
  // Entries begin with "package/". A folder exists if it contains a file.
  const listed = await run(name, 'tar', ['-tzf', tarball], folder);
  const entries = listed.split('\n').map((entry) => entry.replace(/^package\//, ''));
  const missing = promised.filter(
    (part) => !entries.some((entry) => (part.endsWith('/') ? entry.startsWith(part) && entry !== part : entry === part)),
  );
  if (missing.length === 0) return;
  failures += 1;
  process.stdout.write(`${name}: the package lacks ${missing.join(', ')}\n`);
}

/** Runs a program and resolves to its output. A failure is counted and shown, and the checks continue. */
async function run(name, file, args, cwd) {
  const child = spawn(file, args, { cwd, shell: process.platform === 'win32', stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  const [stdout, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (end !== 0) {
    failures += 1;
    process.stdout.write(`${name}: ${file} ${args.join(' ')} ended with ${end}\n${stdout}${stderr}\n`);
  }
  return stdout;
}
