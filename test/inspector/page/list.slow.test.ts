import { readFileSync } from 'node:fs';
import { readRecording } from '@tenterhook/recording';
import {
  cells,
  complaintsOf,
  inspect,
  inspectEvents,
  newContext,
  openEvents,
  pathOf,
  shownText,
  stopAll,
  testInBrowser,
  waitForStatus,
} from './browser.js';

afterAll(stopAll);

const deny = { verdict: { kind: 'deny', reason: 'No.', by: ['llxprt/project/BeforeTool/hook-0'] }, hooks: [{ status: 'blocked' }] };
const mixed = [
  {},
  { eventName: 'AfterTool', durationMs: 250 },
  { ...deny, session: 's-2' },
  { eventName: 'BeforeModel', input: { llm_request: { model: 'm' } }, hooks: [] },
  { hooks: [{ status: 'timed-out', name: 'slow guard', dialect: 'eca' }] },
];

testInBrowser('a row has the time, session, event, subject, hooks, verdict and duration of its event', async () => {
  const { page, complaints } = await openEvents(mixed);
  expect(await cells(page, 'event')).toEqual(['BeforeTool', 'AfterTool', 'BeforeTool', 'BeforeModel', 'BeforeTool']);
  expect(await cells(page, 'subject')).toEqual(['write_file', 'write_file', 'write_file', '', 'write_file']);
  expect(await cells(page, 'verdict')).toEqual(['○ none', '○ none', '✗ deny', '○ none', '○ none']);
  expect((await cells(page, 'session'))[2]).toMatch(/^B\s+s-2$/);
  expect((await cells(page, 'duration'))[1]).toBe('250 ms');
  // All bars of a colour are one path. The event without hooks has none.
  const paths = await page.locator('.bar').evaluateAll((bars) => bars.map((bar) => [bar.getAttribute('class'), bar.getAttribute('d')]));
  expect(paths.map(([name, path]) => [name, path?.split('M').length])).toEqual([
    ['bar bar-ended bar-is-succeeded', 3],
    ['bar bar-ended bar-is-blocked', 2],
    ['bar bar-ended bar-is-timed-out', 2],
  ]);
  // None of them is new, although the list does not follow any more.
  await page.locator('#events-grid').press('Home');
  expect(await page.locator('.new-events').count()).toBe(0);
  expect(complaints).toEqual([]);
});

testInBrowser('30. the filter selects rows while it is typed, says what it ignores, and suggests what occurs', async () => {
  const { page } = await openEvents(mixed);
  const field = page.getByRole('combobox', { name: 'Filter' });
  for (const [filter, status] of [
    ['verdict:deny', '1 of 5 events'],
    ['-verdict:deny event:BeforeTool', '2 of 5 events'],
    ['hook:"slow guard"', '1 of 5 events'],
    ['status:timed-out dialect:eca', '1 of 5 events'],
    ['is:idle', '1 of 5 events'],
    ['slow:>200ms', '1 of 5 events'],
    ['session:s-2', '1 of 5 events'],
    ['tool:write_*', '4 of 5 events'],
    ['nothing-like-this', '0 of 5 events'],
    ['slow:fast', '5 events'],
  ] as const) {
    await field.fill(filter);
    await waitForStatus(page, status);
  }
  expect(await shownText(page.locator('#filter-problems'))).toContain('Write slow:>200ms.');
  await field.fill('event:B');
  expect(await page.locator('#filter-suggestions option').evaluateAll((all) => all.map((one) => one.getAttribute('value')))).toEqual([
    'event:BeforeModel',
    'event:BeforeTool',
  ]);
});

testInBrowser('a chip is a filter, and the filter is in the address without the token', async () => {
  const { page } = await openEvents(mixed);
  await page.getByRole('button', { name: 'deny', exact: true }).click();
  await waitForStatus(page, '1 of 5 events');
  expect(new URL(page.url()).hash).toBe('#filter=verdict%3Adeny');
});

testInBrowser('dragging over the minimap filters by time, and a click shows everything again', async () => {
  const { page } = await openEvents(Array.from({ length: 100 }, () => ({})));
  const map = page.getByRole('slider', { name: 'Time that is shown' });
  const box = await map.boundingBox();
  if (box === null) throw new Error('The minimap is not drawn.');
  await page.mouse.move(box.x + box.width / 2, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width + 5, box.y + 10);
  await page.mouse.up();
  await page
    .locator('#list-status')
    .getByText(/^\d+ of 100 events$/)
    .waitFor();
  const shown = Number((await shownText(page.locator('#list-status'))).split(' ')[0]);
  expect(shown).toBeGreaterThan(40);
  expect(shown).toBeLessThan(60);
  await page.mouse.click(box.x + 10, box.y + 10);
  await waitForStatus(page, '100 events');
});

