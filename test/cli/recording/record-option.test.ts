import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { readRecording } from '@tenterhook/recording';
import { createHooks, type HooksRecordOptions } from 'tenterhook';
import { root } from '../../support/sources.js';

// A test starts several processes, each of which takes seconds on a busy machine.
jest.setTimeout(300_000);

const directory = mkdtempSync(join(tmpdir(), 'record-option-'));
afterAll(() => rmSync(directory, { recursive: true }));
const settings = { hooks: { BeforeTool: [{ hooks: [{ name: 'guard', command: 'echo no >&2; exit 2' }] }] } };
const path = (name: string) => join(directory, name);

test('createHooks({ record }) records to the file, knows the project, and completes the recording on dispose()', async () => {
  const file = path('option.bus.jsonl');
  const hooks = await createHooks({ settings, projectDir: directory, record: { file } });
  await hooks.fire('BeforeTool', { tool_name: 'write_file', tool_input: { path: path('a.txt') } });
  await hooks.dispose();
  const { exchanges, notes, problems, header } = await readRecording(file);
  expect(notes.map(({ note, events }) => [note, events])).toEqual([
    ['about', ['BeforeTool']],
    ['end', undefined],
  ]);
  expect(exchanges.map(({ state, request }) => [state, JSON.stringify(request?.payload).includes('⟦project⟧/a.txt')])).toEqual([
    ['answered', true],
  ]);
  expect([problems, header.masked, statSync(file).mode & 0o777]).toEqual([[], true, 0o600]);

  const before = readFileSync(file, 'utf8');
  await expect(createHooks({ settings, record: { file } })).rejects.toMatchObject({ code: 'file_exists' });
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test.each<[record: unknown, message: string]>([
  ['run.bus.jsonl', '"record" must be an object such as { file: "run.bus.jsonl" }'],
  [{}, '"record.file" must be a path, and is missing'],
  [{ file: 'x', secret: {} }, 'has no option "secret". Did you mean "secrets"?'],
])('an invalid option is refused: %j', async (record, message) => {
  await expect(createHooks({ settings, record: record as HooksRecordOptions })).rejects.toThrow(message);
});

/** An agent that knows nothing of recordings, in its own process. */
const agent = `import { createHooks } from 'tenterhook';
const hooks = await createHooks({ settings: ${JSON.stringify(settings)}, projectDir: '/' });
await hooks.fire('BeforeTool', { tool_name: 'write_file', tool_input: { key: process.env.STATION_KEY } });
await hooks.dispose();
console.log('done');`;

async function runAgent(variable: string) {
  const env = { ...process.env, TENTERHOOK_RECORD: variable, STATION_KEY: 'a-very-private-station' };
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', agent], { cwd: root, env });
}

test('the variable TENTERHOOK_RECORD records an agent; an agent that cannot be recorded goes on, with one line on stderr', async () => {
  const file = path('variable.bus.jsonl');
  expect(await runAgent(file)).toEqual({ stdout: 'done\n', stderr: '' });
  const first = readFileSync(file, 'utf8');
  expect((await readRecording(file)).exchanges).toHaveLength(1);

  const { stdout, stderr } = await runAgent(file);
  expect(stdout).toBe('done\n');
  expect(stderr).toMatch(/^tenterhook: TENTERHOOK_RECORD: process \d+ is not recorded: .*variable\.bus\.jsonl exists, .*\n$/);
  expect(readFileSync(file, 'utf8')).toBe(first);

  // As JSON, with a secret that is named.
  expect((await runAgent(JSON.stringify({ file, append: true }))).stderr).toBe('');
  expect((await readRecording(file)).exchanges).toHaveLength(2);
  const other = path('secret.bus.jsonl');
  await runAgent(JSON.stringify({ file: other, secrets: ['STATION_KEY'] }));
  expect(readFileSync(other, 'utf8')).toContain('⟦secret:STATION_KEY⟧');
  expect(readFileSync(other, 'utf8')).not.toContain('a-very-private-station');

  for (const [variable, what] of [
    ['{ not json', 'JSON'],
    [JSON.stringify({ file: path('x.bus.jsonl'), secrets: ['NO_SUCH_KEY'] }), 'NO_SUCH_KEY'],
    [JSON.stringify({ file: path('x.bus.jsonl'), secret: ['STATION_KEY'] }), 'no field "secret". Did you mean "secrets"?'],
    [JSON.stringify({ file: path('x.bus.jsonl'), secrets: 'STATION_KEY' }), '"secrets" must be a list of names'],
    [JSON.stringify({ file: path('x.bus.jsonl'), mask: null }), '"mask" must be true or false, and is null'],
    [JSON.stringify({ append: true }), '"file" must be a path, and is missing'],
    [join(directory, 'missing', 'run.bus.jsonl'), 'missing'],
  ] as const) {
    const failed = await runAgent(variable);
    expect([failed.stdout, failed.stderr.split('\n').length, failed.stderr]).toEqual(['done\n', 2, expect.stringContaining(what)]);
  }
  expect(existsSync(path('x.bus.jsonl'))).toBe(false);
});
