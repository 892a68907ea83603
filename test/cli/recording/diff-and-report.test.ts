import { readFileSync } from 'node:fs';
import { runCli } from '../../support/run-cli.js';
import { RecordingScene } from './scene.js';

const scene = new RecordingScene();
beforeAll(async () => {
  await scene.record('denies.bus.jsonl', `printf 'not \\033[31mhere\\033[0m' >&2; echo x >> count; exit 2`);
  await scene.record('again.bus.jsonl', `printf 'not \\033[31mhere\\033[0m' >&2; exit 2`);
  await scene.record('silent.bus.jsonl', 'exit 0');
  scene.write('newer.bus.jsonl', '{"format":"tenterhook-bus-recording","version":2}\n');
  const whole = readFileSync(scene.path('again.bus.jsonl'), 'utf8');
  scene.write('torn.bus.jsonl', whole.slice(0, whole.lastIndexOf('{"t"') + 5));
});
afterAll(() => scene.remove());

const run = (...args: string[]) => runCli(args, { cwd: scene.project });
const reading = (text: string) => JSON.parse(text) as Record<string, unknown>;

test('diff: equal recordings, with 0; a guard that fell silent, with its verdict, decider, end and reason, and 1', async () => {
  const same = await run('diff', 'denies.bus.jsonl', 'again.bus.jsonl', '--progress');
  expect(same).toMatchObject({ status: 0, stderr: '' });
  expect(same.stdout).toMatch(/^denies\.bus\.jsonl against again\.bus\.jsonl +2 requests: 2 same\n$/);

  const { status, stdout, stderr } = await run('diff', 'denies.bus.jsonl', 'silent.bus.jsonl');
  expect([status, stderr]).toEqual([1, '']);
  expect(stdout).toMatch(/2 requests: 1 same, 1 differs\n\n≠ #2 BeforeTool write_file +line \d+\n/);
  expect(stdout).toMatch(/verdict +deny → none\n/);
  expect(stdout).toMatch(/decided by +– .*guard\n/);
  expect(stdout).toMatch(/guard +blocked: exit 2 → succeeded\n/);
  // What a hook printed cannot control the terminal.
  expect(stdout).toMatch(/reason +– not \\u001b\[31mhere\\u001b\[0m\n/);
});

test('diff: two recordings without a request are equal, and a note says that nothing was compared', async () => {
  const header = '{"format":"tenterhook-bus-recording","version":1,"form":"minimal","masked":true,"placeholders":[]}\n';
  for (const name of ['one.bus.jsonl', 'other.bus.jsonl']) scene.write(name, header);
  expect(await run('diff', 'one.bus.jsonl', 'other.bus.jsonl')).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/note: neither recording has a request/),
  });
});

test('diff --json has the state; a recording that cannot be read is "failed"', async () => {
  const same = await run('diff', 'denies.bus.jsonl', 'again.bus.jsonl', '--json');
  expect([same.status, reading(same.stdout)]).toEqual([0, { state: 'same', requests: 2, same: 2, different: [], times: [] }]);
  const differs = await run('diff', 'denies.bus.jsonl', 'silent.bus.jsonl', '--json');
  expect([differs.status, reading(differs.stdout)]).toMatchObject([1, { state: 'differs', different: [{ kind: 'changed', ordinal: 2 }] }]);

  const failed = await run('diff', 'denies.bus.jsonl', 'newer.bus.jsonl', '--json');
  expect([failed.status, reading(failed.stdout)]).toMatchObject([1, { state: 'failed', error: { code: 'newer_recording' } }]);
  expect(failed.stderr).toMatch(/^tenterhook: newer_recording: .*version 2; this one reads 1/);
  expect(await run('diff', 'denies.bus.jsonl', 'none.bus.jsonl')).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching('no such file'),
  });

  const torn = await run('diff', 'denies.bus.jsonl', 'torn.bus.jsonl');
  expect([torn.status, torn.stderr]).toEqual([0, expect.stringMatching(/warning: torn: .*:\d+: the line has no end/)]);
});

test('diff --texts compares what only people read; --times must be a factor', async () => {
  const whole = readFileSync(scene.path('again.bus.jsonl'), 'utf8');
  scene.write('other.bus.jsonl', whole.replaceAll('"stderr":"not', '"stderr":"NOT'));
  expect((await run('diff', 'again.bus.jsonl', 'other.bus.jsonl')).status).toBe(0);
  expect((await run('diff', 'again.bus.jsonl', 'other.bus.jsonl', '--texts')).status).toBe(1);
  expect(await run('diff', 'again.bus.jsonl', 'other.bus.jsonl', '--times', '0.5x')).toMatchObject({
    status: 64,
    stderr: expect.stringContaining('--times must be a factor above 1, such as 2x, and is "0.5x"'),
  });
  expect((await run('diff', 'again.bus.jsonl', 'denies.bus.jsonl', '--times', '1.001x')).stdout).toMatch(/~ #\d/);
});

test('report adds recordings up, as a table, as JSON, as a page and as a picture', async () => {
  const table = await run('report', 'denies.bus.jsonl', 'silent.bus.jsonl');
  expect(table).toMatchObject({ status: 0, stderr: '' });
  expect(table.stdout).toMatch(/^4 events, 6 runs of 3 hooks, .* waited for hooks/);
  expect(table.stdout).toMatch(/guard +BeforeTool +2 .*deny 1/);
  const json = await run('report', 'denies.bus.jsonl', '--by', 'event', '--sort', 'failures', '--json');
  expect(reading(json.stdout)).toMatchObject({ by: 'event', events: 2, runs: 3, hasTimes: true });

  expect(await run('report', 'denies.bus.jsonl', '--html', 'r.html')).toEqual({ status: 0, stdout: '', stderr: '' });
  expect(readFileSync(scene.path('r.html'), 'utf8')).toMatch(/^<!doctype html>[\s\S]*guard/i);
  await run('report', 'denies.bus.jsonl', '--svg', 'r.svg');
  expect(readFileSync(scene.path('r.svg'), 'utf8')).toMatch(/^<svg /);

  expect(await run('report', 'denies.bus.jsonl', '--html', 'no/r.html')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('--html'),
  });
  expect((await run('report', 'newer.bus.jsonl', '--json')).stdout).toContain('"state":"failed"');
  expect((await run('report', 'denies.bus.jsonl', '--by', 'tool')).status).toBe(64);
  expect((await run('report', 'denies.bus.jsonl', '--json', '--svg', 'x.svg')).status).toBe(64);
});
