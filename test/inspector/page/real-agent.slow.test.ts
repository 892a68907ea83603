import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createHooks } from 'tenterhook';
import { until } from '../../support/until.js';
import { cells, inspect, open, pathOf, shownText, stopAll, testInBrowser } from './browser.js';

afterAll(stopAll);

const command = (name: string, text: string) => ({ type: 'command' as const, name, command: text });
const settings = {
  hooks: {
    BeforeTool: [
      { matcher: 'write_file', hooks: [command('sum', 'sha256sum'), command('guard', 'echo "not here" >&2; exit 2')] },
      { matcher: 'read_file', hooks: [command('reader', 'cat > /dev/null')] },
    ],
  },
};

testInBrowser(
  '25, 26 and 34. a real agent: stdin as the hook read it, why another hook did not run, and who would run for edited input',
  async () => {
    const runtime = pathOf('run');
    mkdirSync(runtime, { mode: 0o700 });
    const before = process.env['XDG_RUNTIME_DIR'];
    process.env['XDG_RUNTIME_DIR'] = runtime;
    try {
      const projectDir = pathOf('project');
      mkdirSync(projectDir);
      await using hooks = await createHooks({
        projectDir,
        sessionId: 's-1',
        inspect: { stdin: true, name: 'demo' },
        trust: 'all',
        settings,
      });
      const inspector = await inspect({ agent: { socket: `${runtime}/tenterhook/${process.pid}.sock`, name: 'demo' } });
      const { page, complaints } = await open(inspector);
      await page.locator('[data-state=connected]').waitFor();
      await hooks.fire('BeforeTool', { tool_name: 'write_file', tool_input: { path: 'a.txt' } });
      await until('the event is denied', async () => (await cells(page, 'verdict'))[0] === '✗ deny');
      await page.locator('.grid-body .line').click();
      await page.getByRole('tab', { name: 'Hooks (2)' }).click();
      const stdin = await page.getByRole('region', { name: 'stdin' }).first().textContent();
      const stdout = await page.getByRole('region', { name: 'stdout' }).first().textContent();
      expect(stdout).toContain(
        createHash('sha256')
          .update(stdin as string)
          .digest('hex'),
      );
      await page.getByRole('tab', { name: /^Not run/ }).click();
      expect(await shownText(page.getByRole('tabpanel'))).toMatch(/reader[\s\S]*read_file/);
      await page.getByRole('tab', { name: 'Fire again' }).click();
      const field = page.getByLabel('Input of BeforeTool');
      const input = JSON.parse(await field.inputValue()) as Record<string, unknown>;
      await field.fill(JSON.stringify({ ...input, tool_name: 'read_file' }));
      await page.getByRole('button', { name: 'Explain' }).click();
      const answers = page.getByRole('region', { name: 'Which hooks would run' });
      expect(await shownText(answers.getByRole('row', { name: /reader/ }))).toMatch(/– did not run\s+✓ would run \(differs\)/);
      expect(await shownText(answers.getByRole('row', { name: /guard/ }))).toMatch(/✓ ran\s+– would not run \(differs\)/);
      await field.fill('{"tool_name":5}');
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.locator('.details .warnings').getByText('tool_name', { exact: false }).first().waitFor();
      await field.fill('not JSON');
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.getByText('The input is not valid JSON').waitFor();
      // Nothing was started: there is still one event.
      expect(await cells(page, 'event')).toEqual(['BeforeTool']);
      expect(complaints).toEqual([]);
    } finally {
      if (before === undefined) delete process.env['XDG_RUNTIME_DIR'];
      else process.env['XDG_RUNTIME_DIR'] = before;
    }
  },
);
