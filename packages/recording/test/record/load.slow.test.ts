import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { jest } from '@jest/globals';
import { readRecording, recordBus } from '../../src/index.js';
import { fireTool, inDirectory, outcomeOf, resultOf, servedBus } from '../recording-rig.js';

jest.setTimeout(300_000);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('record-replay case 8: 100 MiB in files of 8 MiB, of which 3 are kept, are read as one recording', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    const bus = servedBus(() => resultOf([outcomeOf('h', { stdout: 'x y '.repeat(64 * 1024) })]));
    const recorder = recordBus(bus, { file, maxFileBytes: 8 * 2 ** 20, maxFiles: 3, thread: false });
    for (let event = 0; event < 400; event += 1) await fireTool(bus);
    await recorder.close();
    const sizes = readdirSync(directory).map((name) => statSync(join(directory, name)).size);
    expect(sizes).toHaveLength(3);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(24 * 2 ** 20);
    const { messages, problems, notes, header } = await readRecording(file);
    expect(problems).toEqual([]);
    expect(header.part).toBeGreaterThan(1);
    expect(messages.at(-1)?.n).toBe(2000);
    expect(messages.map(({ n }) => n)).toEqual(messages.map((_, index) => 2001 - messages.length + index));
    expect(notes.map(({ note }) => note)).toEqual(['part', 'part', 'end']);
    await bus.close();
  }));

test('record-replay case 10: more traffic than fits while the thread writes is dropped whole and counted exactly', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    const bus = servedBus(() => resultOf([outcomeOf('h', { stdout: 'x y '.repeat(64 * 1024) })]));
    const maxQueuedBytes = 4 * 2 ** 20;
    const recorder = recordBus(bus, { file, maxQueuedBytes });
    // The promises settle without a turn of the event loop, so the reports of the thread cannot arrive meanwhile.
    for (let event = 0; event < 200; event += 1) await fireTool(bus);
    await recorder.close();
    const { messages, notes } = await readRecording(file);
    const dropped = notes.filter(({ note }) => note === 'dropped').map(({ count }) => count as number);
    expect(messages.length + dropped.reduce((sum, count) => sum + count, 0)).toBe(1000);
    expect(messages.length).toBeLessThan(1000);
    expect(messages.reduce((sum, { payload }) => sum + JSON.stringify(payload).length, 0)).toBeLessThanOrEqual(maxQueuedBytes);
    await bus.close();
  }));

test('record-replay case 11: after 10,000 events no descriptor, no thread and no memory is left', () =>
  inDirectory(async (directory) => {
    const bus = servedBus();
    const descriptors = () => readdirSync('/proc/self/fd').filter((fd) => isIn(directory, fd)).length;
    const threads = () => readdirSync('/proc/self/task').length;
    const record = async (name: string) => {
      const recorder = recordBus(bus, { file: join(directory, name) });
      for (let event = 0; event < 10_000; event += 1) {
        await fireTool(bus, { event });
        if (event % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      expect(descriptors()).toBe(1);
      const recording = threads();
      await recorder.close();
      expect(descriptors()).toBe(0);
      expect((await readRecording(join(directory, name))).problems).toEqual([]);
      collectGarbage();
      return { recording, left: threads(), heap: process.memoryUsage().heapUsed };
    };
    await record('a.bus.jsonl');
    const before = await record('b.bus.jsonl');
    const after = await record('c.bus.jsonl');
    expect(after.left).toBe(before.left);
    expect(after.left).toBeLessThan(after.recording);
    // If 100 bytes of each message were kept, this would be 5 MB.
    expect(after.heap - before.heap).toBeLessThan(2 * 2 ** 20);
    await bus.close();
  }));

function isIn(directory: string, descriptor: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(directory);
  } catch {
    return false;
  }
}

test('record-replay case 9: of a stdout of 20 MiB a line of at most 1 MiB is kept, also if it is larger than the queue', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'run.bus.jsonl');
    const verdict = { kind: 'deny' as const, stop: false, reason: 'no', by: ['h'], stoppedBy: [] };
    const bus = servedBus(() => resultOf([outcomeOf('h', { stdout: 'x'.repeat(20 * 2 ** 20) })], { verdict }));
    const recorder = recordBus(bus, { file });
    await fireTool(bus);
    await recorder.close();
    const { exchanges, problems } = await readRecording(file);
    expect(exchanges[0]?.response).toMatchObject({ cut: ['output.outcomes.0.stdout'], payload: { output: { verdict } } });
    expect(statSync(file).size).toBeLessThanOrEqual(1.1 * 2 ** 20);
    expect(problems).toEqual([]);
    await bus.close();
  }));
