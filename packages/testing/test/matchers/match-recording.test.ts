import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { MessageBus } from '@tenterhook/bus';
import { type BusRecorder, recordBus } from '@tenterhook/recording';
import { toMatchBusRecording } from '../../src/matchers/match-recording.js';
import type { MatcherContext } from '../../src/matchers/matcher-context.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenterhook-matchers-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A recorder of one request, whose hooks gave this verdict. */
async function record(kind: 'deny' | 'allow'): Promise<BusRecorder> {
  await using bus = new MessageBus();
  const verdict = { kind, stop: false, by: [], stoppedBy: [] };
  const output = { success: true, verdict, changes: [], allOutputs: [], outcomes: [], errors: [], totalDuration: 1 };
  bus.respond('HOOK_EXECUTION_REQUEST', () => ({ success: true, output }));
  const recorder = recordBus(bus);
  await bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 'deploy', tool_input: {} } });
  await recorder.close();
  return recorder;
}

/** What a runner passes: one run of a file, with this mode. */
function createRun(mode: string) {
  const testPath = join(folder, 'guard.test.js');
  const snapshotState = { _updateSnapshot: mode };
  return (currentTestName: string, more: Partial<MatcherContext> = {}): MatcherContext => {
    const identity = {};
    return { testPath, snapshotState, currentTestName, assertionCalls: 1, currentTestIdentity: () => identity, ...more };
  };
}

const match = async (context: MatcherContext | undefined, received: unknown, ...rest: [string?, object?]) => {
  const { pass, message } = await toMatchBusRecording.call(context, received, ...rest);
  return pass ? true : message();
};

test('a missing recording is written in the modes new and all, a different one is a failure in new, and is replaced in all', async () => {
  const [deny, allow] = [await record('deny'), await record('allow')];
  const file = join(folder, '__recordings__/guard.test.js/a-tool-is-denied.bus.jsonl');
  expect(await match(createRun('none')('a tool is denied'), deny)).toMatch(
    /a-tool-is-denied\.bus\.jsonl: this recording is missing, and is not written in this mode\. .* npx jest \S+guard\.test\.js -t 'a tool is denied' -u$/,
  );
  expect(existsSync(join(folder, '__recordings__'))).toBe(false);
  expect(await match(createRun('new')('a tool is denied'), deny)).toBe(true);
  const text = readFileSync(file, 'utf8');
  for (const mode of ['new', 'none']) {
    expect(await match(createRun(mode)('a tool is denied'), await deny.recording())).toBe(true);
    expect(await match(createRun(mode)('a tool is denied'), allow)).toMatch(
      /verdict +deny → allow[\s\S]*write the recording again: npx jest /,
    );
    expect(await match(createRun(mode)('a tool is denied'), allow, undefined, { ignore: ['output.verdict.kind'] })).toBe(true);
  }
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(await match(createRun('all')('a tool is denied'), Promise.resolve(allow))).toBe(true);
  expect(readFileSync(file, 'utf8')).not.toBe(text);
  // Nothing else is left beside it.
  expect(readdirSync(join(file, '..'))).toEqual(['a-tool-is-denied.bus.jsonl']);
});

test('record-replay case 36: two tests of one name, and two assertions of one test, have their own recordings, also when they are retried', async () => {
  const recorder = await record('deny');
  const files = () => readdirSync(join(folder, '__recordings__/guard.test.js')).sort();
  for (const mode of ['new', 'none']) {
    const context = createRun(mode);
    const [first, second] = [context('asks'), context('asks')];
    for (const [test, assertionCalls] of [
      [first, 1],
      [first, 2],
      [first, 1],
      [first, 2],
      [second, 1],
    ] as const) {
      expect(await match({ ...test, assertionCalls }, recorder)).toBe(true);
    }
    expect(files()).toEqual(['asks.2.bus.jsonl', 'asks.3.bus.jsonl', 'asks.bus.jsonl']);
  }
  const context = createRun('new');
  // vitest's names of groups; names that differ only in characters that a file name cannot have.
  for (const name of ['group > reads a/b', 'group reads a:b', '../../x', '日本', '?'])
    expect(await match(context(name), recorder)).toBe(true);
  expect(files().filter((file) => !file.startsWith('asks'))).toEqual([
    expect.stringMatching(/^[0-9a-f]{8}\.bus\.jsonl$/),
    expect.stringMatching(/^group-reads-a-b-[0-9a-f]{8}\.bus\.jsonl$/),
    expect.stringMatching(/^group-reads-a-b-[0-9a-f]{8}\.bus\.jsonl$/),
    expect.stringMatching(/^x-[0-9a-f]{8}\.bus\.jsonl$/),
    '日本.bus.jsonl',
  ]);
});