testInBrowser('33. the export of a filtered list is a recording that shows the same rows when it is opened', async () => {
  const { page } = await openEvents(mixed, { fragment: '&filter=event%3ABeforeTool' });
  await waitForStatus(page, '3 of 5 events');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export (masked)' }).click()]);
  const file = pathOf('exported.bus.jsonl');
  await download.saveAs(file);
  expect(readFileSync(file, 'utf8').split('\n')[0]).toContain('tenterhook-bus-recording');
  expect((await readRecording(file)).exchanges).toHaveLength(3);
  const again = await inspect({ recordings: [file] });
  const columns = ['event', 'subject', 'hooks', 'verdict', 'duration'];
  const before = await Promise.all(columns.map((column) => cells(page, column)));
  await page.goto('about:blank');
  await page.goto(again.privateUrl);
  await waitForStatus(page, '3 events');
  expect(await Promise.all(columns.map((column) => cells(page, column)))).toEqual(before);
});

testInBrowser('37. a reload keeps the token and the view; a browser without the token shows how to get one', async () => {
  const { page, inspector } = await openEvents(mixed, { fragment: '&filter=verdict%3Adeny&event=2' });
  await page.getByRole('tab', { name: 'Verdict' }).waitFor();
  expect(page.url()).not.toContain('token');
  await page.reload();
  await waitForStatus(page, '1 of 5 events');
  expect(await shownText(page.locator('.details h2'))).toBe('BeforeTool write_file');
  expect(await page.evaluate('history.length')).toBeLessThanOrEqual(2);
  const other = await newContext();
  const stranger = await other.newPage();
  await stranger.goto(inspector.url);
  expect(await stranger.locator('main').textContent()).toMatch(/This tab has no token[\s\S]*tenterhook inspect/);
  // A token of an inspector that has ended.
  await stranger.goto('about:blank');
  await stranger.goto(`${inspector.url}#token=${'x'.repeat(43)}`);
  await stranger.getByText('This address is no longer valid').waitFor();
  expect(await stranger.evaluate('sessionStorage.length')).toBe(0);
  // The address of the inspector that runs, in the same tab.
  await stranger.goto(inspector.privateUrl);
  await stranger.locator('#event-0').waitFor();
  // An address with a code, in the tab of an inspector that has ended.
  await stranger.evaluate(`sessionStorage.setItem('tenterhook-token', '${'x'.repeat(43)}')`);
  await stranger.reload();
  await stranger.getByText('This address is no longer valid').waitFor();
  await stranger.goto(inspector.createOpeningUrl());
  await stranger.locator('#event-0').waitFor();
  expect(stranger.url()).not.toContain('code');
  await other.close();
});

testInBrowser('37. a browser that keeps nothing of sites shows the page, and after a reload how to get another token', async () => {
  const inspector = await inspectEvents(mixed);
  const context = await newContext();
  const page = await context.newPage();
  // What such a browser does, by its settings.
  await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied for this document.', 'SecurityError'); } });
  }`);
  const complaints = complaintsOf(page, inspector.url);
  await page.goto(inspector.createOpeningUrl());
  await page.locator('#event-4').waitFor();
  await page.reload();
  await page.getByText('This tab has no token').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

testInBrowser('a scroll gives the rows that come into view the elements of others, in the order of the list', async () => {
  const { page } = await openEvents(Array.from({ length: 5_000 }, (_, n) => ({ durationMs: n % 900 })));
  await page.locator('#event-4999').waitFor();
  await page.evaluate('for (const row of document.querySelectorAll(".grid-body .line")) row.isFirst = true');
  // Up by less than a page, by more than a page, and to an end.
  for (const top of [119_000, 118_990, 60_000, 60_400, 0, 1_000]) {
    await page.evaluate(`document.getElementById('events-grid').scrollTop = ${top}`);
    await page.locator(`#event-${Math.ceil(top / 24)}`).waitFor();
    const rows = await page.evaluate<readonly [n: string, index: number, duration: string, isFirst: boolean][]>(`
      [...document.querySelectorAll('.grid-body .line')].map((row) =>
        [row.id, Number(row.getAttribute('aria-rowindex')), row.querySelector('.cell-duration').textContent, row.isFirst === true])`);
    const first = rows[0]?.[1] ?? 0;
    expect(rows.map(([id, index, duration]) => [id, index, duration])).toEqual(
      rows.map((_, place) => [`event-${first + place - 2}`, first + place, `${(first + place - 2) % 900} ms`]),
    );
    // An end has up to five rows less, because there is nothing beyond its edge.
    expect(rows.filter(([, , , isFirst]) => !isFirst).length).toBeLessThanOrEqual(10);
    expect(rows.length).toBeGreaterThan(20);
  }
});
