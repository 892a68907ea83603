import { MessageBus } from '@tenterhook/bus';
import { compareRecordings, explainRequests, recordBus, replayRequests, writeMinimal } from '../../src/index.js';
import { fireTool, outcomeOf, resultOf, serve, servedBus, watch } from '../recording-rig.js';

const roots = { home: undefined, tmp: undefined };

/** A bus whose answers wait until they are released, and the order of what happens on it. */
function gated() {
  const bus = new MessageBus();
  const waiting = new Map<string, () => void>();
  const order: string[] = [];
  const changed: (() => void)[] = [];
  serve(bus, async (input) => {
    const name = String(input['tool_name']);
    order.push(`start ${name}`);
    for (const notify of changed.splice(0)) notify();
    await new Promise<void>((resolve) => waiting.set(name, resolve));
    order.push(`end ${name}`);
    return resultOf([outcomeOf('h')]);
  });
  const started = async (...names: string[]) => {
    while (!names.every((name) => order.includes(`start ${name}`))) await new Promise<void>((resolve) => changed.push(resolve));
  };
  return { bus, order, started, release: (name: string) => waiting.get(name)?.() };
}

test('record-replay case 25: requests that overlapped overlap again, and others wait', async () => {
  const first = gated();
  const recorder = recordBus(first.bus, { roots });
  const both = [fireTool(first.bus, {}, 'a'), fireTool(first.bus, {}, 'b')];
  await first.started('a', 'b');
  first.release('b');
  await both[1];
  // c was sent while a was running, and after b had been answered.
  both.push(fireTool(first.bus, {}, 'c'));
  await first.started('c');
  for (const name of ['c', 'a']) first.release(name);
  await Promise.all(both);
  const last = fireTool(first.bus, {}, 'd');
  await first.started('d');
  first.release('d');
  await last;
  const recording = await recorder.recording();

  const live = gated();
  const replay = replayRequests(recording, live.bus, { roots });
  await live.started('a', 'b');
  expect(live.order).toEqual(['start a', 'start b']);
  live.release('b');
  await live.started('c');
  live.release('a');
  live.release('c');
  await live.started('d');
  live.release('d');
  expect(await replay).toMatchObject({ requests: 4, same: 4, different: [], skipped: [], missing: [] });
  expect(live.order).toEqual(['start a', 'start b', 'end b', 'start c', 'end a', 'end c', 'start d', 'end d']);
});

test('new correlation ids are used; what cannot be sent is skipped and counted; a filter selects', async () => {
  const bus = servedBus();
  const recorder = recordBus(bus, { roots, maxLineBytes: 4_096 });
  await fireTool(bus, { n: 1 });
  await fireTool(bus, { n: 2, text: 'x'.repeat(9_000) });
  await fireTool(bus, { n: 3 }, 'other');
  bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: 'malformed' as never });
  await recorder.close();
  const recording = await recorder.recording();
  const live = servedBus();
  const seen = watch(live);
  const result = await replayRequests(recording, live, { roots, filter: ({ ordinal }) => ordinal !== 3 });
  expect(result).toMatchObject({ requests: 1, same: 1, different: [] });
  expect(result.skipped.map(({ ordinal, code }) => [ordinal, code])).toEqual([
    [2, 'cut_request'],
    [3, 'filtered'],
    [4, 'malformed'],
  ]);
  const ids = seen.map(({ payload }) => (payload as { correlationId?: string }).correlationId);
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).not.toBe(recording.exchanges[0]?.correlationId);
  expect(result.recording.exchanges).toHaveLength(1);
});

