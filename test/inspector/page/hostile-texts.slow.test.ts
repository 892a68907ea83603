import { readFileSync } from 'node:fs';
import { inspect, inspectEvents, launch, newContext, open, openEvents, pathOf, shownText, stopAll, testInBrowser } from './browser.js';
import { writeRecordingOf } from './recorded-events.js';

afterAll(stopAll);

const hostile: readonly string[] = [
  '<img src=x onerror=alert(1)>',
  '</script><script>alert(1)</script>',
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  'a\u202eb\u2066c\u200bd',
  '\u001b]8;;x-evil:y\u0007link\u001b]8;;\u0007',
  '\u001b[2J\u001b[31mred\u001b[0m',
  '__proto__',
  'constructor',
  '\u0000\u0007\ud800',
  '<svg><script href="data:,alert(1)"/></svg>',
  'data:text/html,<script>alert(1)</script>',
  '\u{e0041}\u{e0042}\u3164\u115f\ufeff\u00ad\u2028\u2029\u061c\u180e',
  `z${'\u0301\u0489'.repeat(200)}`,
  'one\rtwo\u0008\u0008\u007f\u0085\u009b31m',
  '\u202e\u05d0\u05d1 abc \u2067\u0627\u0644',
  'x'.repeat(20_000),
];
const escapes = { '\u202e': '\\u202e', '\u001b': '\\x1b', '\u200b': '\\u200b' };

const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u180e\u200b-\u200f\u2028-\u202e\u2066-\u2069\u3164\ufeff]|[\ud800-\udfff]|[\u{e0000}-\u{e0fff}]/u;

/** Counts elements that the page never makes itself. */
const foreign = 'document.querySelectorAll("img, iframe, object, embed, form, a, script:not([src]), style").length';

/** An event in which every text is hostile. */
const events = hostile.map((text, index) => ({
  eventName: 'BeforeTool',
  session: text,
  input: JSON.parse(`{"tool_name":${JSON.stringify(text)},"tool_input":{${JSON.stringify(text)}:${JSON.stringify(text)}}}`) as object,
  verdict: { kind: 'deny', reason: text, by: [text] },
  changes: [{ hookId: text, path: text, before: JSON.parse(`{${JSON.stringify(text)}:1}`), after: `${text}\n${index}` }],
  hooks: [
    {
      hookId: text,
      name: text,
      dialect: text,
      file: text,
      command: text,
      stdout: text,
      stderr: text,
      status: 'blocked',
      output: { decision: 'deny', reason: text },
      warnings: [{ code: text, message: text }],
    },
  ],
}));

const about = {
  events: hostile,
  hooks: hostile.map((text) => ({
    hookId: text,
    eventName: text,
    dialect: text,
    source: text,
    name: text,
    off: text,
    matcher: text,
    file: text,
  })),
  files: hostile.map((text) => ({ file: text, source: text, dialect: text, state: text })),
  diagnostics: [
    ...hostile.map((text) => ({ code: text, severity: 'error', message: text, remedy: text, file: text, path: text, line: 1 })),
    // Not even the types are those that Tenterhook writes.
    {
      code: 'x',
      severity: hostile,
      message: 'x',
      remedy: [hostile[4]],
      file: { a: 1 },
      path: { type: 'img', props: { src: 'x' } },
      line: [],
    },
  ],
};
const header = { id: hostile[0], writer: { name: hostile[1], version: hostile[4], node: hostile[6], platform: hostile[0] } };

