import type { Page } from 'playwright-core';
import { until } from '../../support/until.js';
import { startBusyAgent } from '../busy-agent.js';
import { startOwnInspector } from '../own-inspector.js';
import { browser, cells, complaintsOf, inspect, open, pathOf, shownText, stopAll, testInBrowser, waitForStatus } from './browser.js';
import { type HeldHook, startAgent } from './live-agent.js';

afterAll(stopAll);

const widthOfBar = (page: Page) => page.evaluate<number>('document.querySelector(".bar-running")?.getBoundingClientRect().width ?? 0');

testInBrowser('24. the bar of a running hook grows and ends, and a late end and a timeout are seen without a reload', async () => {
  const held: HeldHook[] = [];
  const agent = await startAgent((hook) => held.push(hook));
  const { page, complaints } = await open(await inspect({ agent: { socket: agent.path } }));
  await page.locator('[data-state=connected]').waitFor();
  const fired = [agent.fire()];
  await page.locator('.bar-running').waitFor();
  expect(await cells(page, 'verdict')).toEqual(['… running']);
  // The axis ends now, so the duration beside it shows that time passes.
  const before = (await cells(page, 'duration'))[0];
  await until('the time of the event has grown', async () => (await cells(page, 'duration'))[0] !== before);
  expect(await widthOfBar(page)).toBeGreaterThan(0);
  held[0]?.end({ status: 'timed-out' });
  await page.locator('.bar-ended.bar-is-timed-out').waitFor();
  expect(await cells(page, 'verdict')).toEqual(['○ none']);
  fired.push(agent.fire());
  await until('the second hook runs', () => held.length === 2);
  held[1]?.detach();
  await until('the second event is answered', async () => (await cells(page, 'verdict'))[1] === '○ none');
  await page.locator('.bar-running').waitFor();
  held[1]?.endLate();
  await page.locator('.bar-running').waitFor({ state: 'detached' });
  await page.locator('#filter').fill('is:late');
  await waitForStatus(page, '1 of 2 events');
  await Promise.all(fired);
  await agent.stop();
  await page.locator('[data-state=lost], [data-state=ended]').waitFor();
  expect(complaints).toEqual([]);
});

testInBrowser('24. a change of a circuit is seen in the figures of its hook without a reload', async () => {
  const held: HeldHook[] = [];
  const agent = await startAgent((hook) => held.push(hook));
  const { page } = await open(await inspect({ agent: { socket: agent.path } }), { fragment: '&view=hooks' });
  await page.evaluate('globalThis.isSamePage = true');
  const circuit = page.getByRole('row', { name: /guard/ }).getByRole('cell').nth(10);
  for (const state of ['open', 'half-open', 'closed']) {
    const fired = agent.fire();
    await until('the hook runs', () => held.length > 0);
    const hook = held.pop();
    hook?.changeCircuit(state);
    hook?.end({ status: 'failed' });
    await fired;
    await circuit.getByText(state, { exact: true }).waitFor();
  }
  expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
  await agent.stop();
});

testInBrowser('41. the bar of a running hook does not grow with prefers-reduced-motion, and shows its end', async () => {
  const timers: number[] = [];
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const held: HeldHook[] = [];
    const agent = await startAgent((hook) => held.push(hook));
    const { page } = await open(await inspect({ agent: { socket: agent.path } }), { reducedMotion });
    await page.locator('[data-state=connected]').waitFor();
    await page.evaluate(`
      globalThis.timers = 0;
      const original = setInterval;
      globalThis.setInterval = (...values) => {
        globalThis.timers += 1;
        return original(...values);
      };`);
    const fired = agent.fire();
    await page.locator('.bar-running').waitFor();
    held[0]?.end();
    await page.locator('.bar-ended').waitFor();
    timers.push(await page.evaluate<number>('globalThis.timers'));
    await fired;
    await agent.stop();
  }
  expect(timers).toEqual([1, 0]);
});