test('other runners pass a path, and the environment has the mode', async () => {
  const recorder = await record('deny');
  const file = join(folder, 'x/run.bus.jsonl');
  const { CI, TENTERHOOK_RECORDINGS } = process.env;
  const inEnvironment = async (env: Record<string, string>) => {
    delete process.env['CI'];
    Object.assign(process.env, { TENTERHOOK_RECORDINGS: '', ...env });
    return match(undefined, recorder, file);
  };
  try {
    for (const env of [{ CI: 'true' }, { TENTERHOOK_RECORDINGS: 'none' }])
      expect(await inEnvironment(env as never)).toContain('is missing');
    expect(await inEnvironment({ CI: 'true', TENTERHOOK_RECORDINGS: 'new' })).toBe(true);
    expect(existsSync(file)).toBe(true);
    await expect(inEnvironment({ TENTERHOOK_RECORDINGS: 'yes' })).rejects.toThrow('must be all, new or none, and is "yes"');
  } finally {
    Object.assign(process.env, { CI: CI ?? '', TENTERHOOK_RECORDINGS: TENTERHOOK_RECORDINGS ?? '' });
  }
  await expect(match({}, recorder)).rejects.toThrow('Pass a path as the first argument');
  await expect(match({ isNot: true }, recorder, file)).rejects.toThrow('cannot be used with .not');
  for (const wrong of [undefined, 'deny', {}, { exchanges: [] }]) await expect(match(undefined, wrong, file)).rejects.toThrow(TypeError);
});

test('a file with a line that cannot be read does not match, and `all` writes it again', async () => {
  const run = createRun('new');
  const deny = await record('deny');
  const file = join(folder, 'x.bus.jsonl');
  expect(await match(run('t'), deny, file)).toBe(true);
  const [header, request, response] = readFileSync(file, 'utf8').split('\n') as [string, string, string];
  const theirs = response.replace('"kind":"deny"', '"kind":"allow"');
  const whole = readFileSync(file, 'utf8');
  writeFileSync(file, [header, request, '<<<<<<< ours', response, '=======', theirs, '>>>>>>> theirs', ''].join('\n'));
  expect(await match(run('t'), deny, file)).toMatch(/x\.bus\.jsonl:3: the line is not valid JSON, and is ignored\.[\s\S]*Restore the file/);
  expect(await match(createRun('all')('t'), deny, file)).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe(whole);
});

test('a file with a conflict in its header does not match, and `all` writes it again with a line on stderr', async () => {
  const deny = await record('deny');
  const file = join(folder, 'x.bus.jsonl');
  expect(await match(createRun('new')('t'), deny, file)).toBe(true);
  const whole = readFileSync(file, 'utf8');
  const [header, ...lines] = whole.split('\n') as [string];
  const theirs = header.replace('"placeholders":[', '"placeholders":["project",');
  const conflict = ['<<<<<<< ours', header, '=======', theirs, '>>>>>>> theirs', ...lines].join('\n');
  writeFileSync(file, conflict);
  for (const mode of ['new', 'none']) {
    expect(await match(createRun(mode)('t'), deny, file)).toMatch(
      /x\.bus\.jsonl:1: the line is the mark of a conflict[\s\S]*write the recording again: npx jest/,
    );
  }
  expect(readFileSync(file, 'utf8')).toBe(conflict);
  const said: string[] = [];
  const write = jest.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  try {
    expect(await match(createRun('all')('t'), deny, file)).toBe(true);
  } finally {
    write.mockRestore();
  }
  expect(readFileSync(file, 'utf8')).toBe(whole);
  expect(said).toEqual([expect.stringMatching(/^tenterhook: \S*x\.bus\.jsonl: .*mark of a conflict.* The file was written again\.\n$/)]);

  // Any other file is not a recording, and stays as it is.
  writeFileSync(file, '<<<<<<< ours\nmine\n=======\n>>>>>>> theirs\n');
  for (const mode of ['new', 'all'])
    await expect(match(createRun(mode)('t'), deny, file)).rejects.toMatchObject({ code: 'not_a_recording' });
  writeFileSync(file, whole.replace('"version":1', '"version":2'));
  for (const mode of ['new', 'all'])
    await expect(match(createRun(mode)('t'), deny, file)).rejects.toMatchObject({ code: 'newer_recording' });
});

test('unknown options are refused before anything is written', async () => {
  const file = join(folder, 'x.bus.jsonl');
  await expect(match(createRun('all')('t'), await record('deny'), file, { text: true })).rejects.toThrow(
    'toMatchBusRecording has no option "text". Did you mean "texts"?',
  );
  expect(existsSync(file)).toBe(false);
});

test('a recording that lost requests is refused, and writes nothing', async () => {
  await using bus = new MessageBus();
  const recorder = recordBus(bus, { maxQueuedBytes: 300 });
  for (let n = 0; n < 20; n += 1)
    await bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 't', tool_input: { n } } });
  const file = join(folder, 'x.bus.jsonl');
  await expect(match(createRun('all')('t'), recorder, file)).rejects.toThrow(
    /\d+ requests and responses of the run are not in the recording/,
  );
  expect(existsSync(file)).toBe(false);
});
