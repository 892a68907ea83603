/**
 * Runs publint and attw on every package as it would be published, and checks its manifest and the content of its tarball. Then it
 * installs all packages together, uses them from ES modules, from CommonJS and as a command, and compares their sizes with their budgets.
 * The packages are deliberately ESM only (see CONTRIBUTING), so of attw's results only those for ES modules and bundlers count.
 *
 * --fix            adds to each manifest what is the same in every package, before the checks
 * --write-budgets  writes new budgets in place of comparing sizes with them
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { checkPackage as checkTypes, createPackageFromTarballData } from '@arethetypeswrong/core';
import { problemAffectsResolutionKind, problemKindInfo } from '@arethetypeswrong/core/problems';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { completeManifest, manifestProblems, readManifest } from './packages/manifest.mjs';
import { packPackages } from './packages/pack.mjs';
import { importSize, sizeMeanings, sizeProblems, toKb, writeBudgets } from './packages/sizes.mjs';

const root = join(import.meta.dirname, '..');
const bin = (name) => join(root, 'node_modules', '.bin', name);
const packed = mkdtempSync(join(tmpdir(), 'tenterhook-pack-'));
let failures = 0;
try {
  const folders = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
  if (process.argv.includes('--fix')) for (const folder of folders) completeManifest(root, join(root, folder));
  for (const folder of folders) for (const problem of manifestProblems(root, join(root, folder))) fail('manifest', problem);
  const packages = await packPackages(packed);
  const tarballs = new Map(packages.map(({ name, filename }) => [name, join(packed, filename)]));
  for (const folder of folders) await checkPackage(join(root, folder), tarballs);
  writeFileSync(join(packed, 'package.json'), '{ "private": true }');
  const install = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...tarballs.values()];
  await run('all packages', 'npm', install, packed);
  await checkSizes(packages);
  for (const name of tarballs.keys()) checkPaths(name);
  const use = `createHooks({ settings: {} }).then((hooks) => hooks.dispose())`;
  await run('as an ES module', 'node', ['--input-type=module', '-e', `import { createHooks } from 'tenterhook'; await ${use}`], packed);
  const subpaths = `import { createAgent } from 'tenterhook/agent'; import { HookEngine } from 'tenterhook/handlers'; void [createAgent, HookEngine]`;
  // `ai` is an optional peer, and no package of it is installed here.
  const adapter = `import { withHooks } from '@tenterhook/ai-sdk'; void withHooks`;
  await run('an adapter without its framework', 'node', ['--input-type=module', '-e', adapter], packed);
  // Its peers are not optional, so npm has installed LangChain.
  const middleware = `import { hooksMiddleware } from '@tenterhook/langchain'; void hooksMiddleware`;
  await run('an adapter with its framework', 'node', ['--input-type=module', '-e', middleware], packed);
  // npm has installed its peer, the OpenAI Agents SDK, too.
  const agents = `import { hookAgent, runWithHooks } from '@tenterhook/openai-agents'; void [hookAgent, runWithHooks]`;
  await run('an adapter with its framework', 'node', ['--input-type=module', '-e', agents], packed);
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
  for (const command of ['tenterhook', 'tenterhook-mcp']) {
    await run(`${command} as a command`, join(packed, 'node_modules', '.bin', command), ['--version'], packed);
  }
} finally {
  rmSync(packed, { recursive: true, force: true });
}
process.stdout.write(
  failures === 0 ? 'All packages pass publint and attw, and work once they are installed.\n' : `${failures} package checks failed.\n`,
);
process.exitCode = failures === 0 ? 0 : 1;

/** Compares the size of each package with its budget. */
async function checkSizes(packages) {
  const sizes = new Map();
  for (const { name, size, unpackedSize } of packages) {
    const imported = await importSize(packed, name).catch((error) => fail(name, error.message));
    sizes.set(name, { packed: toKb(size), unpacked: toKb(unpackedSize), import: imported ?? 0 });
  }
  if (process.argv.includes('--write-budgets')) return writeBudgets(sizes);
  for (const [name, ofPackage] of sizes) for (const problem of sizeProblems(name, ofPackage)) fail(name, problem);
  const lines = [...sizes].map(
    ([name, of]) =>
      `${name.padEnd(32)}${Object.keys(sizeMeanings)
        .map((kind) => `${of[kind]}`.padStart(10))
        .join('')}`,
  );
  process.stdout.write(
    `${'kB'.padEnd(32)}${Object.keys(sizeMeanings)
      .map((kind) => kind.padStart(10))
      .join('')}\n${lines.join('\n')}\n`,
  );
}

