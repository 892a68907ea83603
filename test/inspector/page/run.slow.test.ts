import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { until } from '../../support/until.js';
import { startInspect } from '../page-client.js';
import { complaintsOf, inspectEvents, newContext, open, pathOf, shownText, stopAll, testInBrowser } from './browser.js';
import { writeRecordingOf } from './recorded-events.js';

afterAll(stopAll);

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let homes = 0;

/** `tenterhook inspect --allow-run` of a recording, with hooks of the user, and its page with the tab "Fire again" open. */
async function opening(command: (at: (name: string) => string) => string, use: (opened: Opened) => Promise<void>): Promise<void> {
  homes += 1;
  const home = pathOf(`home-${homes}`);
  const at = (name: string) => `${home}/${name}`;
  mkdirSync(at('.claude'), { recursive: true });
  mkdirSync(at('project'));
  const hook = { type: 'command', command: command(at) };
  writeFileSync(at('.claude/settings.json'), JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }));
  writeRecordingOf(at('run.bus.jsonl'), [{}]);
  const { cli, client } = await startInspect(['--allow-run', '--recording', at('run.bus.jsonl')], {
    cwd: at('project'),
    env: { HOME: home },
  });
  try {
    const { url, token } = await client();
    const context = await newContext();
    const page = await context.newPage();
    const complaints = complaintsOf(page, url);
    await page.goto(`${url}#token=${token}`);
    await page.locator('.grid-body .line').click();
    await page.getByRole('tab', { name: 'Fire again' }).click();
    await use({ page, at, complaints });
    await context.close();
  } finally {
    cli.kill('SIGINT');
    await cli.ended;
  }
}

interface Opened {
  readonly page: Page;
  readonly complaints: readonly string[];
  readonly at: (name: string) => string;
}

const runButton = (page: Page) => page.getByRole('tabpanel').getByRole('button', { name: 'Run', exact: true });
const focusedName = (page: Page) => page.evaluate<string>('document.activeElement.textContent');
const answer = (page: Page) => page.getByRole('region', { name: 'Answer of the run' });

async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe);
  return page.evaluate<string[]>(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + nodes.map(({ html }) => html)))',
  );
}

testInBrowser('13. Run asks first and names the commands; Cancel and Esc run nothing, and Run shows the answer', () =>
  opening(
    (at) => `printf 'one\\033[31mtwo\\342\\200\\256'; touch ${at('ran')}; echo 'Not today.' >&2; exit 2`,
    async ({ page, at, complaints }) => {
      const dialog = page.getByRole('dialog', { name: 'Run BeforeTool?' });
      await runButton(page).focus();
      await page.keyboard.press('Enter');
      await dialog.waitFor();
      expect(await shownText(dialog.getByRole('region'))).toContain(`touch ${at('ran')}; echo 'Not today.' >&2; exit 2`);
      expect(await shownText(dialog)).toContain(`in ${at('project')}`);
      expect(await focusedName(page)).toBe('Cancel');
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      expect(await focusedName(page)).toBe('Run');

      await page.keyboard.press('Enter');
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      // Esc has closed the dialog only.
      expect(await page.getByRole('tabpanel').isVisible()).toBe(true);
      expect([existsSync(at('ran')), await answer(page).count()]).toEqual([false, 0]);

      await runButton(page).click();
      await dialog.getByRole('button', { name: 'Run' }).click();
      const shown = await shownText(answer(page));
      expect(shown).toMatch(/Verdict\s+✗ deny\s+Reason\s+Not today\./);
      expect(shown).toMatch(/✗ blocked/);
      expect(shown).toMatch(/Exit code\s+2/);
      // Not the visible text: the browser does not lay out what is below the fold.
      expect(await answer(page).getByRole('region', { name: 'stdout' }).textContent()).toBe('onetwo\\u202e');
      expect(await answer(page).getByRole('region', { name: 'stderr' }).textContent()).toBe('Not today.\n');
      expect([existsSync(at('ran')), await violations(page), complaints]).toEqual([true, [], []]);
    },
  ),
);

testInBrowser('13. a command is shown without its colours, so that it can hide nothing, and Stop ends what runs', () =>
  opening(
    (at) => `: '\u001b[8mhidden\u001b[0m'; touch ${at('begun')}; sleep 600`,
    async ({ page, at }) => {
      await runButton(page).click();
      const dialog = page.getByRole('dialog');
      expect(await shownText(dialog.getByRole('region'))).toContain('\\x1b[8mhidden\\x1b[0m');
      await dialog.getByRole('button', { name: 'Run' }).click();
      await until('the hook runs', () => existsSync(at('begun')));
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText('Stopped.', { exact: true }).waitFor();
      expect(await answer(page).count()).toBe(0);
    },
  ),
);

testInBrowser('13. settings that change while the dialog is open start nothing, and the page asks again', () =>
  opening(
    (at) => `touch ${at('ran')}`,
    async ({ page, at }) => {
      const dialog = page.getByRole('dialog');
      await runButton(page).click();
      await dialog.waitFor();
      const hook = { type: 'command', command: `touch ${at('other')}` };
      writeFileSync(at('.claude/settings.json'), JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }));
      await dialog.getByRole('button', { name: 'Run' }).click();
      await page.getByText('Press Run again to see the new ones.').waitFor();
      expect([existsSync(at('ran')), existsSync(at('other'))]).toEqual([false, false]);
      await runButton(page).click();
      expect(await shownText(dialog.getByRole('region'))).toContain(`touch ${at('other')}`);
      await dialog.getByRole('button', { name: 'Run' }).click();
      await answer(page).waitFor();
      expect([existsSync(at('ran')), existsSync(at('other'))]).toEqual([false, true]);
    },
  ),
);

testInBrowser('13. without --allow-run there is no button Run', async () => {
  const { page } = await open(await inspectEvents([{}]));
  await page.locator('.grid-body .line').click();
  await page.getByRole('tab', { name: 'Fire again' }).click();
  await page.getByRole('button', { name: 'Explain' }).waitFor();
  expect(await runButton(page).count()).toBe(0);
});
