import { until } from '../../support/until.js';
import { openEvents, shownText, stopAll, testInBrowser } from './browser.js';

afterAll(stopAll);

const hookId = 'llxprt/project/BeforeTool/hook-0';

testInBrowser('the details say who decided and why, and have the hooks with what they printed', async () => {
  const { page, complaints } = await openEvents([
    {
      verdict: { kind: 'deny', reason: 'Not in this folder.', by: [hookId] },
      hooks: [
        {
          status: 'blocked',
          exitCode: 2,
          stderr: 'Not in this folder.\n',
          stderrBytes: 20,
          output: { decision: 'deny', reason: 'Not in this folder.' },
        },
      ],
    },
  ]);
  await page.locator('.grid-body .line').click();
  const verdict = await shownText(page.getByRole('tabpanel'));
  expect(verdict).toMatch(/Verdict\s+✗ deny\s+Reason\s+Not in this folder\.\s+Decided by\s+hook-0/);
  expect(await page.getByLabel('Command').inputValue()).toMatch(/^tenterhook fire BeforeTool --input/);
  await page.getByRole('tab', { name: 'Hooks (1)' }).click();
  const hook = await shownText(page.getByRole('tabpanel'));
  expect(hook).toMatch(/✗ blocked hook-0/);
  expect(hook).toMatch(/Exit code\s+2/);
  expect(await shownText(page.getByRole('region', { name: 'stderr' }))).toBe('Not in this folder.\n');
  await page.getByRole('button', { name: 'Only this hook' }).click();
  expect(await page.locator('#filter').inputValue()).toBe(`hook:${hookId}`);
  expect(complaints).toEqual([]);
});

testInBrowser('27. a change of JSON is shown by path, and of a text of 2,000 lines only the lines around the change', async () => {
  const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index + 1}`);
  const before = { path: 'a.txt', edits: [{ old: 1 }, { old: 2 }], content: lines.join('\n') };
  const after = { path: 'b.txt', edits: [{ old: 1 }, { old: 3 }], content: lines.with(999, 'line <b>1000</b>').join('\n') };
  const { page, complaints } = await openEvents([{ changes: [{ hookId, path: 'tool_input', before, after }] }]);
  await page.locator('.grid-body .line').click();
  await page.getByRole('tab', { name: 'Changes (1)' }).click();
  expect(await page.locator('.change .path').allInnerTexts()).toEqual(['path', 'edits[1].old', 'content']);
  expect(await page.getByRole('region', { name: 'Change', exact: true }).allInnerTexts()).toEqual(['- "a.txt"\n+ "b.txt"', '- 2\n+ 3']);
  const diff = await shownText(page.getByRole('region', { name: 'Changed lines' }));
  expect(diff.trimEnd().split('\n')).toEqual([
    '@ line 997',
    '  line 997',
    '  line 998',
    '  line 999',
    '- line 1000',
    '+ line <b>1000</b>',
    '  line 1001',
    '  line 1002',
    '  line 1003',
  ]);
  expect(complaints).toEqual([]);
});

testInBrowser('the rest of a long text is fetched when it is asked for, and no character is lost', async () => {
  const text = Array.from({ length: 30_000 }, (_, index) => `${index} ä€😀`).join('\n');
  const { page } = await openEvents([{ hooks: [{ stdout: text, stdoutBytes: Buffer.byteLength(text) }] }]);
  await page.locator('.grid-body .line').click();
  await page.getByRole('tab', { name: 'Hooks (1)' }).click();
  const more = page.getByRole('button', { name: 'Show more of stdout' });
  const block = page.getByRole('region', { name: 'stdout' });
  // Each block of lines ends a line.
  const shown = async () => (await block.locator('.lines').allTextContents()).join('\n');
  const lengths = new Set<number>();
  await block.waitFor();
  while ((await more.count()) > 0) {
    const { length } = await shown();
    expect(lengths.has(length)).toBe(false);
    lengths.add(length);
    await more.click();
    await until('the next piece is shown', async () => (await shown()).length > length);
  }
  expect(lengths.size).toBeGreaterThan(1);
  expect(await shown()).toBe(text);
});