test('record-replay case 13: a replay with the secret equals, and without it nothing is sent', async () => {
  const secret = 'correct horse battery';
  const answer = (input: Record<string, unknown>) => resultOf([outcomeOf('h', { output: { reason: JSON.stringify(input) } })]);
  const bus = servedBus(answer);
  const recorder = recordBus(bus, { roots, secrets: { KEY: secret } });
  await fireTool(bus, { text: `My key is ${secret}` });
  const recording = await recorder.recording();
  expect(JSON.stringify(recording)).not.toContain(secret);
  const live = servedBus(answer);
  const seen = watch(live);
  const without = await replayRequests(recording, live, { roots });
  expect(without.missing).toEqual([{ code: 'missing_secret', name: 'KEY', message: expect.stringContaining('secrets: { KEY }') }]);
  expect(without.skipped).toMatchObject([{ ordinal: 1, code: 'missing_value' }]);
  expect(seen).toEqual([]);
  expect(await replayRequests(recording, live, { roots, secrets: { KEY: secret } })).toMatchObject({ same: 1, different: [], missing: [] });
  expect(JSON.stringify(seen)).toContain(secret);
  // Another value is a value like any other, so the placeholder fits it.
  expect(await replayRequests(recording, live, { roots, secrets: { KEY: 'another secret' } })).toMatchObject({ same: 1, different: [] });
});

test('record-replay case 26: a recorded cancel is sent after the start of the same hook', async () => {
  const answerOf = (bus: MessageBus) =>
    bus.respond('HOOK_EXECUTION_REQUEST', async ({ eventName }, { progress, signal }) => {
      for (const hookId of ['a', 'b', 'c']) {
        progress({ kind: 'hook-started', eventName, elapsedMs: 0, hookId, timeoutMs: 1 });
        // The cancel arrives in a later turn.
        await new Promise((resolve) => setImmediate(resolve));
        if (signal.aborted)
          return { success: false, error: { code: 'cancelled', message: 'm', details: { at: hookId, reason: signal.reason } } };
      }
      return { success: true };
    });
  const bus = new MessageBus();
  answerOf(bus);
  const recorder = recordBus(bus, { roots });
  const control = new AbortController();
  bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
    if (payload.kind === 'hook-started' && payload.hookId === 'b') control.abort('enough');
  });
  await bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: {} as never }, { signal: control.signal });
  const recording = await recorder.recording();
  expect(recording.exchanges[0]?.response?.payload).toMatchObject({ error: { details: { at: 'b', reason: 'enough' } } });
  const live = new MessageBus();
  answerOf(live);
  expect(await replayRequests(recording, live, { roots })).toMatchObject({ requests: 1, same: 1, different: [] });
});

test('an aborted replay cancels what runs, and sends nothing more', async () => {
  const bus = servedBus();
  const recorder = recordBus(bus, { roots });
  for (const tool of ['a', 'b']) await fireTool(bus, {}, tool);
  const control = new AbortController();
  const live = gated();
  const replay = replayRequests(await recorder.recording(), live.bus, { roots, signal: control.signal, timeoutMs: 5_000 });
  await live.started('a');
  control.abort();
  live.release('a');
  expect((await replay).skipped).toEqual([{ ordinal: 2, eventName: 'BeforeTool', line: expect.any(Number), code: 'aborted' }]);
  expect(live.order).toEqual(['start a', 'end a']);
});

test('record-replay case 27: which hooks would run is compared by what `explain` says', async () => {
  const bus = servedBus(() =>
    resultOf([
      outcomeOf('a'),
      outcomeOf('b', { status: 'skipped', skipReason: 'chain-ended' }),
      outcomeOf('c', { status: 'skipped', skipReason: 'matcher' }),
    ]),
  );
  const recorder = recordBus(bus, { roots });
  await fireTool(bus);
  const recording = await recorder.recording();
  const explains = (reasonOfA: string | undefined) => ({
    explain: () => ({
      hooks: [
        { hookId: 'a', wouldRun: reasonOfA === undefined, ...(reasonOfA === undefined ? {} : { skipReason: reasonOfA }) },
        { hookId: 'b', wouldRun: true },
        { hookId: 'c', wouldRun: false, skipReason: 'matcher' },
      ],
    }),
  });
  expect(explainRequests(recording, explains(undefined))).toMatchObject({ requests: 1, same: 1, different: [] });
  expect(explainRequests(recording, explains('disabled')).different).toMatchObject([
    { ordinal: 1, differences: [{ path: 'hooks.a', recorded: 'runs', now: 'skipped: disabled' }] },
  ]);
});