testInBrowser('10. hostile texts are shown as text: no request, no message, no violation, and the layout stays whole', async () => {
  const file = pathOf('<img src=x onerror=alert(1)>\u202e.bus.jsonl');
  writeRecordingOf(file, events as never, { header, about });
  const inspector = await inspect({ recordings: [file] });
  const { page, complaints } = await open(inspector);
  await page.locator('.grid-body .line').first().waitFor();
  for (let n = 0; n < events.length; n += 1) {
    await page.locator('#events-grid').focus();
    await page.keyboard.press(n === 0 ? 'Home' : 'j');
    if (n === 0) await page.keyboard.press('Enter');
    for (const tab of ['Verdict', 'Hooks', 'Changes', 'Not run', 'Messages', 'Fire again']) {
      await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
      const shown = await shownText(page.locator('.details'));
      // No element came from a text.
      expect(await page.evaluate(foreign)).toBe(0);
      expect(shown).not.toMatch(unseen);
    }
  }
  await page.keyboard.press('Escape');
  for (const view of ['Hooks', 'Settings', 'Agents', 'Events']) {
    await page.locator('nav').getByRole('button', { name: view }).click();
    await page.locator('#main').getByRole('heading').first().waitFor({ state: 'attached' });
    if (view === 'Settings') await page.locator('.diagnostics li').first().waitFor();
    if (view === 'Hooks') await page.locator('tbody tr').first().waitFor();
    expect(await shownText(page.locator('#page'))).not.toMatch(unseen);
    expect(await page.evaluate(foreign)).toBe(0);
  }
  expect(complaints).toEqual([]);
  // Only the scrollers of the page scroll.
  expect(
    await page.evaluate('document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight'),
  ).toBe(true);
  expect(await page.evaluate(foreign)).toBe(0);
  expect(await page.evaluate('document.querySelectorAll(".grid-body .line").length')).toBe(hostile.length);
  expect(await page.evaluate('[...document.querySelectorAll(".grid-body .line")].every((line) => line.offsetHeight === 24)')).toBe(true);
});

/** What the settings files say, and what a run of the event prints. */
const asked = {
  hooks: hostile.map((text, index) => ({
    ...{ hookId: `${index} ${text}`, name: text, wouldRun: true, reason: text, stage: 1 },
    ...{ kind: 'command', command: text, url: text, cwd: text },
  })),
  issues: hostile.map((text) => ({ path: text, message: text, remedy: text })),
};
const ran = {
  request: { correlationId: hostile[0], eventName: 'BeforeTool', input: { [hostile[1] as string]: hostile[4] } },
  progress: [],
  response: {
    correlationId: hostile[0],
    success: true,
    output: {
      ...{ success: true, changes: [], allOutputs: [], errors: [], totalDuration: 1 },
      verdict: { kind: 'deny', reason: hostile.join(' '), stop: false, by: hostile, stoppedBy: [] },
      outcomes: hostile.map((text) => ({
        ...{ hookId: text, name: text, eventName: text, source: text, dialect: text, status: 'blocked', durationMs: 1 },
        ...{ stdout: text, stderr: text, output: { decision: 'deny', reason: text }, warnings: [{ code: text, message: text }] },
      })),
    },
  },
};

testInBrowser('10. hostile texts of settings files, runs, agents and comparisons are shown as text', async () => {
  const files = [pathOf('one.bus.jsonl'), pathOf('two.bus.jsonl')] as const;
  writeRecordingOf(files[0], events as never, { header, about });
  writeRecordingOf(files[1], events.map((event) => ({ ...event, verdict: { kind: 'none' }, hooks: [] })) as never);
  const inspector = await inspect({
    recordings: files,
    askFiles: async () => asked,
    runFiles: async (_body, _signal, requireShown) => {
      requireShown(asked);
      return ran;
    },
    findAgents: async () =>
      hostile.map((text, index) => ({ pid: index + 1, name: text, cwd: text, startedAt: text, version: text, isAttached: false })),
    findAgent: async () => {
      throw new Error(hostile.join(' '));
    },
  });
  const { page, complaints } = await open(inspector, { fragment: '&event=0' });
  const isSafe = async (selector: string) => {
    expect(await shownText(page.locator(selector))).not.toMatch(unseen);
    expect(await page.evaluate(foreign)).toBe(0);
  };
  await page.getByRole('tab', { name: 'Fire again' }).click();
  await page.getByRole('button', { name: 'Explain' }).click();
  await page.getByRole('region', { name: 'Which hooks would run' }).waitFor();
  await isSafe('.details');
  await page.getByRole('tabpanel').getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await isSafe('dialog[open]');
  await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('region', { name: 'Answer of the run' }).waitFor();
  await isSafe('.details');
  await page.keyboard.press('Escape');
  for (const view of ['Agents', 'Compare']) {
    await page.locator('nav').getByRole('button', { name: view }).click();
    await page
      .locator(view === 'Agents' ? '.agents li' : '.view details')
      .first()
      .waitFor();
    await isSafe('#page');
  }
  await page.locator('nav').getByRole('button', { name: 'Agents' }).click();
  await page.getByRole('button', { name: 'Attach' }).first().click();
  await page.getByRole('alert').waitFor();
  await isSafe('#page');
  expect(complaints.filter((complaint) => !complaint.includes('409 (Conflict)'))).toEqual([]);
});

