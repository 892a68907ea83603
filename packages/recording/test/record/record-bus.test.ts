import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { MessageBus } from '@tenterhook/bus';
import { compareRecordings, readRecording, recordBus, replayRequests, writeRecording } from '../../src/index.js';
import { fireTool, inDirectory, linesOf, outcomeOf, resultOf, servedBus, watch } from '../recording-rig.js';

const noRoots = { roots: { home: undefined, tmp: undefined } };

test.each([
  ['a thread', true],
  ['the thread of the caller', false],
])('record-replay case 1: %s writes a header, and then every message in the order in which another subscriber sees it', (_, thread) =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    const bus = servedBus();
    const recorder = recordBus(bus, { file, thread, ...noRoots });
    const seen = watch(bus);
    await Promise.all([fireTool(bus, { path: 'a.txt' }), fireTool(bus, { path: 'b.txt' })]);
    await fireTool(bus, { path: 'c' });
    await recorder.close();
    const [header, ...lines] = linesOf(file);
    expect(header).toMatchObject({ format: 'tenterhook-bus-recording', version: 1, form: 'full', part: 1, masked: true });
    expect(lines.at(-1)).toMatchObject({ note: 'end', messages: seen.length });
    const recording = await readRecording(file);
    expect(recording.problems).toEqual([]);
    expect(recording.messages.map(({ type, payload }) => ({ type, payload }))).toEqual(JSON.parse(JSON.stringify(seen)));
    expect(recording.messages.map(({ n }) => n)).toEqual(seen.map((_message, index) => index + 1));
    expect(recording.messages.map(({ line }) => line)).toEqual(seen.map((_message, index) => index + 2));
    expect(recording.exchanges.map(({ ordinal, state, progress }) => [ordinal, state, progress.length])).toEqual([
      [1, 'answered', 3],
      [2, 'answered', 3],
      [3, 'answered', 3],
    ]);
    await bus.close();
  }),
);

test('record-replay case 2: the times never fall, also if the clock of the system is set back', async () => {
  const bus = servedBus();
  const recorder = recordBus(bus);
  const now = Date.now;
  try {
    await fireTool(bus);
    Date.now = () => now() - 3_600_000;
    await fireTool(bus);
  } finally {
    Date.now = now;
  }
  const times = (await recorder.recording()).messages.map(({ t }) => t as number);
  expect(times.length).toBe(10);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times.every((t) => t >= 0 && Number(t.toFixed(3)) === t)).toBe(true);
  await recorder.close();
});

test('record-replay cases 5 and 6: an existing file and a symbolic link are refused and stay as they were; a new file has mode 0600', () =>
  inDirectory(async (directory) => {
    const bus = servedBus();
    const file = join(directory, 'run.bus.jsonl');
    writeFileSync(file, 'mine');
    expect(() => recordBus(bus, { file })).toThrow(
      expect.objectContaining({ code: 'file_exists', message: expect.stringContaining(file) }),
    );
    chmodSync(file, 0o644);
    expect(() => recordBus(bus, { file, append: true })).toThrow(expect.objectContaining({ code: 'not_a_recording' }));
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(statSync(file).mode & 0o777).toBe(0o644);
    const link = join(directory, 'link.bus.jsonl');
    symlinkSync(join(directory, 'target'), link);
    for (const append of [false, true]) {
      expect(() => recordBus(bus, { file: link, append })).toThrow(expect.objectContaining({ code: 'file_exists' }));
    }
    expect(existsSync(join(directory, 'target'))).toBe(false);
    const created = join(directory, 'new.bus.jsonl');
    await recordBus(bus, { file: created, thread: false }).close();
    expect(statSync(created).mode & 0o777).toBe(0o600);
    // Appending restores the mode, because the file may have been made readable for others.
    chmodSync(created, 0o644);
    await recordBus(bus, { file: created, thread: false, append: true }).close();
    expect(statSync(created).mode & 0o777).toBe(0o600);
    chmodSync(created, 0o644);
    expect(() => recordBus(bus, { file: created, append: true, mask: false })).toThrow(
      expect.objectContaining({ code: 'other_recording' }),
    );
    expect(statSync(created).mode & 0o777).toBe(0o644);
    expect(() => recordBus(bus, { file: join(directory, 'no/such/x') })).toThrow(expect.objectContaining({ code: 'unwritable' }));
  }));

