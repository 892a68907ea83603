import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { createHooks } from 'tenterhook';
import { Chromium, type OpenedPage } from '../support/chromium.js';
import { testWithPrograms } from '../support/program.js';
import { runCli } from '../support/run-cli.js';

// A browser that starts on a busy machine takes long.
jest.setTimeout(300_000);

let browser: Chromium | undefined;
const open = (file: string) => {
  browser ??= new Chromium();
  return browser.open(file);
};
afterAll(() => browser?.stop());

const directory = mkdtempSync(join(tmpdir(), 'report-page-'));
afterAll(() => rmSync(directory, { recursive: true }));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const names = ['</style><script>document.title = "run"</script>', '<img src="http://127.0.0.1:1/x.png" onerror="x()">', 'plain'];

/** Writes the report of a run of these hooks, as `tenterhook report` does. */
async function writeReport(option: '--html' | '--svg'): Promise<string> {
  const kind = option.slice(2);
  const [recorded, page] = [`${kind}.bus.jsonl`, `report.${kind}`];
  const hooks = names.map((name) => ({ name, command: 'cat > /dev/null' }));
  const record = { file: join(directory, recorded) };
  await using fired = await createHooks({ settings: { hooks: { BeforeTool: [{ hooks }] } }, record });
  await fired.fire('BeforeTool', { tool_name: 'write_file', tool_input: {} });
  await fired.dispose();
  expect(await runCli(['report', recorded, option, page], { cwd: directory })).toMatchObject({ status: 0 });
  return join(directory, page);
}

testWithPrograms(
  ['chromium'],
  'record-replay case 40: the page of a report opens in Chromium without a request, a message or a violation; names are text; axe finds nothing',
  async () => {
    const file = await writeReport('--html');
    const { requests, complaints, evaluate } = await open(file);
    expect([requests, complaints]).toEqual([[`file://${file}`], []]);
    expect(await evaluate('[...document.querySelectorAll("tbody th")].map((cell) => cell.textContent).sort()')).toEqual([...names].sort());
    expect(await evaluate('[document.title, document.scripts.length, document.images.length]')).toEqual(['html.bus.jsonl', 0, 0]);
    expect(await findViolations(evaluate)).toEqual([]);
  },
);

testWithPrograms(['chromium'], 'record-replay case 40: the picture of a report opens in Chromium in the same way', async () => {
  const file = await writeReport('--svg');
  const { requests, complaints, evaluate } = await open(file);
  expect([requests, complaints]).toEqual([[`file://${file}`], []]);
  expect(await evaluate('document.querySelectorAll("circle").length')).toBe(names.length);
});

testWithPrograms(['chromium'], 'a page that requests, logs, and violates its policy and the rules of axe is noticed', async () => {
  const file = join(directory, 'bad.html');
  const policy = `<meta http-equiv="Content-Security-Policy" content="img-src 'none'">`;
  const style = '<link rel="stylesheet" href="http://127.0.0.1:1/x.css">';
  writeFileSync(file, `<!doctype html>${policy}${style}<script>console.log("logged")</script><img src="http://127.0.0.1:1/x.png">`);
  const { requests, complaints, evaluate } = await open(file);
  expect(requests).toContain('http://127.0.0.1:1/x.css');
  expect(complaints.join()).toMatch(/logged/);
  expect(complaints.join()).toMatch(/ContentSecurityPolicyIssue/);
  expect((await findViolations(evaluate)).map(({ id }) => id)).toContain('image-alt');
});

/** What axe finds in a page, with the elements. */
async function findViolations(evaluate: OpenedPage['evaluate']): Promise<{ readonly id: string; readonly elements: string[] }[]> {
  await evaluate(axe);
  return evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => ({ id, elements: nodes.map(({ html }) => html) })))',
  );
}
