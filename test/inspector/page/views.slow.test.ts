import { inspect, open, openEvents, pathOf, shownText, stopAll, testInBrowser } from './browser.js';
import { writeRecordingOf } from './recorded-events.js';

afterAll(stopAll);

const hookId = 'llxprt/project/BeforeTool/hook-0';

testInBrowser('35. settings files have their state, and their problems have file, line and remedy', async () => {
  const file = pathOf('settings.bus.jsonl');
  const about = {
    hooks: [
      { hookId: 'off', eventName: 'BeforeTool', dialect: 'llxprt', source: 'project', name: 'sleeper', off: 'switched off in the project' },
    ],
    files: [{ file: '.llxprt/settings.json', source: 'project', dialect: 'llxprt', state: 'invalid' }],
    diagnostics: [
      {
        code: 'invalid_value',
        severity: 'error',
        message: '"timeout" is "5s".',
        remedy: 'Write 5000.',
        file: '.llxprt/settings.json',
        line: 12,
        path: 'hooks.BeforeTool[0].timeout',
      },
    ],
  };
  writeRecordingOf(file, [{}], { about });
  const { page, complaints } = await open(await inspect({ recordings: [file] }), { fragment: '&view=settings' });
  await page.locator('.diagnostics li').waitFor();
  const shown = await shownText(page.locator('.view'));
  expect(shown).toMatch(
    /✗ error \.llxprt\/settings\.json:12 hooks\.BeforeTool\[0\]\.timeout: "timeout" is "5s"\.\s+Write 5000\.\s+invalid_value/,
  );
  expect(shown).toMatch(/\.llxprt\/settings\.json\s+project\s+llxprt\s+invalid/);
  expect(shown).toMatch(/sleeper: switched off in the project/);
  expect(complaints).toEqual([]);
});

testInBrowser('the hooks have their figures, and lead to their events', async () => {
  const events = Array.from({ length: 25 }, (_, index) => ({ durationMs: index + 1, hooks: [{ durationMs: index + 1 }] }));
  const { page, complaints } = await openEvents(events, { fragment: '&view=hooks' });
  const row = page.getByRole('row', { name: /hook-0/ });
  expect(await shownText(row)).toMatch(/hook-0\s+BeforeTool\s+25\s+13 ms\s+24 ms\s+25 ms/);
  expect(await row.locator('polyline').count()).toBe(1);
  await page.getByRole('button', { name: 'hook-0' }).click();
  expect(await page.locator('#filter').inputValue()).toBe(`hook:${hookId}`);
  expect(complaints).toEqual([]);
});

testInBrowser('the agents that run are listed, and the page says how to change to another one', async () => {
  const file = pathOf('agents.bus.jsonl');
  writeRecordingOf(file, [{}]);
  const agent = { cwd: '/srv/app', startedAt: '2026-11-01T10:00:00.000Z', version: '0.1.0' };
  const agents = [
    { ...agent, pid: 101, name: 'first', isAttached: true },
    { ...agent, pid: 102, name: 'second', isAttached: false },
  ];
  const { page } = await open(await inspect({ recordings: [file], findAgents: async () => agents }), { fragment: '&view=agents' });
  await page.locator('.agents li').first().waitFor();
  expect(await shownText(page.locator('.agents li').nth(0))).toMatch(/first pid 101, version 0\.1\.0[\s\S]*● attached/);
  expect(await page.getByRole('button', { name: 'Attach' }).count()).toBe(1);
  await page.getByRole('button', { name: 'Attach' }).click();
  await page.getByText('Run "tenterhook inspect --attach 102" in a terminal.').waitFor();
  agents.pop();
  await page.getByRole('button', { name: 'Look again' }).click();
  await page.getByText('second').waitFor({ state: 'detached' });
});

testInBrowser('originals of secrets are shown below a red band only', async () => {
  const file = pathOf('unmasked.bus.jsonl');
  writeRecordingOf(file, [{}]);
  const { page } = await open(await inspect({ recordings: [file], mask: false }));
  await page.getByText('Secrets are not masked.').waitFor();
  const masked = await openEvents([{}]);
  await masked.page.getByText('Recording', { exact: false }).first().waitFor();
  expect(await masked.page.locator('.unmasked').count()).toBe(0);
});

testInBrowser('the page says that the inspector has ended, and keeps what it shows', async () => {
  const { page, inspector } = await openEvents([{}, {}]);
  await inspector.close();
  await page.locator('[data-state=unreachable]').waitFor();
  expect(await shownText(page.locator('.connection'))).toContain('The inspector does not answer');
  await page.locator('#announcement').getByText('The inspector does not answer.').waitFor({ state: 'attached' });
  expect(await page.locator('.grid-body .line').count()).toBe(2);
  await page.locator('.grid-body .line').first().click();
  await page.getByText('Look at the terminal in which it was started.').waitFor();
});
