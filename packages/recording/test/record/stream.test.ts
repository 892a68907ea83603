import { join } from 'node:path';
import { MessageBus } from '@tenterhook/bus';
import {
  compareRecordings,
  type RecordingChunk,
  type RecordingStream,
  readRecording,
  readRecordingStream,
  recordBus,
  replayRequests,
  type StoredChunk,
  writeRecording,
} from '../../src/index.js';
import { fireTool, inDirectory, outcomeOf, resultOf, servedBus } from '../recording-rig.js';

/** A stream in memory. It fails as often as `failures` says, after it has stored the chunk or before. */
class MemoryStream implements RecordingStream {
  readonly maxChunkBytes: number;
  readonly chunks: StoredChunk[] = [];
  failures = 0;
  code = 'disconnected';
  storesFirst = false;

  constructor(maxChunkBytes = 1_000_000) {
    this.maxChunkBytes = maxChunkBytes;
  }

  async append(chunk: RecordingChunk): Promise<void> {
    if (this.failures > 0) {
      this.failures -= 1;
      if (this.storesFirst) this.#store(chunk);
      throw Object.assign(new Error('the stream is away'), { code: this.code });
    }
    this.#store(chunk);
  }

  async *read() {
    yield* this.chunks;
  }

  text(): string {
    return this.chunks.map(({ lines }) => lines).join('\n');
  }

  #store(chunk: RecordingChunk): void {
    this.chunks.push({ ...chunk, storedAt: 1_000_000 + this.chunks.length });
  }
}

async function record(stream: MemoryStream, requests: number, text = 'x'): Promise<void> {
  const bus = servedBus();
  const recorder = recordBus(bus, { stream });
  for (let count = 0; count < requests; count += 1) await fireTool(bus, { text: `${text} ${count}` });
  await recorder.close();
  await bus.close();
}

test('a recording in a stream is read as one, and its requests can be sent again', async () => {
  const stream = new MemoryStream();
  await record(stream, 3);
  const recording = await readRecordingStream(stream);
  expect(recording.problems).toEqual([]);
  expect(recording.header).toMatchObject({ form: 'full', masked: true });
  expect(recording.exchanges.map(({ state, progress }) => [state, progress.length])).toEqual(Array(3).fill(['answered', 3]));
  expect(recording.messages.map(({ n }) => n)).toEqual(recording.messages.map((_, index) => index + 1));
  const bus = servedBus();
  expect(await replayRequests(recording, bus)).toMatchObject({ same: 3, different: [], skipped: [] });
  await bus.close();
});

test('written to a file, it is the same recording', () =>
  inDirectory(async (directory) => {
    const stream = new MemoryStream();
    await record(stream, 3);
    const recording = await readRecordingStream(stream);
    const file = join(directory, 'run.bus.jsonl');
    writeRecording(file, recording);
    const written = await readRecording(file);
    expect(written.problems).toEqual([]);
    expect(compareRecordings(recording, written, { progress: true })).toMatchObject({ same: 3, different: [] });
    expect(() => writeRecording(file, recording)).toThrow('exists, and a recording does not overwrite a file');
  }));

test('secrets and roots are masked before they are stored', async () => {
  const stream = new MemoryStream();
  const bus = servedBus();
  const recorder = recordBus(bus, { stream, roots: { project: '/srv/app' }, secrets: { KEY: 'correct-horse-battery' } });
  await fireTool(bus, {
    path: '/srv/app/a.txt',
    key: 'correct-horse-battery',
    header: 'Authorization: Bearer abcdefghijklmnopqrstuvwxyz012345',
  });
  await recorder.close();
  await bus.close();
  expect(stream.text()).not.toMatch(/correct-horse|abcdefghijklmnop|\/srv\/app/);
  expect(stream.text()).toContain('⟦secret:KEY⟧');
  expect(stream.text()).toContain('***');
  const { header } = await readRecordingStream(stream);
  expect(header.placeholders).toEqual(expect.arrayContaining(['project', 'secret:KEY']));
});

test.each([false, true])('a chunk that could not be stored is stored later, and counts once (stored before: %s)', async (storesFirst) => {
  const stream = new MemoryStream();
  stream.failures = 2;
  stream.storesFirst = storesFirst;
  await record(stream, 3);
  const { exchanges, problems } = await readRecordingStream(stream);
  expect([exchanges.length, problems]).toEqual([3, []]);
});

test('an error that does not pass ends the recording with its reason, and the agent goes on', async () => {
  const stream = new MemoryStream();
  stream.failures = 1;
  stream.code = 'stream_refused';
  const bus = servedBus();
  const failures: string[] = [];
  const recorder = recordBus(bus, { stream, onFailure: (message) => failures.push(message) });
  expect((await fireTool(bus)).success).toBe(true);
  await recorder.close();
  expect((await fireTool(bus)).success).toBe(true);
  await bus.close();
  expect(failures).toEqual(['The recording ends here, because its stream cannot store it: the stream is away']);
});

