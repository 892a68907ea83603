import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Libraries that are needed only by calls, not at the start. Each becomes a CommonJS file in dist/libraries that is loaded at its
 * first use. In a bundle, proxies replace its exports. Loading the libraries at the start took half the time of an agent's start,
 * and an agent without hooks uses none of them.
 *
 * `import()` where the libraries are used was rejected: the functions that use them are synchronous, and many are public.
 */
const libraries = ['debug', 'jsonc-parser', 'nanoid', 're2js', 'smol-toml', 'zod'];
/**
 * Packages of this repository that are loaded in the same way, each with the functions that it exports. The dialects are a third of
 * all code, and run only when settings are read.
 */
const packages = new Map([['@tenterhook/dialects', functionsOf('dialects')]]);
const namespace = 'lazy-library';

/** Returns the functions that the index of a package exports. Its other values are schemas. */
function functionsOf(name) {
  const text = readFileSync(join(import.meta.dirname, '../packages', name, 'src/index.ts'), 'utf8');
  const names = [...text.matchAll(/^export \{([^}]+)\} from/gm)].flatMap((match) => match[1].split(',').map((each) => each.trim()));
  return names.filter((each) => each !== '' && !each.endsWith('Schema'));
}

/**
 * An esbuild plugin that replaces the libraries with proxies. `options` says how the libraries themselves are bundled. With
 * `withPackages`, packages of this repository are lazy too.
 */
export function lazyLibraries({ withPackages = false, ...options }) {
  const lazy = [...libraries, ...(withPackages ? packages.keys() : [])];
  return {
    name: namespace,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^(?:${lazy.join('|')})$`) }, ({ path, resolveDir }) => ({
        path,
        namespace,
        pluginData: resolveDir,
        sideEffects: false,
      }));
      onResolve({ filter: new RegExp(`^(?:${libraries.join('|')})/`) }, ({ path, importer }) => ({
        errors: [
          { text: `${importer} imports ${path}, and a part of a lazy library would be bundled as a whole. Import the library itself.` },
        ],
      }));
      onResolve({ filter: /^(?:#libraries\/|@tenterhook\/.*\/bundle$)/ }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: /./, namespace }, async ({ path, pluginData: resolveDir }) => ({
        contents: packages.has(path)
          ? functions(packages.get(path), `${path}/bundle`)
          : proxies(path, await exportsOf(path, resolveDir, options), `#libraries/${path}`),
        resolveDir,
      }));
    },
  };
}

/** Bundles the parts of the libraries that `texts` use into dist/libraries. Resolves to the results of esbuild, one for each library. */
export function buildLibraries(texts, resolveDir, options) {
  const used = new Map(libraries.map((library) => [library, new Set()]));
  for (const text of texts) for (const [, library, name] of text.matchAll(/"#lazy:([\w-]+)#([\w$]+)"/g)) used.get(library).add(name);
  return Promise.all(
    [...used]
      .filter(([, names]) => names.size > 0)
      .map(([library, names]) => {
        const contents = `export { ${[...names].sort().join(', ')} } from '${library}';`;
        const stdin = { contents, resolveDir, sourcefile: `${library}.js` };
        return build({ ...options, stdin, format: 'cjs', splitting: false, outdir: undefined, outfile: `dist/libraries/${library}.cjs` });
      }),
  );
}

/** Replaces references to libraries by paths relative to a file of dist. `folder` is the folder of this file, relative to dist. */
export function resolveLibraries(text, folder) {
  const up = folder === '' ? './' : '../'.repeat(folder.split('/').length);
  return text.replaceAll(/"#libraries\/([\w-]+)"/g, (_, library) => `"${up}libraries/${library}.cjs"`);
}

async function exportsOf(library, resolveDir, options) {
  const { metafile } = await build({ ...options, stdin: { contents: `export * from '${library}';`, resolveDir } });
  const names = Object.values(metafile.outputs).flatMap((output) => output.exports);
  // The names of a CommonJS library are not known before it runs, so only its default export is used.
  return names.length === 0 ? ['default'] : names;
}

/** Makes a function for each export. Proxies were rejected here, so that people who log or compare an export see a function. */
function functions(names, path) {
  return `
let loaded;
const load = () => (loaded ??= require("${path}"));
${names.map((name) => `const { ${name} } = { ${name}: (...args) => load().${name}(...args) };`).join('\n')}
export { ${names.join(', ')} };
`;
}

/**
 * Makes one proxy for each export; the bundler removes unused proxies. The target is a function, so that a class can be
 * constructed. The target does not have the properties of the export; `get` passes them to callers and to `instanceof`.
 */
function proxies(library, names, path) {
  return `
let loaded;
const load = () => (loaded ??= require("${path}"));
function deferred(id) {
  const name = id.split('#')[2];
  return new Proxy(function () {}, {
    get: (_, property) => Reflect.get(load()[name], property),
    has: (_, property) => Reflect.has(load()[name], property),
    apply: (_, receiver, args) => Reflect.apply(load()[name], receiver, args),
    construct: (_, args, newTarget) => Reflect.construct(load()[name], args, newTarget),
  });
}
${names.map((name, index) => `const export${index} = /* @__PURE__ */ deferred("#lazy:${library}#${name}");`).join('\n')}
export { ${names.map((name, index) => `export${index} as ${name}`).join(', ')} };
`;
}
