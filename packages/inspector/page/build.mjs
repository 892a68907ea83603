/**
 * Builds the page of the inspector into dist/page: index.html, app.js, app.css and icon.svg. Their names do not change, because the server
 * knows exactly these files. The licences of the libraries in app.js are in THIRD-PARTY.txt beside it. Run it after bundle.mjs, which empties
 * dist.
 */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';

const page = import.meta.dirname;
const dist = resolve(page, '../dist/page');
const runtime = resolve(page, '../../runtime/src');

/**
 * Texts of Preact that are replaced, each with its replacement. The page runs where no script can make markup of a text. Preact has a
 * property for this, which is taken out, so that a mistake of ours cannot reach it either. Its addresses name kinds of elements, and the
 * page has only those of HTML and SVG.
 */
const replaced = [
  ['"http://www.w3.org/1999/xhtml"', 'document.documentElement.namespaceURI'],
  ['"http://www.w3.org/1998/Math/MathML"', '"math"'],
  ['dangerouslySetInnerHTML', 'textOfElement'],
  ['innerHTML', 'textContent'],
];

const hardenPreact = {
  name: 'harden preact',
  enforce: 'pre',
  transform(code, id) {
    if (!id.includes('/preact/dist/preact.mjs')) return undefined;
    return replaced.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`Preact has no ${from} any more. Look at what the list "replaced" in build.mjs is for.`);
      return text.replaceAll(from, to);
    }, code);
  },
};

const { output } = await build({
  configFile: false,
  root: page,
  logLevel: 'warn',
  publicDir: false,
  plugins: [hardenPreact],
  resolve: { alias: [{ find: /^@tenterhook\/runtime\/(\w+)$/, replacement: `${runtime}/$1/index.ts` }] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: dist,
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: 'chrome123',
    sourcemap: false,
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: join(page, 'main.tsx'),
      output: {
        format: 'es',
        entryFileNames: 'app.js',
        assetFileNames: 'app[extname]',
        codeSplitting: false,
      },
    },
  },
});

for (const name of ['index.html', 'icon.svg']) cpSync(join(page, name), join(dist, name));
writeFileSync(join(dist, 'THIRD-PARTY.txt'), formatLicences(output.flatMap((file) => Object.keys(file.modules ?? {}))));
for (const name of ['index.html', 'icon.svg', 'app.js', 'app.css']) {
  if (!existsSync(join(dist, name)) || readFileSync(join(dist, name)).length === 0)
    throw new Error(`The build of the page has no ${name}.`);
}

/** Returns the licences of the libraries to which these modules belong. */
function formatLicences(modules) {
  const folders = new Map();
  for (const file of modules) {
    const found = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(file);
    if (found !== null) folders.set(found[2], found[1]);
  }
  const parts = [...folders]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, folder]) => {
      const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((candidate) => /^licen[cs]e/i.test(candidate));
      return `${name} ${version} (${license})\n\n${file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()}\n`;
    });
  return ['The page of the inspector contains code of these packages.\n', ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}