test('while the stream is away, messages wait within a limit, and beyond it they are dropped and counted', async () => {
  const stream = new MemoryStream();
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const append = stream.append.bind(stream);
  stream.append = async (chunk) => {
    await gate;
    return append(chunk);
  };
  const bus = servedBus();
  const recorder = recordBus(bus, { stream, maxQueuedBytes: 20_000 });
  await fireTool(bus);
  await new Promise((resolve) => setImmediate(resolve));
  for (let count = 0; count < 50; count += 1) await fireTool(bus, { text: 'x'.repeat(1000) });
  open();
  await recorder.close();
  await bus.close();
  const { notes, messages, problems } = await readRecordingStream(stream);
  const [dropped] = notes.filter(({ note }) => note === 'dropped');
  expect(dropped?.['count']).toBeGreaterThan(0);
  expect(messages.length + Number(dropped?.['count'])).toBe(51 * 5);
  expect(problems.map(({ code }) => code)).toContain('missing_messages');
});

test('several recorders may write to one stream, and the oldest chunks may be gone', async () => {
  const stream = new MemoryStream();
  const [one, other] = [servedBus(), servedBus(() => resultOf([outcomeOf('h'), outcomeOf('i')]))];
  const recorders = [recordBus(one, { stream }), recordBus(other, { stream })];
  for (let count = 0; count < 4; count += 1) {
    await Promise.all([fireTool(one, { count }), fireTool(other, { count })]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const recorder of recorders) await recorder.close();
  const whole = await readRecordingStream(stream);
  expect([whole.exchanges.length, whole.problems]).toEqual([8, []]);
  stream.chunks.splice(0, 2);
  const rest = await readRecordingStream(stream);
  expect(rest.problems).toEqual([]);
  expect(rest.messages.length).toBeLessThan(whole.messages.length);
  // Without a header it is unknown whether secrets are masked.
  expect(rest.header.masked).toBe(false);
  stream.chunks.splice(2, 1);
  expect((await readRecordingStream(stream)).problems.map(({ code }) => code)).toContain('missing_part');
  await one.close();
  await other.close();
});

test('a recorder that has not ended is reported, and a stream without a recording is an error', async () => {
  const stream = new MemoryStream();
  await expect(readRecordingStream(stream)).rejects.toMatchObject({ code: 'not_a_recording' });
  const bus = servedBus();
  const recorder = recordBus(bus, { stream });
  await fireTool(bus);
  const { problems } = await recorder.recording();
  expect(problems.map(({ code }) => code)).toEqual(['interrupted']);
  await recorder.close();
  expect((await recorder.recording()).problems).toEqual([]);
  await bus.close();
});

test('a line that is too long for the stream is cut', async () => {
  const stream = new MemoryStream(5000);
  await record(stream, 1, 'x'.repeat(20_000));
  const { messages } = await readRecordingStream(stream);
  expect(messages[0]?.cut).toEqual(['input.tool_input.text']);
  expect(Math.max(...stream.chunks.map(({ lines }) => lines.length))).toBeLessThanOrEqual(5000);
});

test('a stream and a file exclude each other', () => {
  const bus = new MessageBus();
  expect(() => recordBus(bus, { stream: new MemoryStream(), file: 'a.bus.jsonl' })).toThrow(TypeError);
  return bus.close();
});

test('what another program, or a later version, has written to the stream does not prevent the reading of the rest', async () => {
  const stream = new MemoryStream();
  await record(stream, 2);
  const known = await readRecordingStream(stream);
  const header = JSON.stringify({ format: 'tenterhook-bus-recording', version: 99 });
  const message = JSON.stringify({ n: 1, t: 1, type: 'HOOK_EXECUTION_REQUEST', payload: {} });
  const strange = (chunk: Partial<StoredChunk>) => ({
    recorder: 'stranger',
    number: 1,
    t: 1,
    lines: message,
    storedAt: 1_000_000,
    ...chunk,
  });
  stream.chunks.unshift(
    strange({ recorder: 'newer', lines: `${header}\n${message}` }),
    strange({ recorder: 'newer', number: 2 }),
    strange({ recorder: 'no header', lines: 'hello' }),
    strange({ t: 1e300 }),
    strange({ number: 0.5 }),
    strange({ number: Number.NaN }),
  );
  const read = await readRecordingStream(stream);
  expect(read.messages).toEqual(known.messages);
  expect(read.header.startedAt).toBe(known.header.startedAt);
  expect(read.problems.map(({ message: problem }) => problem)).toEqual([
    expect.stringMatching(/^The recorder newer is left out\. .*written by a newer Tenterhook, version 99/),
    expect.stringMatching(/^The recorder no header is left out\. .*not the header of a recording/),
    ...Array(3).fill('the stream: a chunk with an invalid number or time is ignored.'),
  ]);
});

test('a stream in which nothing can be read is refused with the reason', async () => {
  const stream = new MemoryStream();
  stream.chunks.push({
    recorder: 'a',
    number: 1,
    t: 1,
    storedAt: 1,
    lines: JSON.stringify({ format: 'tenterhook-bus-recording', version: 99 }),
  });
  await expect(readRecordingStream(stream)).rejects.toMatchObject({ code: 'newer_recording' });
});
