/**
 * Bundles the package in the current directory. All of its code becomes one CommonJS file, dist/bundle.cjs. Code that is imported
 * lazily becomes chunks beside this file. Each entry (`exports` of package.json) is an ES module that exports its names from the
 * file. Bundling is needed because loading 500 small modules takes ten times as long as the start of Node. ES modules were
 * rejected, because Node's loader takes longer for each file.
 *
 * The other packages of this repository are not included, because their classes and tables must exist only once in a process. A
 * bundle requires their bundles (`<package>/bundle`). Libraries are bundled, or loaded at their first use (lazy-libraries.mjs), and
 * their licences are in dist/THIRD-PARTY.txt. Most libraries are devDependencies. Libraries whose types are in our declarations are
 * dependencies too (`bundledToo`). The `tenterhook` command is bundled with all packages, because no other code in its process uses them.
 *
 * tsc writes the declarations, file by file, so that "go to definition" leads to the sources, which are part of the packages. Names
 * are kept, and `node --enable-source-maps` shows the lines of the sources in stack traces.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { build, transform } from 'esbuild';
import { buildLibraries, lazyLibraries, resolveLibraries } from './lazy-libraries.mjs';

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
  // 'node' was rejected: with it, rxjs resolves to its CommonJS build, which cannot be tree-shaken.
  platform: 'neutral',
  mainFields: ['module', 'main'],
  conditions: ['es2015', 'import', 'module'],
  sourcemap: true,
  sourcesContent: false,
  chunkNames: 'chunks/[name]-[hash]',
  metafile: true,
  logLevel: 'warning',
  logOverride: { 'ignored-bare-import': 'silent' },
  write: false,
};

const isBuiltin = (name) => name.startsWith('node:') || builtinModules.includes(name);
const isOurs = (path) => /^(@tenterhook\/|tenterhook$)/.test(path);
/**
 * Libraries that are dependencies only because their types are part of our declarations. Their code is bundled: rxjs has 223 modules for
 * one class, zod a hundred for some schemas.
 */
const bundledToo = ['jsonc-parser', 'rxjs', 'zod'];
/**
 * Entries that are loaded without the rest of their package. An agent loads the limits of the spawner at its start, but the code
 * that starts processes only with the first command. The thread of a recorder needs only the
 * code that writes. The subpaths of `tenterhook` only re-export another package.
 */
const ownFiles = {
  '@tenterhook/inspector': ['src/internal.ts'],
  '@tenterhook/recording': ['src/internal.ts'],
  '@tenterhook/spawner': ['src/internal.ts'],
  tenterhook: ['src/agent.ts', 'src/handlers.ts', 'src/recording.ts'],
};

/** Returns the path by which a bundle requires an entry of another package of this repository. */
function bundleOf(path) {
  const name = path.split('/').slice(0, 2).join('/');
  return `${name in ownFiles ? path : name}/bundle`;
}

/** An esbuild plugin that keeps modules of Node out of the bundle and, if `ours` is set, the other packages of this repository. */
const outside = ({ ours }) => ({
  name: 'outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^.]/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined;
      if (isBuiltin(path)) return { path: path.startsWith('node:') ? path : `node:${path}`, external: true, sideEffects: false };
      if (!isOurs(path)) {
        // The program that uses the package has these libraries, and there must be one copy of each.
        if (manifest.peerDependencies?.[path] !== undefined) return { path, external: true };
        return manifest.dependencies?.[path] === undefined || bundledToo.includes(path) ? undefined : { path, external: true };
      }
      return ours ? { path: bundleOf(path), external: true, sideEffects: false } : { path: sourceOf(path), sideEffects: false };
    });
  },
});

/** Returns the source of an entry of this repository. A command that is bundled from sources contains only what it uses. */
function sourceOf(path) {
  const [, name, entry] = /^(?:@tenterhook\/)?([^/]+)(?:\/(.+))?$/.exec(path);
  const source = join(root, 'packages', name, 'src');
  return [`${entry ?? 'index'}.ts`, `${entry}/index.ts`].map((one) => join(source, one)).find(existsSync);
}

/**
 * Corrects class names. esbuild writes a class that refers to itself as `var Hook = class _Hook`, so errors would be printed as
 * `_InvalidHookError`. Its option `keepNames` was rejected: it adds a call for every function, which made an import 40 % slower.
 */