/** Checks that no file of an installed package names the folder in which it was built. */
function checkPaths(name) {
  const folder = join(packed, 'node_modules', name);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const named = files.map((entry) => join(entry.parentPath, entry.name)).filter((file) => readFileSync(file, 'latin1').includes(root));
  if (named.length > 0) fail(name, `the folder of the build is in ${named.map((file) => file.slice(folder.length + 1)).join(', ')}`);
}

async function checkPackage(folder, tarballs) {
  const manifest = readManifest(folder);
  const { name } = manifest;
  const file = tarballs.get(name);
  if (file === undefined) return fail(name, 'npm pack has not packed it');
  const data = new Uint8Array(readFileSync(file));
  const { messages } = await publint({ strict: true, pack: { tarball: data.buffer } });
  for (const message of messages)
    if (message.type === 'error') fail(name, `publint: ${formatMessage(message, manifest, { color: false })}`);
  await checkContents(name, manifest, file);
  checkDeclarations(folder, manifest);
  // Entries for bundles are excluded: only packages of this repository load them, and they have no types.
  const excludeEntrypoints = ['./bundle', './internal/bundle'];
  const analysis = await checkTypes(createPackageFromTarballData(data), { excludeEntrypoints });
  if (analysis.types === false) return fail(name, 'attw: it has no types');
  for (const problem of analysis.problems) {
    const affected = ['node16-esm', 'bundler'].filter((kind) => problemAffectsResolutionKind(problem, kind, analysis));
    const { title } = problemKindInfo[problem.kind];
    if (affected.length > 0) fail(name, `attw: ${title} (${affected.join(', ')}): ${JSON.stringify(problem)}`);
  }
}

function fail(name, message) {
  failures += 1;
  process.stdout.write(`${name}: ${message}\n`);
}

/** Checks that declarations name only packages that are installed. Otherwise their types would become `any` without an error. */
function checkDeclarations(folder, { name: self, dependencies = {}, peerDependencies = {} }) {
  const installed = { ...dependencies, ...peerDependencies };
  const named = readdirSync(join(folder, 'dist'), { recursive: true })
    .filter((file) => file.endsWith('.d.ts'))
    .flatMap((file) => [
      ...readFileSync(join(folder, 'dist', file), 'utf8').matchAll(/(?:from |import\()["']((?:@[^/"']+\/)?[^./"'][^/"']*)/g),
    ])
    .map(([, found]) => found);
  const unknown = [...new Set(named)].filter((found) => !found.startsWith('node:') && found !== self && installed[found] === undefined);
  if (unknown.length > 0) fail(self, `its declarations name ${unknown.join(', ')}, which it does not depend on`);
}

/**
 * Checks that the tarball contains everything that "files" lists. npm silently leaves out missing files, so it would also pack a
 * package that was not built.
 */
async function checkContents(name, { files, exports: entryPoints, scripts }, tarball) {
  const promised = [
    'README.md',
    'LICENSE',
    ...(scripts.build.includes('bundle') ? ['dist/THIRD-PARTY.txt'] : []),
    ...Object.values(entryPoints).flatMap((entry) => (entry.default === undefined ? [] : [entry.types.slice(2), entry.default.slice(2)])),
    ...['schema/', 'bin/'].filter((part) => files.includes(part.slice(0, -1))),
  ];
  // Entries begin with "package/". A folder exists if it contains a file.
  const listed = await run(name, 'tar', ['-tzf', tarball], root);
  const entries = listed.split('\n').map((entry) => entry.replace(/^package\//, ''));
  const missing = promised.filter(
    (part) => !entries.some((entry) => (part.endsWith('/') ? entry.startsWith(part) && entry !== part : entry === part)),
  );
  if (missing.length > 0) fail(name, `the package lacks ${missing.join(', ')}`);
  const forOurselves = entries.filter((entry) => /(?:^|\/)(?:test|node_modules|\.turbo)\/|\.test\.|\.tsbuildinfo$/.test(entry));
  if (forOurselves.length > 0) fail(name, `the package contains ${forOurselves.join(', ')}, which users do not need. Correct "files"`);
}

/** Runs a program and resolves to its output. A failure is counted and shown, and the checks continue. */
async function run(name, file, args, cwd) {
  const child = spawn(file, args, { cwd, shell: process.platform === 'win32', stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  const [stdout, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (end !== 0) fail(name, `${file} ${args.join(' ')} ended with ${end}\n${stdout}${stderr}`);
  return stdout;
}
