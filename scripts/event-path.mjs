/**
 * Counts the files and functions that one event passes. The event is a BeforeTool event that a command hook in LLxprt's format
 * denies, as the first event of its system. Run `node scripts/event-path.mjs`, with --files to print the names. The script uses
 * V8's coverage of calls on a build of the sources file by file, because the published packages are bundles.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '..');
// The folder is in the repository, so that the build finds libraries in node_modules.
const folder = mkdtempSync(join(root, 'bench', 'event-path-'));
const modules = join(folder, 'node_modules');
try {
  for (const name of readdirSync(join(root, 'packages'))) await buildByFile(name);
  const crossed = await coverageOfOneEvent();
  print(crossed);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function buildByFile(name) {
  const from = join(root, 'packages', name);
  const to = join(modules, name === 'tenterhook' ? name : join('@tenterhook', name));
  if (!existsSync(join(from, 'src'))) return;
  const files = readdirSync(join(from, 'src'), { recursive: true }).filter((file) => /\.ts$/.test(file));
  mkdirSync(to, { recursive: true });
  cpSync(join(from, 'package.json'), join(to, 'package.json'));
  if (existsSync(join(from, 'node_modules'))) symlinkSync(join(from, 'node_modules'), join(to, 'node_modules'));
  await build({
    entryPoints: files.map((file) => join(from, 'src', file)),
    outbase: join(from, 'src'),
    outdir: join(to, 'dist'),
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
  });
}

async function coverageOfOneEvent() {
  const { createHooks } = await import(pathToFileURL(join(modules, 'tenterhook', 'dist', 'index.js')).href);
  const deny = { matcher: 'write_file', hooks: [{ type: 'command', command: 'echo no >&2; exit 2' }] };
  const hooks = await createHooks({ projectDir: folder, settings: { hooks: { BeforeTool: [deny] } }, dialect: 'llxprt' });
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const { verdict } = await hooks.getEventHandler().fireBeforeToolEvent('write_file', { path: 'a.txt' });
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  await hooks.dispose();
  if (verdict.kind !== 'deny') throw new Error(`the hook was to deny, and the verdict is ${verdict.kind}`);
  return result;
}

function print(scripts) {
  const packages = new Map();
  for (const { url, functions } of scripts) {
    const path = url.startsWith('file:') ? relative(modules, new URL(url).pathname) : '';
    const [, name, file] = /^(?:@tenterhook\/)?([^/.][^/]*)\/dist\/(.*)\.js$/.exec(path) ?? [];
    // A function that begins at the start of the file is the module itself. Loading a file does not count.
    const called = functions.filter(({ ranges: [range] }) => range.count > 0 && range.startOffset > 0);
    if (file !== undefined && called.length > 0) packages.set(name, [...(packages.get(name) ?? []), { file, functions: called.length }]);
  }
  const all = [...packages.values()].flat();
  const sum = (files) => `${files.length} files, ${files.reduce((total, { functions }) => total + functions, 0)} functions`;
  for (const [name, files] of [...packages].sort(([, a], [, b]) => b.length - a.length)) {
    console.log(`${name}: ${sum(files)}`);
    if (process.argv.includes('--files')) console.log(files.map(({ file, functions }) => `  ${file} ${functions}`).join('\n'));
  }
  console.log(`all: ${sum(all)}`);
}
