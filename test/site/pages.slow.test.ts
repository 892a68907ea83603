import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { dirname, join, relative, resolve } from 'node:path';
import { pages } from '../docs/blocks.js';
import { root } from '../support/sources.js';
import { type RunningSite, startSite } from './running-site.js';

let site: RunningSite;
beforeAll(async () => {
  site = await startSite('--base', 'guides');
});
afterAll(() => site.stop());

/** The files of the site that are pages, with their HTML. */
function htmlFiles(): Map<string, string> {
  const names = readdirSync(site.folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  return new Map(names.map((name) => [name, readFileSync(join(site.folder, name), 'utf8')]));
}

/** Every address in a page, of whatever kind, as a browser reads it. */
function addressesIn(html: string): string[] {
  return [...html.matchAll(/<[^>]*?\s(?:href|src)="([^"]*)"/g)].map(([, address = '']) =>
    address.replaceAll('&amp;', '&').replaceAll('&quot;', '"'),
  );
}

const idsIn = (html: string) => [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id as string);

test('no link of a page is broken, and the command reports the number of pages', () => {
  expect(site.printed).toMatch(/^The site has \d+ pages \(\d+ files\) and is in .*\.\n$/);
});

test('every page of the documentation, and every README of a package or an example, is on the site', () => {
  const expected = pages.filter((page) => /^(?:docs\/|[^/]+\.md$|(?:packages|examples)\/[^/]+\/README\.md$)/.test(page));
  expect(expected.length).toBeGreaterThan(100);
  const missing = expected.filter((page) => !existsSync(join(site.folder, addressOf(page))));
  expect(missing).toEqual([]);
});

const addressOf = (page: string) => page.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html');

test('every link to the site leads to a file, and every anchor to an element', () => {
  const files = htmlFiles();
  const broken: string[] = [];
  let checked = 0;
  for (const [name, html] of files) {
    for (const address of addressesIn(html)) {
      if (/^https?:/.test(address)) continue;
      checked += 1;
      const [path = '', anchor] = address.split('#');
      const base = name === '404.html' ? path.replace(/^\/guides\//, '/') : path;
      const file = base.startsWith('/')
        ? join(site.folder, base)
        : base === ''
          ? join(site.folder, name)
          : resolve(site.folder, dirname(name), decodeURIComponent(base));
      const target = files.get(relative(site.folder, file));
      if (!existsSync(file)) broken.push(`${name}: ${address}`);
      else if (anchor !== undefined && !idsIn(target ?? '').includes(decodeURIComponent(anchor))) broken.push(`${name}: ${address}`);
    }
  }
  expect(checked).toBeGreaterThan(10_000);
  expect(broken).toEqual([]);
});

test('an anchor occurs once on a page', () => {
  const repeated = [...htmlFiles()].filter(([, html]) => new Set(idsIn(html)).size !== idsIn(html).length);
  expect(repeated.map(([name]) => name)).toEqual([]);
});

test('every page can be reached from the list of pages, which has the order of docs/README.md', () => {
  const files = htmlFiles();
  const list = /<nav id="site-pages"[\s\S]*?<\/nav>/.exec(files.get('index.html') as string)?.[0] as string;
  const listed = addressesIn(list);
  const expected = pages.filter((page) => page.startsWith('docs/')).map(addressOf);
  expect(listed).toEqual(expect.arrayContaining(expected));
  expect(new Set(listed).size).toBe(listed.length);
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
  const headings = [...index.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading as string);
  const groups = [...list.matchAll(/<p id="site-group-\d+">([^<]*)</g)].map(([, title]) => title as string);
  expect(groups.filter((title) => headings.includes(title))).toEqual(headings);
});

test('no page loads anything from elsewhere, and no page needs a policy that allows scripts or styles in it', () => {
  for (const [name, html] of htmlFiles()) {
    const resources = [
      ...html.matchAll(/<(?:img|script|link|iframe|source|video|audio|object|embed)\b[^>]*?\s(?:src|href|data)="([^"]*)"/g),
    ];
    expect({
      name,
      foreign: resources.map(([, address]) => address).filter((address) => /^(?:[a-z]+:|\/\/)/.test(address as string)),
    }).toEqual({ name, foreign: [] });
    const written = html.replace(/<pre[\s\S]*?<\/pre>/g, '').match(/<style|<script(?! src=)|<[^>]*\s(?:style|on[a-z]+)="/g);
    expect({ name, written }).toEqual({ name, written: null });
  }
  const style = readFileSync(join(site.folder, 'assets/site.css'), 'utf8');
  expect(style).not.toMatch(/@import|url\(/);
});

test.each([
  ['an address that does not exist', 'docs/events/nothing.html', 404],
  ['a folder', 'docs/', 200],
  ['a path out of the site', '%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/hostname', 404],
  ['an address that cannot be decoded', '%ff', 404],
])('the server answers %s', async (_what, path, status) => {
  const answer = await new Promise<{ status: number | undefined; policy: string }>((resolveAnswer, reject) => {
    get(`${site.url}${path}`, (response) => {
      response.resume();
      resolveAnswer({ status: response.statusCode, policy: String(response.headers['content-security-policy']) });
    }).once('error', reject);
  });
  expect(answer.status).toBe(status);
  expect(answer.policy).toContain("default-src 'none'");
});

test('a folder that is not a site is not emptied', async () => {
  await expect(startSite('--out', join(root, 'docs'))).rejects.toThrow('is not a site');
  expect(existsSync(join(root, 'docs/README.md'))).toBe(true);
});