testInBrowser('10. a line of a megabyte is shown in pieces, and an export has it whole', async () => {
  const line = `${'<b>\u202e\u0000'.repeat(200_000)}end`;
  const { page, complaints } = await openEvents([
    {
      input: { tool_name: 'write_file', tool_input: { content: line } },
      verdict: { kind: 'deny', reason: line, by: ['x'] },
      changes: [{ hookId: 'x', path: 'tool_input.content', before: line, after: `${line}.` }],
      hooks: [{ stdout: line, status: 'blocked' }],
    },
  ]);
  await page.locator('.grid-body .line').click();
  for (const tab of ['Verdict', 'Hooks', 'Changes', 'Messages', 'Fire again']) {
    await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
    expect(await shownText(page.locator('.details'))).not.toMatch(unseen);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  }
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export (masked)' }).click();
  const file = await (await download).path();
  const recorded = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as { payload?: { input?: { tool_input: object } } });
  expect(recorded[1]?.payload?.input?.tool_input).toEqual({ content: line });
  expect((await download).suggestedFilename()).toBe('inspected.bus.jsonl');
  expect(complaints).toEqual([]);
});

testInBrowser('10. characters that cannot be seen are shown as escapes, and colours are classes', async () => {
  const text = `${Object.keys(escapes).join('')}\u001b[1;32mgreen\u001b[0m`;
  const inspector = await inspectEvents([{ hooks: [{ stdout: text }], input: { tool_name: text, tool_input: {} } }]);
  const { page } = await open(inspector, { fragment: '&event=0' });
  await page.getByRole('tab', { name: /^Hooks/ }).click();
  const block = page.getByRole('region', { name: 'stdout' });
  expect(await shownText(block)).toBe(`${Object.values(escapes).join('')}green`);
  expect(await block.locator('.sgr-colour-2.sgr-bold').allInnerTexts()).toEqual(['green']);
  expect(await page.locator('.cell-subject .escape').first().allInnerTexts()).toEqual(['\\u202e']);
});

testInBrowser('3. the page of another name that resolves to this machine reads nothing', async () => {
  const file = pathOf('rebinding.bus.jsonl');
  writeRecordingOf(file, [{ input: { tool_name: 'secret-tool', tool_input: {} } }]);
  const inspector = await inspect({ recordings: [file] });
  // This browser asks before a page of the network reaches this machine. Others do not, so the server must not count on it.
  const rebinding = await launch(['--host-resolver-rules=MAP evil.test 127.0.0.1', '--disable-features=LocalNetworkAccessChecks']);
  try {
    const page = await (await newContext({}, rebinding)).newPage();
    const origin = `http://evil.test:${inspector.port}`;
    // The stranger's server answers the first request. From then on, the name leads to this machine.
    await page.route(`${origin}/start`, (route) => route.fulfill({ contentType: 'text/html', body: '<p>A page of a stranger.</p>' }));
    await page.goto(`${origin}/start`);
    const token = inspector.privateUrl.split('token=')[1];
    for (const path of ['/', '/app.js', '/api/about', '/api/stream', '/api/events/0']) {
      const answer = await page.evaluate(`
        fetch('${path}', { headers: { authorization: 'Bearer ${token}' } })
          .then(async (response) => [response.status, await response.text()])
          .catch((error) => [0, String(error)])`);
      expect([path, answer]).toEqual([path, [421, '']]);
    }
  } finally {
    await rebinding.close();
  }
});
