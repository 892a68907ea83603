import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSite } from './build-site.js';
import { root } from './repository.js';
import { serveSite } from './serve-site.js';

// npm run docs [-- --serve] [--port <number>] [--out <folder>] [--base <path>]
const { values } = parseArgs({
  options: {
    serve: { type: 'boolean', default: false },
    port: { type: 'string', default: '4173' },
    out: { type: 'string', default: resolve(root, 'site/out') },
    base: { type: 'string', default: '/' },
  },
});

const out = resolve(values.out);
const base = `/${values.base}/`.replace(/\/{2,}/g, '/');
const { pages, files, brokenLinks } = buildSite({ out, base });
for (const link of brokenLinks) process.stderr.write(`${link} leads to no file of the repository. Correct the link.\n`);
process.stdout.write(`The site has ${pages} pages (${files} files) and is in ${relative(process.cwd(), out) || '.'}.\n`);
if (brokenLinks.length > 0) process.exitCode = 1;

if (values.serve) {
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    process.stderr.write(
      `--port must be a number from 0 to 65535, and is "${values.port}". Write --port 4173, or --port 0 for any free port.\n`,
    );
    process.exit(64);
  }
  const { url } = await serveSite(out, port);
  process.stdout.write(`It is served at ${url} until you press Ctrl+C.\n`);
}