testInBrowser('a new deny is announced, and the list says how many events are new while it does not follow', async () => {
  const held: HeldHook[] = [];
  const agent = await startAgent((hook) => held.push(hook));
  const { page } = await open(await inspect({ agent: { socket: agent.path } }));
  const fire = async (fields: object) => {
    const fired = agent.fire();
    await until('its hook runs', () => held.length > 0);
    held.pop()?.end(fields as never);
    await fired;
  };
  await fire({});
  await waitForStatus(page, '1 event');
  await fire({ status: 'blocked' });
  await page.locator('#announcement').getByText('Denied: BeforeTool write_file.').waitFor({ state: 'attached' });
  await page.getByRole('checkbox', { name: 'Follow' }).uncheck();
  await fire({});
  await fire({});
  await page.getByRole('button', { name: '2 new' }).click();
  expect(await page.getByRole('checkbox', { name: 'Follow' }).isChecked()).toBe(true);
  await agent.stop();
});

testInBrowser('36. six tabs at once, and a hidden tab that comes back: no row is missing or doubled', async () => {
  const agent = await startAgent();
  const inspector = await inspect({ agent: { socket: agent.path } });
  const { page, complaints } = await open(inspector);
  const pages = [page];
  for (let index = 0; index < 5; index += 1) {
    const tab = await page.context().newPage();
    complaintsOf(tab, inspector.url);
    await tab.goto(inspector.privateUrl);
    pages.push(tab);
  }
  const fireMany = (count: number) => Promise.all(Array.from({ length: count }, () => agent.fire()));
  await fireMany(100);
  for (const tab of pages) await waitForStatus(tab, '100 events');
  const hidden = pages[3] as Page;
  await setVisibility(hidden, 'hidden');
  await fireMany(100);
  await waitForStatus(page, '200 events');
  expect(await shownText(hidden.locator('#list-status'))).toContain('100 events');
  await setVisibility(hidden, 'visible');
  for (const tab of pages) await waitForStatus(tab, '200 events');
  // Each number once: the highest row index is the number of rows, and details of the last one can be opened.
  await hidden.locator('#events-grid').press('End');
  await hidden.locator('#event-199').waitFor();
  expect(await hidden.locator('#event-199').getAttribute('aria-rowindex')).toBe('201');
  expect(complaints).toEqual([]);
  await agent.stop();
});

testInBrowser('the agent ends and comes back: the state is shown, the list goes on, and there is one mark', async () => {
  const agent = await startAgent();
  const { page } = await open(await inspect({ agent: { socket: agent.path } }));
  await agent.fire();
  await waitForStatus(page, '1 event');
  await agent.stop();
  await page.locator('[data-state=lost]').waitFor();
  const again = await startAgent(undefined, agent.path);
  await page.locator('[data-state=connected]').waitFor();
  await until('an event of the agent that came back is shown', async () => {
    await again.fire();
    return (await page.locator('.grid-body .line').count()) > 1;
  });
  expect(await page.locator('.gap').allInnerTexts()).toEqual([' (connection lost before)']);
  await again.stop();
});

testInBrowser('29. two thousand events a second for ten seconds: nothing is lost silently, and the page answers keys', async () => {
  const socket = pathOf('busy.sock');
  const agent = await startBusyAgent(socket);
  const inspector = await startOwnInspector(socket);
  // The pages of the tests before share the process that draws.
  await Promise.all((await browser()).contexts().map((context) => context.close()));
  try {
    const { page, complaints } = await open(inspector);
    const total = 20_000;
    const began = performance.now();
    const firing = agent.fire({ total, perSecond: 2_000 });
    await page.locator('.grid-body .line').first().waitFor();
    for (let press = 0; press < 5; press += 1) {
      await page.keyboard.press(press % 2 === 0 ? '?' : 'Escape');
      await page.getByRole('dialog').waitFor({ state: press % 2 === 0 ? 'visible' : 'hidden' });
    }
    await page.keyboard.press('Escape');
    const { firedMs } = await firing;
    const answeredMs = performance.now() - began;
    // What is lost is a problem in the same line, with its number where it is known.
    const status = page.locator('#list-status');
    await status.getByText('20,000 events', { exact: true }).or(status.locator('.problem')).first().waitFor({ timeout: 250_000 });
    const shownMs = performance.now() - began;
    const shown = (await shownText(status)).replaceAll(/\s+/g, ' ');
    process.stdout.write(
      `Events a second: ${Math.round((total / firedMs) * 1000)} fired, ${Math.round((total / shownMs) * 1000)} shown, the last ${Math.round(shownMs - answeredMs)} ms after its answer (${shown}).\n`,
    );
    expect(complaints).toEqual([]);
  } finally {
    await inspector.end();
    await agent.end();
  }
});

/** A headless browser shows all its tabs, so the page gets the event that a browser with windows would send. */
async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}
