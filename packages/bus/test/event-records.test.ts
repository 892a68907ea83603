import type { HookOutcome } from '@tenterhook/protocol';
import { type EventRecord, MessageBus, type ProgressPayload } from '../src/index.js';
import { EventRecords } from '../src/internal.js';
import { answered, deferred, request } from './watch.js';

const channel = 'HOOK_EXECUTION_REQUEST';
const base = { eventName: 'BeforeTool', elapsedMs: 0 };
const planned: ProgressPayload = { kind: 'planned', ...base, stages: [], skipped: 0 };
const outcome = (hookId: string, status: HookOutcome['status']): HookOutcome => ({
  hookId,
  eventName: 'BeforeTool',
  source: 'project',
  dialect: 'llxprt',
  status,
  durationMs: 1,
  warnings: [],
});
const lateEnd = (hookId: string): ProgressPayload => ({
  kind: 'hook-finished',
  ...base,
  hookId,
  outcome: outcome(hookId, 'succeeded'),
  late: true,
});
const resultWith = (outcomes: HookOutcome[]) => ({
  success: true,
  verdict: { kind: 'none' as const, stop: false, by: [], stoppedBy: [] },
  changes: [],
  allOutputs: [],
  outcomes,
  errors: [],
  totalDuration: 1,
});

/** Reads this number of records. */
async function read(records: EventRecords, count: number): Promise<EventRecord[]> {
  const read: EventRecord[] = [];
  for await (const record of records.stream) {
    read.push(record);
    if (read.length === count) break;
  }
  return read;
}

const kinds = ({ progress }: EventRecord) => progress.map(({ kind }) => kind);

test('a record has the request, its progress and its response, also if requests overlap', async () => {
  const bus = new MessageBus();
  const records = new EventRecords(bus);
  const gates = [deferred<void>(), deferred<void>()];
  let calls = 0;
  bus.respond(channel, async (_, { progress }) => {
    const call = calls++;
    progress(planned);
    await gates[call]?.promise;
    progress({ kind: 'hook-skipped', ...base, hookId: `hook-${call}`, skipReason: 'matcher' });
    return { success: true };
  });
  const both = read(records, 2);
  const first = bus.request(channel, { ...request, correlationId: 'first' });
  const second = bus.request(channel, { ...request, correlationId: 'second' });
  gates[1]?.resolve();
  await second;
  gates[0]?.resolve();
  await first;
  const found = await both;
  expect(found.map(({ correlationId }) => correlationId)).toEqual(['second', 'first']);
  for (const record of found) {
    expect([kinds(record), record.request?.eventName, record.isComplete]).toEqual([['planned', 'hook-skipped'], 'BeforeTool', true]);
    expect(record.response).toMatchObject({ correlationId: record.correlationId, success: true });
    expect(Object.isFrozen(record)).toBe(true);
  }
  expect(found[1]?.progress[1]).toMatchObject({ hookId: 'hook-0' });
});

test('the record of an event with background hooks comes with the last of their ends', async () => {
  const bus = new MessageBus();
  const records = new EventRecords(bus);
  const [slow, slower] = [deferred<void>(), deferred<void>()];
  bus.respond(channel, async (payload, { progress }) => {
    if (payload.correlationId !== 'detached') return { success: true };
    void slow.promise.then(() => progress(lateEnd('a')));
    void slower.promise.then(() => progress(lateEnd('b')));
    return { success: true, output: resultWith([outcome('a', 'detached'), outcome('b', 'detached'), outcome('c', 'succeeded')]) };
  });
  const both = read(records, 2);
  await bus.request(channel, { ...request, correlationId: 'detached' });
  await bus.request(channel, { ...request, correlationId: 'plain' });
  slow.resolve();
  await slow.promise;
  slower.resolve();
  const [plain, detached] = await both;
  expect(plain).toMatchObject({ correlationId: 'plain', lateEnds: [], isComplete: true });
  expect(detached).toMatchObject({ correlationId: 'detached', isComplete: true });
  expect(detached?.lateEnds.map(({ hookId }) => hookId)).toEqual(['a', 'b']);
});

test('the record of a cancelled event also waits for its background hooks', async () => {
  const bus = new MessageBus();
  const records = new EventRecords(bus);
  const slow = deferred<void>();
  bus.respond(channel, async (_, { progress }) => {
    void slow.promise.then(() => progress(lateEnd('a')));
    const details = { outcomes: [outcome('a', 'detached'), outcome('b', 'cancelled')] };
    return { success: false, error: { code: 'cancelled', message: 'The request was cancelled.', details } };
  });
  const one = read(records, 1);
  await bus.request(channel, request);
  slow.resolve();
  expect(await one).toMatchObject([{ isComplete: true, lateEnds: [{ hookId: 'a' }], response: { error: { code: 'cancelled' } } }]);
});

