/**
 * Bundles the package in the current directory: each of its entries (`exports` of its package.json) becomes one file in dist/, with
 * chunks for what is imported lazily. Some 500 small modules cost ten times the start of Node, a dozen files cost little.
 *
 * A library bundle leaves the other packages of this repository outside, because their classes and tables must exist once in a process.
 * Libraries are bundled, and their licences are in dist/THIRD-PARTY.txt. Most are devDependencies; those whose types are in our declarations
 * are dependencies too (`bundledToo`). A command (`bin`) is bundled whole: nothing shares its process.
 *
 * Declarations are made by tsc, file by file, so that "go to definition" leads to the sources, which the packages hold. Names are
 * kept, and `node --enable-source-maps` shows the lines of the sources in stack traces.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';

const folder = process.cwd();
const root = resolve(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

const shared = {
  absWorkingDir: folder,
  outdir: 'dist',
  outbase: 'src',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'node20.19',
  // Not 'node': rxjs gives its CommonJS build to Node, of which nothing can be left out.
  platform: 'neutral',
  mainFields: ['module', 'main'],
  conditions: ['es2015', 'import', 'module'],
  sourcemap: true,
  sourcesContent: false,
  chunkNames: 'chunks/[name]-[hash]',
  metafile: true,
  logLevel: 'warning',
  logOverride: { 'ignored-bare-import': 'silent' },
};

const isBuiltin = (name) => name.startsWith('node:') || builtinModules.includes(name);
const packageOf = (name) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
/** Dependencies for their types alone, which are part of our own. Their code is bundled: they are 223 modules for one class, and a hundred for some schemas. */
const bundledToo = ['jsonc-parser', 'rxjs', 'zod'];
const kept = new Set(Object.keys(manifest.dependencies ?? {}).filter((name) => !bundledToo.includes(name)));
/** Small functions without state: each package has its own copy, because a file of its own costs more than what is in it. */
const inlined = ['@tenterhook/runtime/async', '@tenterhook/runtime/json', '@tenterhook/runtime/text'];

/** Leaves the modules of Node outside, and what `isOutside` says. */
const outside = (isOutside) => ({
  name: 'outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^.]/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined;
      if (isBuiltin(path)) return { path: path.startsWith('node:') ? path : `node:${path}`, external: true, sideEffects: false };
      return isOutside(path) ? { path, external: true, sideEffects: false } : undefined;
    });
  },
});

/** Our packages by their sources, so that a command carries only what it uses. */
const ownSources = {
  name: 'own sources',
  setup({ onResolve }) {
    onResolve({ filter: /^(@tenterhook\/|tenterhook$)/ }, ({ path }) => {
      const [, name, entry] = /^(?:@tenterhook\/)?([^/]+)(?:\/(.+))?$/.exec(path);
      const source = join(root, 'packages', name, 'src');
      const file = [`${entry ?? 'index'}.ts`, `${entry}/index.ts`].map((one) => join(source, one)).find(existsSync);
      return { path: file, sideEffects: false };
    });
  },
};

/** CommonJS libraries in a bundle ask for the modules of Node by `require`, which an ES module does not have. */
const requireHead = "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);";

/**
 * esbuild writes a class that refers to itself as `var Hook = class _Hook`, and errors would be printed as `_InvalidHookError`. Its option
 * `keepNames` calls a function for every function, which made an import 40 % slower.
 */
function withClassNames(text) {
  const renamed = [...text.matchAll(/^var (\w+) = class _\1\b/gm)].map(([, name]) => name);
  return renamed.reduce((result, name) => result.replaceAll(new RegExp(`\\b_${name}\\b`, 'g'), name), text);
}

/** A source map for a file that has `requireHead` before it. */
function movedDown(text) {
  const map = JSON.parse(text);
  return JSON.stringify({ ...map, mappings: `;;${map.mappings}` });
}

const entries = Object.values(manifest.exports)
  .map((entry) => entry.default)
  .filter((file) => file !== undefined)
  .map((file) => file.replace('./dist/', 'src/').replace(/\.js$/, '.ts'));
const licences = new Map();

// Chunks carry a hash in their names, so files of the last build would stay beside the new ones and be packed.
rmSync(join(folder, 'dist'), { recursive: true, force: true });
await bundle({ entryPoints: entries, plugins: [outside((path) => kept.has(packageOf(path)) && !inlined.includes(path)), ownSources] });
if (manifest.bin !== undefined) {
  await bundle({
    entryPoints: ['src/cli/main.ts'],
    plugins: [outside(() => false), ownSources],
    // Beside the entry, so that a path that a module counts from its own file means the same in a chunk.
    chunkNames: 'cli/[name]-[hash]',
  });
}
writeFileSync(join(folder, 'dist', 'THIRD-PARTY.txt'), formatLicences());

async function bundle(options) {
  const { metafile, outputFiles } = await build({ ...shared, ...options, write: false });
  // Making a `require` takes a millisecond a file, so only files that need one have it.
  const inNeed = new Set(
    outputFiles.filter(({ path, text }) => path.endsWith('.js') && text.includes('__require')).map(({ path }) => path),
  );
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    const needsRequire = inNeed.has(path.replace(/\.map$/, ''));
    if (path.endsWith('.map')) writeFileSync(path, needsRequire ? movedDown(text) : text);
    else writeFileSync(path, withClassNames(needsRequire ? `${requireHead}\n${text}` : text));
  }
  for (const file of Object.keys(metafile.inputs)) {
    const at = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(resolve(folder, file));
    if (at !== null && !licences.has(at[2])) licences.set(at[2], at[1]);
  }
}

function formatLicences() {
  const parts = [...licences]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, at]) => {
      const { version, license } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'));
      const file = readdirSync(at).find((candidate) => /^licen[cs]e/i.test(candidate));
      return `${name} ${version} (${license})\n\n${file === undefined ? '' : readFileSync(join(at, file), 'utf8').trim()}\n`;
    });
  const title = `${manifest.name} contains code of these packages.\n`;
  return parts.length === 0 ? `${manifest.name} contains no code of others.\n` : [title, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}
