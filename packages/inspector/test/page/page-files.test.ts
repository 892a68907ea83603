import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const folder = join(import.meta.dirname, '../../dist/page');
const served = ['app.css', 'app.js', 'icon.svg', 'index.html'];
const texts = new Map(served.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
const textOf = (name: string) => texts.get(name) as string;

test('43. the built page is four files of at most 60 kB gzip together, and the licences of its libraries', () => {
  expect(readdirSync(folder).sort()).toEqual(['THIRD-PARTY.txt', ...served]);
  const bytes = served.reduce((sum, name) => sum + gzipSync(textOf(name)).length, 0);
  expect(bytes).toBeLessThanOrEqual(60_000);
  const licences = readFileSync(join(folder, 'THIRD-PARTY.txt'), 'utf8');
  for (const library of ['preact', '@preact/signals', '@preact/signals-core', 'diff']) {
    expect(licences).toMatch(new RegExp(`^${library} \\d`, 'm'));
  }
});

test('43. the page names no address but the namespace of SVG, and refers to no source map', () => {
  for (const text of texts.values()) {
    const addresses = [...text.matchAll(/(?:https?:|wss?:\/\/)[^\s"'`)]*/g)].map(([address]) => address);
    expect(addresses.filter((address) => address !== 'http://www.w3.org/2000/svg')).toEqual([]);
    expect(text).not.toContain('sourceMappingURL');
  }
});

test('43. the page cannot make code or markup of a text', () => {
  expect(textOf('app.js')).not.toMatch(
    /\beval\b|new Function\b|innerHTML|outerHTML|insertAdjacentHTML|document\.write|setHTML|DOMParser|srcdoc/i,
  );
});

test('43. index.html has no inline script, style or handler', () => {
  const html = textOf('index.html');
  expect([...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)).toEqual(['<script type="module" src="/app.js">']);
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
  expect([...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path]) => path)).toEqual(['/icon.svg', '/app.css', '/app.js']);
});
