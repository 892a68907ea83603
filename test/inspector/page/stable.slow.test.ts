import type { Page } from 'playwright-core';
import { inspect, open, stopAll, testInBrowser, waitForStatus } from './browser.js';
import { startAgent } from './live-agent.js';

afterAll(stopAll);

const sizes = {
  'the usual size': { width: 1280, height: 720 },
  '200 %': { width: 640, height: 360 },
  '320 px': { width: 320, height: 640 },
};

/**
 * Collects what the browser reports as moved, from the first drawing on. Texts and bars may move within their line, but nothing that can be
 * clicked. The place before is empty for an element that was out of view: a row that leaves the list at its top shows a new event at its end.
 */
const observe = `
globalThis.moved = [];
new PerformanceObserver((list) => {
  for (const { sources } of list.getEntries()) {
    for (const { node, previousRect: before, currentRect: after } of sources) {
      const isText = !(node instanceof Element) || (node.matches('span:not([role])') && node.closest('button') === null);
      if ((before.y === after.y && isText) || before.width === 0 || before.height === 0) continue;
      moved.push((node?.outerHTML ?? 'removed').slice(0, 80) + ' from ' + before.y + ' to ' + after.y);
    }
  }
}).observe({ type: 'layout-shift', buffered: true });`;

/** What has moved until now. The browser reports it with the frame after the next. */
const moved = (page: Page) =>
  page.evaluate<string[]>(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(moved)))))',
  );

const place = (page: Page) => page.locator('.grid-frame').boundingBox();

describe.each(Object.keys(sizes) as (keyof typeof sizes)[])('at %s', (size) => {
  testInBrowser('nothing moves the list: late facts, the first rows, a time filter, losses and a lost connection', async () => {
    const agent = await startAgent();
    const inspector = await inspect({ agent: { socket: agent.path, name: 'an agent with a long name'.repeat(6) }, mask: false });
    let answerAbout = () => {};
    const mayAnswer = new Promise<void>((resolve) => {
      answerAbout = resolve;
    });
    const { page } = await open(inspector, {
      viewport: sizes[size],
      prepare: async (one) => {
        await one.addInitScript(observe);
        await one.route('**/api/about', async (route) => {
          await mayAnswer;
          await route.continue();
        });
      },
    });
    await page.locator('[data-state=connected]').waitFor();
    const before = await place(page);
    await agent.fire();
    await waitForStatus(page, '1 event');
    await Promise.all(Array.from({ length: 200 }, () => agent.fire({ tool_name: 'write_file', tool_input: {}, session_id: 's-2' })));
    await waitForStatus(page, '201 events');
    expect([await moved(page), await place(page)]).toEqual([[], before]);
    answerAbout();
    await page.locator('.source').getByText('an agent with a long name', { exact: false }).waitFor();
    expect([await moved(page), await place(page)]).toEqual([[], before]);
    await page.locator('#filter').fill('slow:fast time:0..1 nothing');
    await waitForStatus(page, '0 of 201 events');
    await page.locator('#filter-problems').waitFor();
    expect(await place(page)).toEqual(before);
    await page.locator('#filter').fill('');
    await agent.stop();
    await page.locator('[data-state=lost]').waitFor();
    expect(await place(page)).toEqual(before);
    await page.context().close();
  });
});

testInBrowser('a row can be clicked while new rows arrive: the list stands still until the button is released', async () => {
  const agent = await startAgent();
  const { page } = await open(await inspect({ agent: { socket: agent.path } }), { viewport: { width: 1000, height: 720 } });
  await Promise.all(Array.from({ length: 60 }, () => agent.fire()));
  await waitForStatus(page, '60 events');
  const row = page.locator('#event-55');
  const box = await row.boundingBox();
  if (box === null) throw new Error('The row is not in view.');
  await page.mouse.move(box.x + 20, box.y + box.height / 2);
  await page.mouse.down();
  await Promise.all(Array.from({ length: 10 }, () => agent.fire()));
  await waitForStatus(page, '70 events');
  expect(await row.boundingBox()).toEqual(box);
  await page.mouse.up();
  await page.getByRole('tab', { name: 'Verdict' }).waitFor();
  expect(await row.getAttribute('aria-selected')).toBe('true');
  // The details take a part of the width, and nothing else.
  expect((await row.boundingBox())?.y).toBe(box.y);
  await agent.stop();
});