test('record-replay case 4: appending removes a torn line, and numbers and times continue', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    const bus = servedBus();
    const first = recordBus(bus, { file, thread: false });
    await fireTool(bus);
    await first.close();
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, `${before}{"n":6,"t":1,"type":"HOOK_EXEC`);
    expect((await readRecording(file)).problems).toEqual([
      { code: 'torn', line: 8, message: expect.stringContaining(`${file}:8: the line has no end`) },
    ]);
    const second = recordBus(bus, { file, append: true });
    await fireTool(bus);
    await second.close();
    const recording = await readRecording(file);
    expect(recording.problems).toMatchObject([{ code: 'torn', line: 8 }]);
    expect(recording.messages.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const times = recording.messages.map(({ t }) => t as number);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(readFileSync(file, 'utf8').startsWith(before)).toBe(true);
    await bus.close();
  }));

test('record-replay case 9: of a stdout of 3 MiB a line of at most 1 MiB is kept, `cut` names it, and the verdict is whole', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    const verdict = { kind: 'deny' as const, stop: false, reason: 'r'.repeat(2_000), by: ['h'], stoppedBy: [] };
    const stdout = `${'x'.repeat(3 * 2 ** 20)} TOKEN=abcdefgh`;
    const bus = servedBus(() => resultOf([outcomeOf('h', { status: 'blocked', stdout, stderr: '⟦\n'.repeat(3_000) })], { verdict }));
    const recorder = recordBus(bus, { file });
    await fireTool(bus);
    await recorder.close();
    const recording = await readRecording(file);
    const response = recording.exchanges[0]?.response;
    expect(response?.cut).toEqual(['output.outcomes.0.stdout']);
    expect(response?.payload).toMatchObject({ output: { verdict, outcomes: [{ stderr: '⟦⟦\n'.repeat(3_000) }] } });
    expect(
      Math.max(
        ...readFileSync(file, 'utf8')
          .split('\n')
          .map((line) => Buffer.byteLength(line)),
      ),
    ).toBeLessThanOrEqual(2 ** 20);
    expect(recording.problems).toEqual([]);
    await bus.close();
  }));

test('record-replay case 11: closing twice, and after the bus, is fine; the bus ends the recording; nothing is left', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    const bus = servedBus();
    const recorder = recordBus(bus, { file });
    await fireTool(bus);
    expect((await recorder.recording()).messages).toHaveLength(5);
    await bus.close();
    await recorder.close();
    await recorder.close();
    expect(linesOf(file).at(-1)).toMatchObject({ note: 'end', messages: 5 });
    const late = recordBus(bus, { file: join(directory, 'late.bus.jsonl') });
    await late.close();
    expect((await readRecording(join(directory, 'late.bus.jsonl'))).messages).toEqual([]);
    expect(recorder.failure).toBeUndefined();
  }));

test('a recording that is closed before its thread has begun is whole at once, and is not written twice', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    const bus = servedBus();
    const recorder = recordBus(bus, { file });
    // These promises settle without a turn of the event loop, so no report of the thread can arrive.
    await fireTool(bus);
    recorder.closeSync();
    const text = readFileSync(file, 'utf8');
    expect(linesOf(file).at(-1)).toMatchObject({ note: 'end', messages: 5 });
    await recorder.close();
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect((await readRecording(file)).problems).toEqual([]);
    await bus.close();
  }));

test('the minimal form is written when the recording is closed, to a new file', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'x.bus.jsonl');
    const bus = servedBus();
    const recorder = recordBus(bus, { file, form: 'minimal', roots: noRoots.roots });
    await fireTool(bus, { a: 1 });
    expect(existsSync(file)).toBe(false);
    await recorder.close();
    const recording = await readRecording(file);
    expect(recording).toMatchObject({ header: { form: 'minimal' }, problems: [], exchanges: [{ state: 'answered', correlationId: '#1' }] });
    expect({ ...(await recorder.recording()), files: [file] }).toEqual(recording);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(() => recordBus(bus, { file, form: 'minimal' })).toThrow(expect.objectContaining({ code: 'file_exists' }));
    expect(() => recordBus(bus, { file, form: 'minimal', append: true })).toThrow('cannot be appended');
  }));