function withClassNames(text) {
  const renamed = [...text.matchAll(/^var (\w+) = class _\1\b/gm)].map(([, name]) => name);
  return renamed.reduce((result, name) => result.replaceAll(new RegExp(`\\b_${name}\\b`, 'g'), name), text);
}

const licences = new Map();
/** The options for a library that becomes a file of its own. */
const alone = { ...shared, plugins: [outside({ ours: true })] };
const plugins = [lazyLibraries({ ...alone, withPackages: true }), outside({ ours: true })];

/** The sources of the entries: src/index.ts, src/internal.ts … */
const entries = Object.values(manifest.exports)
  .filter((entry) => entry.types?.startsWith('./dist/'))
  .map((entry) => entry.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts'));
const apart = ownFiles[manifest.name] ?? [];

// Removes the files of the last build. Chunks have a hash in their names, so old chunks would stay and be packed.
rmSync(join(folder, 'dist'), { recursive: true, force: true });
const files = [...(await bundlePackage()), ...(existsSync(join(folder, 'src/cli/main.ts')) ? await bundleCommand() : [])];
for (const library of await buildLibraries(
  files.map(({ code }) => code),
  folder,
  alone,
)) {
  files.push(...filesOf(library));
}
for (const file of files) write(file);
writeFileSync(join(folder, 'dist', 'THIRD-PARTY.txt'), formatLicences());

/** Writes dist/bundle.cjs, its chunks, and an ES module for each entry. */
async function bundlePackage() {
  const { metafile } = await build({ ...shared, plugins, entryPoints: entries });
  const namesOf = new Map(Object.values(metafile.outputs).map(({ entryPoint, exports }) => [entryPoint, exports]));
  const whole = entries
    .filter((entry) => !apart.includes(entry))
    .map((entry) => `export * from '${join(folder, entry)}';`)
    .join('\n');
  const virtual = {
    name: 'whole package',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^bundle$/ }, ({ path }) => ({ path, namespace: 'whole' }));
      onLoad({ filter: /./, namespace: 'whole' }, () => ({ contents: whole, resolveDir: folder }));
    },
  };
  const entryPoints = [{ in: 'bundle', out: 'bundle' }, ...apart.map((entry) => ({ in: entry, out: basename(entry, '.ts') }))];
  const bundled = filesOf(await build({ ...shared, plugins: [virtual, ...plugins], entryPoints }));
  const modules = entries.flatMap((entry) => {
    const path = join(folder, entry.replace('src/', 'dist/').replace(/\.ts$/, '.js'));
    const from = apart.includes(entry) ? path.replace(/\.js$/, '.cjs') : join(folder, 'dist', 'bundle.cjs');
    return entryModules(path, namesOf.get(entry), from);
  });
  return [...(await Promise.all(bundled.map(toCommonJs))), ...modules];
}

/**
 * Returns two modules for each entry: one for Node, and one for bundlers (condition `module`), which cannot analyse
 * `createRequire`. For Node an import of the CommonJS file was rejected: Node first searches that file for its names, which made
 * the start of an agent half as long again. Each constant has a separate name, because a word such as `enum` can be exported but
 * not declared.
 */
function entryModules(path, names, from) {
  const relativePath = relative(dirname(path), from);
  const file = relativePath.startsWith('.') ? relativePath : `./${relativePath}`;
  const exported = [
    `const { ${names.map((name) => `${name}: ${name}_`).join(', ')} } = bundle;`,
    `export { ${names.map((name) => `${name}_ as ${name}`).join(', ')} };\n`,
  ].join('\n');
  const required = `import { createRequire } from 'node:module';\nconst bundle = createRequire(import.meta.url)('${file}');`;
  return [
    { path, code: `${required}\n${exported}` },
    { path: path.replace(/\.js$/, '.mjs'), code: `import bundle from '${file}';\n${exported}` },
  ];
}

async function bundleCommand() {
  const command = await build({
    ...shared,
    entryPoints: ['src/cli/main.ts', 'src/cli/relay-client.ts'],
    plugins: [lazyLibraries(alone), outside({ ours: false })],
    // Chunks are next to the entry, so that a relative path in the source has the same meaning in a chunk.
    chunkNames: 'cli/[name]-[hash]',
  });
  return Promise.all(filesOf(command).map(toCommonJs));
}

