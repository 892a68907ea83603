import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { jest } from '@jest/globals';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { programFile, testWithPrograms } from '../support/program.js';
import { type RunningSite, startSite } from './running-site.js';

jest.setTimeout(300_000);

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let site: RunningSite;
let browser: Browser | undefined;
beforeAll(async () => {
  site = await startSite();
});
afterAll(async () => {
  await browser?.close();
  await site.stop();
});

const testInBrowser = (title: string, run: () => Promise<void>) => testWithPrograms(['chromium'], title, run);

interface OpenedPage {
  readonly page: Page;
  /** Messages on the console, errors, and requests to other hosts. */
  readonly complaints: readonly string[];
}

/** Opens a page in a context of its own, and calls the function with it. */
async function withPage(path: string, options: BrowserContextOptions, use: (opened: OpenedPage) => Promise<void>): Promise<void> {
  browser ??= await chromium.launch({ executablePath: programFile('chromium') as string, headless: true });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  try {
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(site.url)) complaints.push(`request: ${request.url()}`);
    });
    await page.goto(`${site.url}${path}`);
    await use({ page, complaints });
  } finally {
    await context.close();
  }
}

async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe);
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 5).map(({ html }) => html.slice(0, 160)).join(' | ')))`,
  );
}

/** A page of each kind. */
const kinds = [
  ['the first page', 'index.html'],
  ['a guide with code in several languages', 'docs/how-to/first-hook.html'],
  ['an index', 'docs/index.html'],
  ['a reference', 'docs/reference/tenterhook.html'],
  ['rules in wide tables', 'docs/formats-reference/auggie.html'],
  ['pictures', 'docs/performance.html'],
  ['a README of a package', 'packages/tenterhook/index.html'],
  ['a source file', 'packages/tenterhook/adapters/resident.py.html'],
  ['a folder', 'examples/relay/events/index.html'],
  ['the page for what is not found', '404.html'],
] as const;
const appearances = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['dark, 320 px wide', { colorScheme: 'dark', viewport: { width: 320, height: 640 } }],
] as const;

describe.each(kinds)('%s', (_kind, path) => {
  for (const [appearance, options] of appearances) {
    testInBrowser(`${appearance}: axe finds nothing, nothing is cut off, and the browser has no complaint`, async () => {
      await withPage(path, options, async ({ page, complaints }) => {
        expect(await violations(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        expect(complaints).toEqual([]);
      });
    });
  }
});

testInBrowser('the search is used with the keyboard alone: it finds a section, and Enter opens it', async () => {
  await withPage('docs/events/BeforeTool.html', {}, async ({ page, complaints }) => {
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.id')).toBe('site-search');
    await page.keyboard.insertText('resident hooks');
    const results = page.getByRole('option');
    await results.first().waitFor();
    expect(await violations(page)).toEqual([]);
    const addresses = await Promise.all((await results.all()).map((result) => result.getAttribute('href')));
    const wanted = addresses.indexOf('../../docs/resident-hooks.html');
    expect(wanted).toBeGreaterThanOrEqual(0);
    expect(await results.first().getAttribute('aria-selected')).toBe('true');
    for (let step = 0; step < wanted; step += 1) await page.keyboard.press('ArrowDown');
    expect(await page.locator('#site-search').getAttribute('aria-activedescendant')).toBe(`site-result-${wanted}`);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site.url}docs/resident-hooks.html`);
    expect(complaints).toEqual([]);
  });
});

testInBrowser('the search finds words with a mistake, reports that it found nothing, and Escape closes it', async () => {
  await withPage('index.html', {}, async ({ page, complaints }) => {
    const search = page.getByRole('combobox', { name: 'Search' });
    const options = page.getByRole('option');
    await search.fill('telemetrie');
    await options.filter({ hasText: 'Telemetry' }).first().waitFor();
    await search.press('Escape');
    expect((await options.count()) === 0 || !(await options.first().isVisible())).toBe(true);
    await search.fill('xyzzyplugh');
    await page.getByRole('status').getByText('Nothing found.').waitFor({ state: 'attached' });
    expect(complaints).toEqual([]);
  });
});

testInBrowser('a link of the search leads to the section', async () => {
  await withPage('index.html', {}, async ({ page }) => {
    await page.getByRole('combobox').fill('killGraceMs');
    const first = await page.getByRole('option').first().getAttribute('href');
    await page.getByRole('option').first().click();
    await page.waitForURL(`${site.url}${first}`);
    const anchor = new URL(page.url()).hash.slice(1);
    if (anchor !== '') expect(await page.locator(`[id="${anchor}"]`).count()).toBe(1);
  });
});

testInBrowser('on a narrow screen, the list of pages opens with its button and closes with Escape', async () => {
  await withPage('docs/bus.html', { viewport: { width: 320, height: 640 } }, async ({ page }) => {
    const list = page.locator('#site-pages');
    const button = page.getByRole('button', { name: 'Pages' });
    expect(await list.isVisible()).toBe(false);
    await button.focus();
    await page.keyboard.press('Enter');
    expect(await list.isVisible()).toBe(true);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await list.getByRole('link').first().focus();
    await page.keyboard.press('Escape');
    expect(await list.isVisible()).toBe(false);
    expect(await page.evaluate('document.activeElement.className')).toBe('menu');
  });
});

testInBrowser('the chosen theme is kept on the next page, and overrides that of the system', async () => {
  await withPage('index.html', { colorScheme: 'light' }, async ({ page }) => {
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    const button = page.getByRole('button', { name: /^Theme/ });
    await button.click();
    await button.click();
    expect(await button.textContent()).toBe('Theme: dark');
    expect(await background()).not.toBe(light);
    await page.goto(`${site.url}docs/bus.html`);
    expect(await button.textContent()).toBe('Theme: dark');
    expect(await background()).not.toBe(light);
    await button.click();
    expect(await background()).toBe(light);
  });
});

testInBrowser('without scripts, the list of pages and the text are shown, and nothing that would not work', async () => {
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 320, height: 640 },
  ]) {
    await withPage('docs/bus.html', { javaScriptEnabled: false, viewport }, async ({ page }) => {
      expect(await page.locator('#site-pages').isVisible()).toBe(true);
      expect(await page.locator('h1').isVisible()).toBe(true);
      for (const selector of ['#site-search', 'button.theme', 'button.menu']) expect(await page.locator(selector).isVisible()).toBe(false);
    });
  }
});

testInBrowser('an address that does not exist is answered with links that work', async () => {
  await withPage('docs/events/nothing.html', {}, async ({ page, complaints }) => {
    expect(await page.locator('h1').textContent()).toBe('Page not found');
    // The browser reports the status on the console.
    expect(complaints).toEqual([expect.stringContaining('404')]);
    await page.getByRole('combobox').fill('bus');
    await page.getByRole('option').first().click();
    await page.waitForURL(/\/(?:docs|packages|examples|[A-Z]\w+)[./]/);
    expect(await page.locator('h1').textContent()).not.toBe('Page not found');
  });
});
