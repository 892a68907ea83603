import { jest } from '@jest/globals';
import type { CDPSession, Page } from 'playwright-core';
import { browser, inspectEvents, open, shownText, stopAll, testInBrowser, waitForStatus } from './browser.js';
import type { RecordedEvent } from './recorded-events.js';

jest.setTimeout(600_000);
afterAll(stopAll);

const total = 100_000;

function* manyEvents(): Generator<RecordedEvent> {
  for (let n = 0; n < total; n += 1) {
    yield {
      eventName: n % 3 === 0 ? 'AfterTool' : 'BeforeTool',
      input: { tool_name: n % 7 === 0 ? 'read_file' : 'write_file', tool_input: { n } },
      session: `s-${n % 20}`,
      durationMs: n % 500,
      ...(n % 1_000 === 0 ? { verdict: { kind: 'deny', reason: 'No.', by: [] }, hooks: [{ status: 'blocked' }] } : {}),
    };
  }
}

/** Notes when the first rows arrive, and when they are in a frame. */
const noteTimes = `
const original = fetch;
globalThis.fetch = async (...values) => {
  const response = await original(...values);
  if (String(values[0]).startsWith('/api/stream')) globalThis.dataAt ??= performance.now();
  return response;
};
globalThis.paintedAt = Number.NaN;
new MutationObserver((_changes, observer) => {
  if (document.querySelector('.grid-body .line') === null) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => { globalThis.paintedAt = performance.now(); }));
}).observe(document, { childList: true, subtree: true });`;

/** What was measured. Times are reported and never asserted, because the machine of a test may be busy. */
const measured: Record<string, number> = {};
afterAll(() => {
  process.stdout.write(`The page with ${total} events: ${JSON.stringify(measured)}\n`);
});

testInBrowser(
  '28. of 100,000 events at most 60 rows are in the document, wherever the list is scrolled to, and the heap is bounded',
  async () => {
    const inspector = await inspectEvents(manyEvents());
    await browser();
    const began = performance.now();
    const { page, complaints } = await open(inspector, { prepare: (one) => one.addInitScript(noteTimes) });
    await page.locator('.grid-body .line').first().waitFor();
    await waitForStatus(page, '100,000 events');
    measured['allRowsMs'] = Math.round(performance.now() - began);
    measured['firstPaintAfterDataMs'] = Math.round(await page.evaluate<number>('paintedAt - dataAt'));
    const rows = () => page.evaluate<number>('document.querySelectorAll(".grid-body .line").length');
    expect(await rows()).toBeLessThanOrEqual(60);
    for (const place of [0, 0.25, 0.5, 0.999, 1]) {
      await scrollTo(page, place);
      const shown = await page.evaluate<number>('Number(document.querySelector(".grid-body .line").getAttribute("aria-rowindex"))');
      expect(Math.abs(shown - place * total)).toBeLessThan(100);
      expect(await rows()).toBeLessThanOrEqual(60);
    }
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    for (const [filter, count] of [
      ['verdict:deny', 100],
      ['tool:read_*', 14_286],
      ['session:s-3', 5_000],
      ['slow:>400ms', 19_800],
      ['write', 85_714],
    ] as const) {
      const before = await cpuMs(session);
      const took = await page.evaluate<number>(`
      new Promise((resolve) => {
        const field = document.getElementById('filter');
        const began = performance.now();
        field.value = ${JSON.stringify(filter)};
        field.dispatchEvent(new Event('input', { bubbles: true }));
        // The rows that fit are drawn before the next frame.
        requestAnimationFrame(() => resolve(performance.now() - began));
      })`);
      measured[`filter ${filter}`] = Math.round(took);
      measured[`filter ${filter} cpuMs`] = Math.round((await cpuMs(session)) - before);
      await page
        .locator('#list-status')
        .getByText(`${count.toLocaleString('en-US')} of 100,000 events`, { exact: true })
        .waitFor();
    }
    await page.locator('#filter').fill('');
    // A person with a wheel, then the harder case: another place in each frame, so that every row is another one.
    for (const [name, frames] of [
      ['wheel', () => countFrames(page, '', () => page.mouse.wheel(0, 100))],
      ['jump', () => countFrames(page, 'grid.scrollTop = ((frames.length * 7919) % 100000) * 24')],
    ] as const) {
      const before = await cpuMs(session);
      const times = await frames();
      measured[`${name} frameMedianMs`] = tenths(times[frameCount / 2] as number);
      measured[`${name} frameP95Ms`] = tenths(times[Math.floor(frameCount * 0.95)] as number);
      measured[`${name} cpuMsOfFrame`] = tenths(((await cpuMs(session)) - before) / frameCount);
    }
    const heap = await heapBytes(session);
    measured['heapMb'] = Math.round(heap / 1e6);
    expect(heap).toBeLessThan(100e6);
    expect(await shownText(page.locator('#list-status'))).toContain('100,000 events');
    expect(complaints).toEqual([]);
  },
);

/** Scrolls to a share of the list. Resolves when the rows of that place are drawn. */
async function scrollTo(page: Page, place: number): Promise<void> {
  await page.evaluate(`
    new Promise((resolve) => {
      const grid = document.getElementById('events-grid');
      grid.scrollTop = (grid.scrollHeight - grid.clientHeight) * ${place};
      const look = () => {
        const { top, bottom } = grid.getBoundingClientRect();
        const rows = [...document.querySelectorAll('.grid-body .line')].map((row) => row.getBoundingClientRect());
        if (rows.some((row) => row.top < bottom && row.bottom > top)) resolve();
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    })`);
}

const frameCount = 120;
const tenths = (ms: number) => Math.round(ms * 10) / 10;

/**
 * Returns the times between frames, the shortest first. `scroll` runs after each frame, as input of a person does: a position that is set in
 * the callback of a frame is drawn only a frame later, when it is no longer in view, and nothing would be painted. `act` is repeated meanwhile.
 */
async function countFrames(page: Page, scroll: string, act?: () => Promise<void>): Promise<number[]> {
  const box = await page.locator('#events-grid').boundingBox();
  if (box === null) throw new Error('The list is not drawn.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await scrollTo(page, 0.3);
  let isOver = false;
  const counted = page
    .evaluate<number[]>(`
    new Promise((resolve) => {
      const grid = document.getElementById('events-grid');
      const frames = [];
      let last = performance.now();
      const step = () => {
        const now = performance.now();
        frames.push(now - last);
        last = now;
        if (frames.length === ${frameCount}) {
          resolve(frames.sort((a, b) => a - b));
          return;
        }
        setTimeout(() => { ${scroll}; });
        requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    })`)
    .finally(() => {
      isOver = true;
    });
  while (act !== undefined && !isOver) await act();
  return counted;
}

/** The processor time of the page's thread so far. Unlike the time of a frame, it does not depend much on what else the machine does. */
async function cpuMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
}

/** The memory of the page's objects after a collection. */
async function heapBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize;
}
