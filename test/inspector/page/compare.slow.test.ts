import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inspect, inspectEvents, open, pathOf, shownText, stopAll, testInBrowser } from './browser.js';
import { writeRecordingOf } from './recorded-events.js';

afterAll(stopAll);

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const hookId = 'llxprt/project/BeforeTool/hook-0';
const read = { input: { tool_name: 'read_file', tool_input: {} } };
const deny = { verdict: { kind: 'deny', reason: 'Not <b>here</b>\u202e.', by: [hookId] }, hooks: [{ status: 'blocked' }] };

function twoRuns(): string[] {
  const files = [pathOf('a.bus.jsonl'), pathOf('<b>\u202e.bus.jsonl')];
  writeRecordingOf(files[0] as string, [{}, read, { durationMs: 100, hooks: [{ durationMs: 100 }] }]);
  writeRecordingOf(files[1] as string, [{}, { ...read, ...deny }, { durationMs: 900, hooks: [{ durationMs: 900 }] }, { ...read }]);
  return files;
}

testInBrowser('two runs are compared request by request, with the keyboard, and a request leads to its event', async () => {
  const { page, complaints } = await open(await inspect({ recordings: twoRuns() }));
  await page.locator('.grid-body .line').first().waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await page.getByRole('heading', { name: 'Compare', exact: true }).waitFor();
  const summary = page.locator('#compare-summary');
  expect(await shownText(summary)).toBe('4 requests: 2 same, 1 differs, 1 added');
  expect(await page.getByLabel('Now').locator('option').last().textContent()).toMatch(/^2: .*<b>\\u202e\.bus\.jsonl$/);
  const block = page.getByRole('region', { name: 'What differs in ≠ #2 BeforeTool read_file' });
  expect(await shownText(block)).toMatch(/verdict +none → deny/);
  // Lines have a sign each, and no text of a hook becomes markup.
  expect(await block.locator('.diff-added').allInnerTexts()).toContainEqual(expect.stringContaining('+ Not <b>here</b>\\u202e.'));
  expect(await shownText(page.locator('.view'))).toMatch(/#3 BeforeTool hook-0: 100 ms → 900 ms/);
  const button = page.getByRole('button', { name: 'Show the event of the first recording' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Verdict' }).waitFor();
  expect(new URL(page.url()).hash).toBe('#event=1');
  await page.locator('nav').getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('button', { name: 'Show the event of the second recording' }).click();
  await page.locator('.details h2').getByText('read_file', { exact: false }).waitFor();
  expect(new URL(page.url()).hash).toBe('#event=6');
  await page.locator('nav').getByRole('button', { name: 'Compare' }).click();
  await page.getByLabel('Before').selectOption({ index: 1 });
  await summary.getByText('4 requests: 4 same', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#events-grid:focus').waitFor();
  expect(complaints).toEqual([]);
});

testInBrowser('39. axe finds no violation in the comparison, light and dark, and nothing is cut off at 320 px', async () => {
  const inspector = await inspect({ recordings: twoRuns() });
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of [
      { width: 1280, height: 720 },
      { width: 320, height: 640 },
    ]) {
      const { page } = await open(inspector, { fragment: '&view=compare', viewport, colorScheme });
      await page.locator('#compare-summary').waitFor();
      await page.evaluate(axe);
      const violations = await page.evaluate<string[]>(
        'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + nodes.map(({ html }) => html)))',
      );
      expect([colorScheme, viewport.width, violations]).toEqual([colorScheme, viewport.width, []]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await page.context().close();
    }
  }
});

testInBrowser('with one recording there is nothing to compare, and the address of the view says how', async () => {
  const { page } = await open(await inspectEvents([{}]), { fragment: '&view=compare' });
  await page.getByText('Two recordings can be compared.').waitFor();
  expect(await page.locator('nav').getByRole('button', { name: 'Compare' }).count()).toBe(0);
});
