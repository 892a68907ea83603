import { inspect, inspectEvents, launch, newContext, open, pathOf, shownText, stopAll, testInBrowser } from './browser.js';
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
  'x'.repeat(20_000),
];
const escapes = { '\u202e': '\\u202e', '\u001b': '\\x1b', '\u200b': '\\u200b' };

const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]/u;

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
