import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createHooks } from 'tenterhook';
import { runCli } from '../../support/run-cli.js';
import { RecordingScene } from './scene.js';

const scene = new RecordingScene();
beforeAll(async () => {
  await scene.record('run.bus.jsonl', 'echo no >&2; exit 2');
});
afterAll(() => scene.remove());

const replay = (...args: string[]) => runCli(['replay', ...args, '--settings', 'settings.json'], { cwd: scene.project });
const reading = (text: string) => JSON.parse(text) as Record<string, unknown>;

test('replay: the same hooks give the same answers; a guard that fell silent is shown, with 1', async () => {
  scene.useGuard('echo other >&2; exit 2');
  const other = await replay('run.bus.jsonl');
  expect([other.status, other.stderr]).toEqual([1, '']);
  expect(other.stdout).toMatch(/reason +– no\n +\+ other|reason[\s\S]*no[\s\S]*other/);

  scene.useGuard('echo no >&2; exit 2');
  const same = await replay('run.bus.jsonl');
  expect([same.status, same.stderr]).toEqual([0, '']);
  expect(same.stdout).toMatch(/run\.bus\.jsonl against settings\.json +2 requests: 2 same\n$/);

  scene.useGuard('exit 0');
  const { status, stdout } = await replay('run.bus.jsonl');
  expect(status).toBe(1);
  expect(stdout).toMatch(/verdict +deny → none\n/);
  const filtered = await replay('run.bus.jsonl', '--filter', 'SessionStart', '--json');
  expect([filtered.status, reading(filtered.stdout)]).toMatchObject([0, { state: 'same', requests: 1, skipped: [] }]);
  const guard = await replay('run.bus.jsonl', '--filter', 'guard', '--json');
  expect([guard.status, reading(guard.stdout)]).toMatchObject([1, { state: 'differs', requests: 1 }]);
});

test('replay --dry-run compares which hooks would run, and starts no process', async () => {
  scene.useGuard('exit 0');
  rmSync(scene.path('ran'), { force: true });
  expect(await replay('run.bus.jsonl', '--dry-run')).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('2 same') });
  scene.write('settings.json', JSON.stringify({ hooks: { BeforeTool: [{ hooks: [{ name: 'watcher', command: 'touch ran' }] }] } }));
  expect(await replay('run.bus.jsonl', '--dry-run')).toMatchObject({ status: 1, stdout: expect.stringContaining('guard') });
  expect(existsSync(scene.path('ran'))).toBe(false);
});

test('replay --update replaces the recording by the new answers, once', async () => {
  await scene.record('old.bus.jsonl', 'exit 2');
  scene.useGuard('exit 0');
  expect(await replay('old.bus.jsonl', '--update')).toMatchObject({ status: 0, stderr: expect.stringContaining('updated') });
  const bytes = readFileSync(scene.path('old.bus.jsonl'), 'utf8');
  expect(bytes).toContain('"form":"minimal"');
  expect(await replay('old.bus.jsonl', '--update')).toMatchObject({ status: 0, stderr: expect.stringContaining('unchanged') });
  expect(readFileSync(scene.path('old.bus.jsonl'), 'utf8')).toBe(bytes);
});

test('replay: a missing secret sends nothing; wrong flags and files are refused', async () => {
  scene.useGuard('touch sent');
  const secrets = { STATION_KEY: 'a-very-private-station' };
  const settings = scene.path('settings.json');
  const hooks = await createHooks({
    settings: [settings],
    projectDir: scene.project,
    record: { file: scene.path('key.bus.jsonl'), secrets },
  });
  await hooks.fire('BeforeTool', { tool_name: 'post', tool_input: { text: secrets.STATION_KEY } });
  await hooks.dispose();
  rmSync(scene.path('sent'));
  const missing = await replay('key.bus.jsonl', '--json');
  expect([missing.status, reading(missing.stdout)]).toMatchObject([1, { state: 'failed', error: { code: 'missing_secret' } }]);
  expect([missing.stderr, existsSync(scene.path('sent'))]).toEqual([expect.stringContaining('--secret STATION_KEY'), false]);
  const filled = await runCli(['replay', 'key.bus.jsonl', '--secret', 'STATION_KEY', '--settings', 'settings.json'], {
    cwd: scene.project,
    env: secrets,
  });
  expect([filled.status, existsSync(scene.path('sent'))]).toEqual([0, true]);

  expect(await replay('run.bus.jsonl', '--filter', 'gaurd')).toMatchObject({ status: 1, stderr: expect.stringContaining('"gaurd"') });
  expect((await replay('run.bus.jsonl', '--pace', 'fast')).status).toBe(64);
  const named = await runCli(['replay', 'run.bus.jsonl', '--secret', '_KEY'], { cwd: scene.project, env: { _KEY: 'long-enough-value' } });
  expect([named.status, named.stderr]).toEqual([64, expect.stringContaining('--secret _KEY: the name must begin with a letter')]);
  const match = await replay('run.bus.jsonl', '--match', 'subject');
  expect([match.status, match.stderr]).toEqual([64, expect.stringContaining('An agent under test is matched by replayResponses()')]);
  expect((await replay('run.bus.jsonl', '--update', '--filter', 'guard')).status).toBe(64);
  expect(await replay('settings.json', '--json')).toMatchObject({ status: 1, stdout: expect.stringContaining('"state":"failed"') });
});