test('requests that were not answered because the bus was closed are differences', async () => {
  const bus = servedBus();
  const recorder = recordBus(bus, { roots });
  for (const tool of ['a', 'b', 'c']) await fireTool(bus, {}, tool);
  await recorder.close();
  const live = new MessageBus();
  serve(live, async ({ tool_name: tool }) => {
    if (tool === 'b') await live.close();
    return resultOf([outcomeOf('h')]);
  });
  const { same, different } = await replayRequests(await recorder.recording(), live, { roots });
  expect([same, different.map(({ kind, subject }) => [kind, subject])]).toEqual([
    1,
    [
      ['changed', 'b'],
      ['removed', 'c'],
    ],
  ]);
});

test('record-replay case 27: the hooks of a cancelled event are compared, too; an event whose hooks were not asked is skipped', async () => {
  const bus = new MessageBus();
  let isAsked = true;
  bus.respond('HOOK_EXECUTION_REQUEST', () => {
    const details = { outcomes: [outcomeOf('a', { status: 'cancelled' }), outcomeOf('b', { status: 'skipped', skipReason: 'matcher' })] };
    return { success: false, error: { code: 'cancelled', message: 'm', ...(isAsked ? { details } : {}) } };
  });
  const recorder = recordBus(bus, { roots });
  await fireTool(bus);
  isAsked = false;
  await fireTool(bus);
  const explains = {
    explain: () => ({
      hooks: [
        { hookId: 'a', wouldRun: true },
        { hookId: 'b', wouldRun: false, skipReason: 'matcher' },
      ],
    }),
  };
  expect(explainRequests(await recorder.recording(), explains)).toMatchObject({
    requests: 1,
    same: 1,
    different: [],
    skipped: [{ ordinal: 2, code: 'unanswered' }],
  });
});

test('requests that were sent with `***` in place of a secret are listed', async () => {
  const bus = servedBus();
  const recorder = recordBus(bus, { roots });
  await fireTool(bus, { password: 'hunter2hunter2' });
  await fireTool(bus, { path: 'a.txt' });
  const recording = await recorder.recording();
  const masked = [{ ordinal: 1, eventName: 'BeforeTool', line: 2, code: 'masked_request' }];
  expect(await replayRequests(recording, servedBus(), { roots })).toMatchObject({ same: 2, masked });
  expect(explainRequests(recording, { explain: () => ({ hooks: [{ hookId: 'h', wouldRun: true }] }) })).toMatchObject({ same: 2, masked });
  const unmasked = { ...recording, header: { ...recording.header, masked: false } };
  expect(await replayRequests(unmasked, servedBus(), { roots })).toMatchObject({ same: 2, masked: [] });
});

test('outcomes with objects in place of texts are compared', async () => {
  const odd = { toString: 1 } as never;
  const bus = servedBus(() => resultOf([outcomeOf(odd), outcomeOf('b', { status: 'skipped', skipReason: odd })]));
  const recorder = recordBus(bus, { roots });
  await fireTool(bus);
  const { different } = explainRequests(await recorder.recording(), { explain: () => ({ hooks: [] }) });
  expect(different[0]?.differences.map(({ recorded }) => recorded)).toEqual(['runs', 'skipped: an object']);
});

test('unknown options are refused before anything is sent, also those of a comparison', async () => {
  const bus = servedBus();
  const recorder = recordBus(bus, { roots });
  await fireTool(bus, { a: 1 });
  await recorder.close();
  const recording = await recorder.recording();
  const seen = watch(bus);
  await expect(replayRequests(recording, bus, { roots, secret: {} } as object)).rejects.toThrow(
    new TypeError('replayRequests has no option "secret". Did you mean "secrets"?'),
  );
  const hooks = { explain: () => ({ hooks: [] }) };
  expect(() => explainRequests(recording, hooks, { roots, filters: () => true } as object)).toThrow(
    'explainRequests has no option "filters". Did you mean "filter"?',
  );
  expect(() => compareRecordings(recording, recording, { text: true } as object)).toThrow(
    'compareRecordings has no option "text". Did you mean "texts"?',
  );
  await expect(writeMinimal('/dev/null/no', recording, { ignored: [] } as object)).rejects.toThrow(
    'writeMinimal has no option "ignored". Did you mean "ignore"?',
  );
  expect(seen).toEqual([]);
});