test('in memory, beyond the limit progress is dropped first, and counted exactly', async () => {
  const bus = servedBus(() => resultOf([outcomeOf('h', { stdout: 'x'.repeat(1_000) })]));
  const recorder = recordBus(bus, { maxQueuedBytes: 24_000 });
  for (let event = 0; event < 12; event += 1) await fireTool(bus, { text: 'y'.repeat(200) });
  const { messages, notes } = await recorder.recording();
  expect(messages.filter(({ type }) => type === 'HOOK_EXECUTION_RESPONSE')).toHaveLength(12);
  expect(messages.filter(({ type }) => type === 'HOOK_EXECUTION_REQUEST')).toHaveLength(12);
  const [dropped] = notes.filter(({ note }) => note === 'dropped');
  expect(dropped).toMatchObject({ count: 60 - messages.length, bytes: expect.any(Number) });
  await recorder.close();
});

test('an oldest file that cannot be removed ends the recording with a message that names it', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    const bus = servedBus(() => resultOf([outcomeOf('h', { stdout: 'x'.repeat(2_000) })]));
    const failures: string[] = [];
    const onFailure = (message: string) => failures.push(message);
    recordBus(bus, { file, thread: false, maxLineBytes: 4_096, maxFileBytes: 8_192, maxFiles: 1, onFailure });
    rmSync(file);
    mkdirSync(file);
    for (let event = 0; event < 5; event += 1) expect((await fireTool(bus)).success).toBe(true);
    expect(failures).toEqual([
      expect.stringMatching(
        /run\.bus\.jsonl: the recording ends here, because the oldest file .* cannot be removed: .*Record to another directory\.$/,
      ),
    ]);
    await bus.close();
  }));

test('a file that cannot be created is a RecordingError that names it, also for a whole recording', () =>
  inDirectory(async (directory) => {
    const bus = servedBus();
    const recorder = recordBus(bus);
    await fireTool(bus);
    await recorder.close();
    const recording = await recorder.recording();
    const file = join(directory, `${'x'.repeat(300)}.bus.jsonl`);
    const unwritable = expect.objectContaining({
      code: 'unwritable',
      message: expect.stringContaining(`${file}: the recording cannot be`),
    });
    expect(() => writeRecording(file, recording)).toThrow(unwritable);
    const failures: string[] = [];
    const minimal = recordBus(bus, { file, form: 'minimal', onFailure: (message) => failures.push(message) });
    await minimal.close();
    expect(failures).toEqual([expect.stringContaining(`${file}: the recording cannot be written: `)]);
    expect(failures[0]).toContain('Pass another path.');
  }));

test('an empty file is continued in place, because its recorder may be about to write the header', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    const other = openSync(file, 'ax');
    const bus = servedBus();
    const recorder = recordBus(bus, { file, append: true, thread: false });
    await fireTool(bus);
    writeSync(other, '{"t":1,"note":"late"}\n');
    closeSync(other);
    await recorder.close();
    const { exchanges, notes, problems } = await readRecording(file);
    expect([exchanges.length, notes.map(({ note }) => note)]).toEqual([1, ['late', 'end']]);
    expect(problems).toEqual([]);
  }));

test('an object for the note `about` that is not JSON is refused before the file is created', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'x.bus.jsonl');
    expect(() => recordBus(servedBus(), { file, about: { events: [1n] } })).toThrow(TypeError);
    expect(existsSync(file)).toBe(false);
  }));

test('in memory, lost messages are a problem of the recording, and no minimal form is written without a request', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'x.bus.jsonl');
    const bus = servedBus();
    const failures: string[] = [];
    const options = { maxQueuedBytes: 2_000, onFailure: (message: string) => failures.push(message) };
    const [memory, minimal] = [recordBus(bus, options), recordBus(bus, { ...options, file, form: 'minimal' })];
    for (let event = 0; event < 10; event += 1) await fireTool(bus, { text: 'y'.repeat(200) });
    await Promise.all([memory.close(), minimal.close()]);
    const { notes, problems } = await memory.recording();
    expect(notes).toContainEqual(expect.objectContaining({ note: 'dropped', requests: expect.any(Number) }));
    expect(problems).toMatchObject([{ code: 'missing_messages' }]);
    expect(failures).toEqual([expect.stringMatching(/x\.bus\.jsonl is not written: \d+ requests and responses did not fit into memory/)]);
    expect([minimal.failure, existsSync(file)]).toEqual([failures[0], false]);
    await bus.close();
  }));

test('a process that still writes when its recording is completed by another one overwrites nothing', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    const bus = servedBus();
    const agent = recordBus(bus, { file, thread: false });
    await fireTool(bus);
    await recordBus(servedBus(), { file, append: true, thread: false }).close();
    const completed = readFileSync(file, 'utf8');
    await fireTool(bus);
    await agent.close();
    expect(readFileSync(file, 'utf8').startsWith(completed)).toBe(true);
    expect((await readRecording(file)).problems).toEqual([]);
    await bus.close();
  }));