test('replay: a recording without a request that can be sent is not "the same"', async () => {
  const [header, ...lines] = readFileSync(scene.path('run.bus.jsonl'), 'utf8').split('\n');
  scene.write('asked.bus.jsonl', [header, ...lines.filter((line) => !line.includes('_RESPONSE'))].join('\n'));
  for (const flags of [[], ['--json'], ['--dry-run'], ['--update', '--json']]) {
    const { status, stdout, stderr } = await replay('asked.bus.jsonl', ...flags);
    expect([flags, status]).toEqual([flags, 1]);
    expect(stderr).toMatch(/None of the recorded requests can be sent, so nothing was compared: #1 SessionStart \(line \d+\): unanswered/);
    if (!flags.includes('--json')) expect(stdout).toBe('');
    else expect(reading(stdout)).toMatchObject({ state: 'failed', error: { code: 'invalid_request' } });
  }
});

test('replay --filter finds the hook of an event that was cancelled', async () => {
  scene.useGuard('exit 0');
  const lines = readFileSync(scene.path('run.bus.jsonl'), 'utf8').split('\n');
  const last = lines.findLastIndex((line) => line.includes('_RESPONSE'));
  const answer = JSON.parse(lines[last] as string) as { payload: { correlationId: string; output: { outcomes: object[] } } };
  const { correlationId, output } = answer.payload;
  const error = { code: 'cancelled', message: 'm', details: { outcomes: output.outcomes } };
  lines[last] = JSON.stringify({ ...answer, payload: { correlationId, success: false, error } });
  scene.write('cancelled.bus.jsonl', lines.join('\n'));
  expect(await replay('cancelled.bus.jsonl', '--filter', 'guard', '--dry-run')).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringMatching(/1 request: 1 same\n$/),
  });
});

test('replay: a difference of a request whose secret was masked is explained, with its line and a code', async () => {
  const hooks = await createHooks({
    settings: [scene.path('settings.json')],
    projectDir: scene.project,
    record: { file: scene.path('masked.bus.jsonl') },
  });
  for (const text of ['password=hunter2hunter2', 'plain']) await hooks.fire('BeforeTool', { tool_name: 'post', tool_input: { text } });
  await hooks.dispose();
  scene.useGuard('exit 2');
  const { status, stderr } = await replay('masked.bus.jsonl');
  expect(status).toBe(1);
  expect(stderr).toMatch(/^tenterhook: note: #1 BeforeTool \(line \d+\) has \*\*\* in place of a secret: masked_request\. [^\n]*\n$/);
  expect(reading((await replay('masked.bus.jsonl', '--json')).stdout)).toMatchObject({ masked: [{ ordinal: 1 }] });
});

test('replay --update --json prints one document, also if some requests were not sent', async () => {
  const lines = readFileSync(scene.path('run.bus.jsonl'), 'utf8').split('\n');
  const last = lines.findLastIndex((line) => line.includes('_RESPONSE'));
  const text = lines.filter((_, index) => index !== last).join('\n');
  scene.write('half.bus.jsonl', text);
  const { status, stdout, stderr } = await replay('half.bus.jsonl', '--update', '--json');
  expect([status, reading(stdout)]).toMatchObject([1, { state: 'failed', error: { message: expect.stringContaining('would be lost') } }]);
  expect(stderr).toMatch('requests that were not sent would be lost (1), so ');
  expect(readFileSync(scene.path('half.bus.jsonl'), 'utf8')).toBe(text);
});

test('replay --update of a recording in several files leaves one that is read as it was written', async () => {
  const file = scene.path('parts.bus.jsonl');
  await scene.record('parts.bus.jsonl', 'echo no >&2; exit 2');
  const lines = readFileSync(file, 'utf8').split('\n');
  const second = lines.findIndex((line) => line.includes('"BeforeTool"') && line.includes('_REQUEST'));
  scene.write('parts.bus.jsonl', `${lines.slice(0, second).join('\n')}\n`);
  const header = JSON.parse(lines[0] as string) as object;
  scene.write('parts.part2.bus.jsonl', [JSON.stringify({ ...header, part: 2 }), ...lines.slice(second)].join('\n'));
  scene.useGuard('exit 0');
  expect(await replay('parts.bus.jsonl', '--update')).toMatchObject({ status: 0, stderr: expect.stringContaining('updated') });
  expect(await replay('parts.bus.jsonl')).toMatchObject({ status: 0, stdout: expect.stringMatching(/2 requests: 2 same\n$/) });
});