test('a loop counts all records that it has missed, also those that were dropped before they reached it', async () => {
  const bus = new MessageBus();
  const records = new EventRecords(bus);
  bus.respond(channel, () => ({ success: true }));
  const loop = records.stream.values({ maxBuffered: 100 });
  const fired = 3_000;
  for (let event = 0; event < fired; event += 1) await bus.request(channel, request);
  await bus.close();
  let seen = 0;
  for await (const _ of loop) seen += 1;
  expect(loop.dropped).toBeGreaterThan(0);
  expect(seen + loop.dropped).toBe(fired);
});

test('a refused request has a record of its own, and does not end that of the request whose id it repeats', async () => {
  const bus = new MessageBus();
  const records = new EventRecords(bus);
  const gate = deferred<void>();
  bus.respond(channel, async () => {
    await gate.promise;
    return { success: true };
  });
  const both = read(records, 2);
  const first = bus.request(channel, { ...request, correlationId: 'same' });
  const refused = await bus.request(channel, { ...request, correlationId: 'same' });
  expect(refused.error?.code).toBe('invalid_request');
  gate.resolve();
  await first;
  expect((await both).map(({ correlationId, response }) => [correlationId === 'same', response?.success])).toEqual([
    [false, false],
    [true, true],
  ]);
});

test('closing emits what is open as incomplete; a closed bus closes the records', async () => {
  for (const end of ['records', 'bus'] as const) {
    const bus = new MessageBus();
    const records = new EventRecords(bus);
    bus.respond(channel, async () => ({ success: true, output: resultWith([outcome('a', 'detached')]) }));
    const all: EventRecord[] = [];
    const loop = (async () => {
      for await (const record of records.stream) all.push(record);
    })();
    await bus.request(channel, request);
    if (end === 'bus') await bus.close();
    else records.close();
    await loop;
    expect(all.map(({ isComplete, response }) => [isComplete, response?.success])).toEqual([[false, true]]);
    expect(await read(records, 1)).toEqual([]);
    await bus.close();
  }
});

test('without a subscriber the bus has no listener; an event that began before the first subscriber has a record without its request', async () => {
  const bus = new MessageBus();
  const records = new EventRecords(bus);
  const gate = deferred<void>();
  bus.respond(channel, async () => {
    await gate.promise;
    return { success: true };
  });
  const early = bus.request(channel, request);
  expect(bus.isSubscribed('HOOK_EXECUTION_PROGRESS')).toBe(false);
  const one = read(records, 1);
  expect(bus.isSubscribed('HOOK_EXECUTION_PROGRESS')).toBe(true);
  gate.resolve();
  await early;
  expect(await one).toMatchObject([{ response: { success: true } }]);
  expect((await one)[0]?.request).toBeUndefined();
  const channels = ['HOOK_EXECUTION_PROGRESS', 'HOOK_EXECUTION_RESPONSE'] as const;
  expect(channels.map((name) => bus.listenerCount(name))).toEqual([0, 0]);
});

test('a subscriber is called after the response, and one that throws has no effect on others', async () => {
  const bus = new MessageBus();
  const records = new EventRecords(bus);
  bus.respond(channel, answered);
  const steps: string[] = [];
  records.stream.subscribe(() => {
    throw new Error('a bug of the subscriber');
  });
  const seen = new Promise<void>((resolve) => {
    records.stream.subscribe(() => {
      steps.push('record');
      resolve();
    });
  });
  await bus.request(channel, request);
  steps.push('response');
  await seen;
  expect(steps).toEqual(['response', 'record']);
});

test('at most 1024 events are open: the oldest is emitted incomplete', async () => {
  const bus = new MessageBus();
  const records = new EventRecords(bus);
  bus.respond(channel, () => new Promise<never>(() => {}), { maxInFlight: 2000 });
  const oldest = read(records, 1);
  for (let index = 0; index <= 1024; index += 1) void bus.request(channel, { ...request, correlationId: `id-${index}` });
  expect(await oldest).toMatchObject([{ correlationId: 'id-0', isComplete: false }]);
  await bus.close();
});

test('details of an error that are not outcomes are ignored, as another process may send them', async () => {
  const bus = new MessageBus();
  const records = new EventRecords(bus);
  bus.respond(channel, () => ({
    success: false,
    error: { code: 'cancelled', message: 'cancelled', details: { outcomes: [null, 'x', { status: 'detached' }] } },
  }));
  const one = read(records, 1);
  await bus.request(channel, request);
  expect(await one).toMatchObject([{ isComplete: true, response: { error: { code: 'cancelled' } } }]);
});
