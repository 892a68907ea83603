import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inspectEvents, open, openEvents, shownText, stopAll, testInBrowser, waitForStatus } from './browser.js';

jest.setTimeout(600_000);
afterAll(stopAll);

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const hookId = 'llxprt/project/BeforeTool/hook-0';
const deny = {
  verdict: { kind: 'deny', reason: 'No.', by: [hookId] },
  hooks: [
    {
      status: 'blocked',
      stdout: '\u001b[31mno\u001b[0m',
      stderr: '\u0007',
      warnings: [{ code: 'exit_code', message: 'Exit with 2 to deny.' }],
    },
  ],
  changes: [{ hookId, path: 'tool_input.path', before: 'a', after: 'b' }],
};
const events = [
  {},
  { verdict: { kind: 'allow', by: [hookId] } },
  { verdict: { kind: 'ask', by: [hookId] } },
  deny,
  { hooks: [{ status: 'timed-out' }] },
  deny,
  {},
];

/** The element that has the focus, as the screen shows it. */
const focused = (page: Page) => page.evaluate<string>('document.activeElement.id || document.activeElement.textContent.trim()');
const activeRow = (page: Page) =>
  page.evaluate<string | null>('document.getElementById("events-grid").getAttribute("aria-activedescendant")');

testInBrowser('38. every action can be done with the keyboard, and Esc always leads back', async () => {
  const { page, complaints } = await openEvents(events);
  await page.keyboard.press('/');
  expect(await focused(page)).toBe('filter');
  await page.keyboard.type('event:BeforeTool');
  await page.keyboard.press('Escape');
  expect(await focused(page)).toBe('events-grid');
  await page.keyboard.press('Home');
  expect(await activeRow(page)).toBe('event-0');
  for (const [key, row] of [
    ['j', 1],
    ['ArrowDown', 2],
    ['k', 1],
    ['ArrowUp', 0],
    [']', 3],
    [']', 5],
    ['[', 3],
    ['End', 6],
  ] as const) {
    await page.keyboard.press(key);
    expect(await activeRow(page)).toBe(`event-${row}`);
  }
  await page.keyboard.press('[');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Verdict' }).waitFor();
  await page.waitForSelector('[role=tab][aria-selected=true]:focus');
  await page.keyboard.press('ArrowRight');
  expect(await focused(page)).toBe('tab-hooks');
  await page.keyboard.press('End');
  expect(await focused(page)).toBe('tab-fire-again');
  await page.keyboard.press('Escape');
  expect(await page.locator('.details').count()).toBe(0);
  expect(await focused(page)).toBe('events-grid');
  for (const [key, heading] of [
    ['h', 'Hooks'],
    ['s', 'Settings'],
    ['a', 'Agents'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#events-grid:focus').waitFor();
  }
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  const follow = page.getByRole('checkbox', { name: 'Follow' });
  const before = await follow.isChecked();
  await page.locator('#events-grid').focus();
  await page.keyboard.press('f');
  expect(await follow.isChecked()).toBe(!before);
  expect(complaints).toEqual([]);
});

testInBrowser('38. Tab goes through the page in the order in which it is read, and the focus can be seen everywhere', async () => {
  const { page } = await openEvents(events, { fragment: '&event=3' });
  await page.getByRole('tab', { name: 'Verdict' }).waitFor();
  const order: string[] = [];
  for (let index = 0; index < 22; index += 1) {
    await page.keyboard.press('Tab');
    const place = await focused(page);
    if (await page.evaluate('document.activeElement === document.body')) break;
    order.push(place);
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none');
  }
  const places = ['Events', 'filter', 'deny', 'events-grid', 'tab-verdict', 'tab-panel'].map((place) => order.indexOf(place));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places).not.toContain(-1);
});

testInBrowser('38. the minimap filters by time with the arrow keys', async () => {
  const { page } = await openEvents(Array.from({ length: 100 }, () => ({})));
  await page.getByRole('slider').focus();
  await page.keyboard.press('ArrowRight');
  await page
    .locator('#list-status')
    .getByText(/^1\d of 100 events$/)
    .waitFor();
  await page.keyboard.press('Delete');
  await waitForStatus(page, '100 events');
});

const sizes = {
  'the usual size': { viewport: { width: 1280, height: 720 } },
  '200 %': { viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 },
  '320 px': { viewport: { width: 320, height: 640 } },
} as const;

describe.each(Object.keys(sizes) as (keyof typeof sizes)[])('at %s', (size) => {
  testInBrowser('39. axe finds no violation in any view, light and dark, and nothing is cut off', async () => {
    const inspector = await inspectEvents(events);
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await open(inspector, { ...sizes[size], colorScheme });
      await page.locator('.grid-body .line').first().waitFor();
      expect([colorScheme, 'events', await violations(page)]).toEqual([colorScheme, 'events', []]);
      await page.locator('#events-grid').focus();
      await page.keyboard.press('[');
      await page.keyboard.press('Enter');
      for (const tab of ['Verdict', 'Hooks', 'Changes', 'Not run', 'Messages', 'Fire again']) {
        await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
        expect([colorScheme, tab, await violations(page)]).toEqual([colorScheme, tab, []]);
      }
      await page.getByRole('button', { name: 'Close' }).click();
      for (const view of ['Hooks', 'Settings', 'Agents']) {
        await page.locator('nav').getByRole('button', { name: view }).click();
        await page.getByRole('heading', { name: view, exact: true }).waitFor();
        expect([colorScheme, view, await violations(page)]).toEqual([colorScheme, view, []]);
      }
      await page.keyboard.press('?');
      expect([colorScheme, 'help', await violations(page)]).toEqual([colorScheme, 'help', []]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await page.context().close();
    }
  });
});

testInBrowser('39. the colours can be chosen, and the choice is kept', async () => {
  const { page } = await openEvents(events, { colorScheme: 'light' });
  const back = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  expect(await back()).toBe('rgb(255, 255, 255)');
  await page.getByLabel('Colours').selectOption('dark');
  expect(await back()).toBe('rgb(18, 22, 28)');
  await page.reload();
  expect(await back()).toBe('rgb(18, 22, 28)');
});

testInBrowser('40. every verdict and every status has its word, so that a picture in greys can be read', async () => {
  const { page } = await openEvents(events);
  expect(await page.locator('.grid-body .cell-verdict').allInnerTexts()).toEqual([
    '○ none',
    '✓ allow',
    '? ask',
    '✗ deny',
    '○ none',
    '✗ deny',
    '○ none',
  ]);
  await page.locator('.grid-body .line').nth(4).click();
  await page.getByRole('tab', { name: /^Hooks/ }).click();
  expect(await shownText(page.locator('.hook-status'))).toBe('⏱ timed-out');
  await page.getByRole('tab', { name: /^Changes/ }).click();
  await page.locator('.grid-body .line').nth(3).click();
  await page.locator('.diff span').first().waitFor();
  expect(await page.locator('.diff span').allInnerTexts()).toEqual(['- "a"', '+ "b"']);
});

testInBrowser('41. nothing moves with prefers-reduced-motion', async () => {
  const { page } = await openEvents(events, { reducedMotion: 'reduce' });
  await page.locator('.grid-body .line').nth(3).click();
  await page.getByRole('tab', { name: 'Verdict' }).waitFor();
  expect(await page.evaluate('document.getAnimations().length')).toBe(0);
  const moving = `[...document.querySelectorAll('*')].filter((element) => {
    const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element);
    return transitionDuration !== '0s' || animationName !== 'none' || scrollBehavior === 'smooth';
  }).length`;
  expect(await page.evaluate(moving)).toBe(0);
});

/** What axe complains about: the rule, and the elements. */
async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe);
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`,
  );
}