/** Returns the files of a bundle, and records the licences of its libraries. */
function filesOf({ metafile, outputFiles }) {
  for (const file of Object.keys(metafile.inputs)) {
    const at = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(resolve(folder, file));
    if (at !== null && !licences.has(at[2])) licences.set(at[2], at[1]);
  }
  const maps = new Map(outputFiles.filter(({ path }) => path.endsWith('.map')).map(({ path, text }) => [path, text]));
  return outputFiles
    .filter(({ path }) => !path.endsWith('.map'))
    .map(({ path, text }) => ({ path, code: text, map: maps.get(`${path}.map`) }));
}

/**
 * Converts a file to CommonJS. esbuild creates chunks only of ES modules, so each is converted afterwards. An `import()` becomes a
 * `require` in a promise.
 */
async function toCommonJs({ path, code, map }) {
  const inline = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
  // Replaces the call that esbuild writes for `require` in an ES module, because bundlers cannot find the path in it.
  // A path that is not a text in the code is that of a user's module. It may be an ES module, which cannot be required everywhere.
  const plain = withOneImportEach(code)
    .replaceAll(/\b__require\d*\((?=")/g, 'require(')
    .replaceAll(/\bimport\((?!["'`])/g, '__importModule(');
  const changed = await transform(plain.replace(/^\/\/# sourceMappingURL=.*$/m, inline), {
    format: 'cjs',
    target: shared.target,
    define: { 'import.meta.url': '__moduleUrl' },
    supported: { 'dynamic-import': false },
    sourcemap: 'external',
    sourcesContent: false,
    // A file that has no code of a source would have this path in its source map, so it is not the path on this machine.
    sourcefile: basename(path),
  });
  const name = `${basename(path, '.js')}.cjs`;
  const head = [
    changed.code.includes('__moduleUrl') ? 'const __moduleUrl = require("node:url").pathToFileURL(__filename).href;' : '',
    changed.code.includes('__importModule(') ? 'const __importModule = (url) => import(url);' : '',
  ].join('');
  const body = withPlainExports(changed.code.replaceAll(/(require\("\.{1,2}\/[^"]+)\.js"\)/g, '$1.cjs")'));
  return { path: join(dirname(path), name), code: `${head}${body}//# sourceMappingURL=${name}.map\n`, map: changed.map };
}

/**
 * Exports an object with plain values. esbuild exports accessors, so every read of a name of another file would call a function, a
 * hundred times in an event. The object is one literal at the end of the file, because V8 then knows the functions in it. Defining the
 * values one after another was rejected: V8 makes a slow dictionary of such an object. No file of a bundle requires one that requires
 * it, so each file finds the values of the others. No export is assigned later, because its file exports the earlier value (a test forbids
 * `export let`). Line numbers do not change, so that the source map stays valid.
 */
function withPlainExports(code) {
  const exported = /^__export\((\w+), \{\n([^}]*)\n\}\);\nmodule\.exports = __toCommonJS\(\1\);$/m.exec(code);
  if (exported === null) return code;
  const [statements, , accessors] = exported;
  const values = accessors.replaceAll(/^ *(\w+): \(\) => /gm, '$1: ').replaceAll('\n', ' ');
  const lines = '\n'.repeat(statements.split('\n').length - 1);
  return `${code.replace(statements, () => lines)}module.exports = __defProp({ ${values} }, "__esModule", { value: true });\n`;
}

/**
 * Keeps one import of each package. esbuild repeats the import for each module, and each repetition would become one of hundreds of
 * `require` calls. Line numbers do not change, so that the source map stays valid.
 */
function withOneImportEach(code) {
  const first = new Map();
  const repeated = /^import \{\n?([^}]+)\} from ("[^"]+");$/gm;
  for (const [, names, path] of code.matchAll(repeated))
    first.set(path, [...(first.get(path) ?? []), ...names.split(',').map((name) => name.trim())]);
  const written = new Set();
  return code.replaceAll(repeated, (statement, _, path) => {
    const lines = '\n'.repeat(statement.split('\n').length - 1);
    if (written.has(path)) return lines;
    written.add(path);
    return `import { ${first.get(path).filter(Boolean).join(', ')} } from ${path};${lines}`;
  });
}

function write({ path, code, map }) {
  mkdirSync(dirname(path), { recursive: true });
  // The sources are strict ES modules, but a CommonJS file needs "use strict". It is in the first line, so that the source map
  // stays valid.
  const strict = path.endsWith('.cjs') ? `"use strict";${code}` : code;
  writeFileSync(path, resolveLibraries(withClassNames(strict), relative(join(folder, 'dist'), dirname(path))));
  if (map !== undefined) writeFileSync(`${path}.map`, map);
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