test('two recorders that continue one file at the same time lose nothing, and nothing is reported as missing', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    const buses = [servedBus(), servedBus()];
    const recorders = buses.map((bus) => recordBus(bus, { file, append: true, thread: false }));
    // Each is ahead of the other once, so numbers of one are skipped between those of the other.
    for (const bus of [0, 1, 1, 1, 0, 1]) await fireTool(buses[bus] as MessageBus);
    for (const recorder of recorders) await recorder.close();
    const { messages, exchanges, problems } = await readRecording(file);
    expect([messages.length, exchanges.length, problems]).toEqual([30, 6, []]);
    for (const bus of buses) await bus.close();
  }));

test('a message that cannot be written as JSON is noted and does not affect others', async () => {
  const bus = servedBus();
  const recorder = recordBus(bus);
  bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: { eventName: 'X', input: { big: 1n } } as never });
  await fireTool(bus);
  const { notes, exchanges } = await recorder.recording();
  expect(notes).toContainEqual(expect.objectContaining({ note: 'unwritable', n: 1, channel: 'HOOK_EXECUTION_REQUEST' }));
  expect(exchanges.filter(({ state }) => state === 'answered')).toHaveLength(1);
  await recorder.close();
});

test('a message that is nested deeply is written and compared, and one that is nested too deeply is noted and reported', () =>
  inDirectory(async (directory) => {
    const nested = (levels: number) => JSON.parse(`${'{"a":['.repeat(levels / 2)}1${']}'.repeat(levels / 2)}`) as Record<string, unknown>;
    const file = join(directory, 'run.bus.jsonl');
    const bus = servedBus();
    const recorder = recordBus(bus, { file, thread: false });
    for (const levels of [480, 1_000, 4_000]) await fireTool(bus, nested(levels));
    await recorder.close();
    await bus.close();
    const recording = await readRecording(file);
    expect(recording.exchanges.map(({ state }) => state)).toEqual(['answered', 'orphan', 'orphan']);
    expect(recording.notes.filter(({ note }) => note === 'unwritable').map(({ n }) => n)).toEqual([6, 11]);
    expect(compareRecordings(recording, recording)).toMatchObject({ requests: 1, same: 1 });
    expect(await replayRequests(recording, servedBus())).toMatchObject({ requests: 1 });
    const line = JSON.stringify({ n: 99, t: 1, type: 'HOOK_EXECUTION_REQUEST', payload: { input: nested(2_000) } });
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/\n(?=.*"end")/, `\n${line}\n`));
    expect((await readRecording(file)).problems.slice(0, 1)).toMatchObject([
      { code: 'invalid_line', message: expect.stringContaining('is nested too deeply') },
    ]);
  }));

test.each([
  [{ maxLineBytes: 10 }, 'maxLineBytes must be a whole number from 4096'],
  [{ maxFileBytes: 2 ** 20 }, 'maxFileBytes must be'],
  [{ secrets: { KEY: 'short' } }, 'at least 8 characters'],
  [{ roots: { prject: '/x' } as never }, 'roots has no field "prject"'],
  [{ file: '' }, 'file must be a path'],
  // Each of these would otherwise write secrets to the file, or record nothing.
  [{ secrets: new Map([['KEY', 'long enough']]) as never }, 'secrets must be an object of names with their values'],
  [{ secrets: null as never }, 'secrets must be an object of names with their values'],
  [{ roots: new Map([['project', '/srv/app']]) as never }, 'roots must be an object such as { project: "/srv/app" }'],
  [new Map([['mask', true]]) as never, 'The options of recordBus must be an object such as { file }'],
  [{ secret: { KEY: 'long enough' } } as never, 'recordBus has no option "secret". Did you mean "secrets"?'],
  [{ mask: null as never }, 'mask must be true or false, and is null'],
  [
    { channels: ['HOOK_EXECUTION_REQUESTS'] as never },
    'there is no channel "HOOK_EXECUTION_REQUESTS". Did you mean "HOOK_EXECUTION_REQUEST"?',
  ],
  [{ channels: 'HOOK_EXECUTION_REQUEST' as never }, 'channels must be a list'],
])('wrong options %j are refused', (options, message) => {
  expect(() => recordBus(servedBus(), options)).toThrow(message);
});
