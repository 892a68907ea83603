import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as rxjs from 'rxjs';
import { filter, firstValueFrom, lastValueFrom, map, take, toArray } from 'rxjs';
import { MessageBus, type ProgressPayload } from '../src/index.js';
import { answered, request, settled, watch } from './watch.js';

const planned: ProgressPayload = { kind: 'planned', eventName: 'BeforeTool', elapsedMs: 0, stages: [], skipped: 0 };
const never = () => new Promise<never>(() => {});

describe('stream', () => {
  test('is the payloads of a channel, while it is subscribed to', () => {
    const bus = new MessageBus();
    const seen: string[] = [];
    const stream = bus.stream('HOOK_EXECUTION_CANCEL');
    expect(bus.listenerCount('HOOK_EXECUTION_CANCEL')).toBe(0);
    const subscription = stream.subscribe(({ correlationId }) => seen.push(correlationId));
    bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'a' } });
    subscription.unsubscribe();
    bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'b' } });
    expect(seen).toEqual(['a']);
    expect(bus.listenerCount('HOOK_EXECUTION_CANCEL')).toBe(0);
  });

  test('completes when the bus is closed, after the last responses, and at once on a closed bus', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', never);
    const all = lastValueFrom(bus.stream('HOOK_EXECUTION_RESPONSE').pipe(toArray()));
    void bus.request('HOOK_EXECUTION_REQUEST', request);
    await bus.close();
    expect((await all).map(({ error }) => error?.code)).toEqual(['disposed']);
    expect(await lastValueFrom(bus.stream('HOOK_EXECUTION_RESPONSE').pipe(toArray()))).toEqual([]);
  });
});

describe('an observer that throws', () => {
  const cancel = (bus: MessageBus, correlationId: string) => bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId } });
  const fails = () => {
    throw new Error('a bug of the observer');
  };
  const rejects = () => Promise.reject(new Error('a bug of the observer'));

  // RxJS throws such an error again in a later turn, which would end this process.
  test.each<[string, object | (() => unknown)]>([
    ['a function', fails],
    ['an object', { next: fails }],
    ['an object whose complete throws', { complete: fails }],
    ['a function whose promise rejects', rejects],
  ])('and is %s receives later values, and others do too', async (_, odd) => {
    const bus = new MessageBus();
    const stream = bus.stream('HOOK_EXECUTION_CANCEL');
    const calls: string[] = [];
    const record = (who: string, of: unknown) => (value: unknown) => {
      calls.push(who);
      return typeof of === 'function' ? of(value) : undefined;
    };
    stream.subscribe(typeof odd === 'function' ? record('odd', odd) : { ...odd, next: record('odd', (odd as { next?: unknown }).next) });
    stream.subscribe(record('other', undefined));
    for (const id of ['a', 'b', 'c']) cancel(bus, id);
    await settled();
    await bus.close();
    expect(calls).toEqual(['odd', 'other', 'odd', 'other', 'odd', 'other']);
    expect(bus.listenerCount('HOOK_EXECUTION_CANCEL')).toBe(0);
  });

  test('leaves operators as they are: what they end is unsubscribed', async () => {
    const bus = new MessageBus();
    const stream = bus.stream('HOOK_EXECUTION_CANCEL');
    stream.subscribe(fails);
    const two = lastValueFrom(
      stream.pipe(
        map(({ correlationId }) => correlationId),
        filter((id) => id !== 'b'),
        take(2),
        toArray(),
      ),
    );
    expect(bus.listenerCount('HOOK_EXECUTION_CANCEL')).toBe(2);
    for (const id of ['a', 'b', 'c', 'd']) cancel(bus, id);
    expect(await two).toEqual(['a', 'c']);
    expect(bus.listenerCount('HOOK_EXECUTION_CANCEL')).toBe(1);
    await bus.close();
  });

  test('without any function at all is subscribed, and completes', async () => {
    const bus = new MessageBus();
    const subscriptions = [undefined, null, {}, { next: undefined }].map((observer) =>
      bus.stream('HOOK_EXECUTION_CANCEL').subscribe(observer as object),
    );
    cancel(bus, 'a');
    await bus.close();
    expect(subscriptions.map(({ closed }) => closed)).toEqual([true, true, true, true]);
  });
});

describe('requestStream', () => {
  test('is the progress of its own request, then the response, then the end', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', async (_payload, { progress }) => {
      progress(planned);
      await settled();
      progress({ kind: 'hook-started', eventName: 'BeforeTool', elapsedMs: 1, hookId: 'h', timeoutMs: 10 });
      return { success: true };
    });
    const streams = ['a', 'b'].map((correlationId) => bus.requestStream('HOOK_EXECUTION_REQUEST', { ...request, correlationId }));
    const all = await Promise.all(streams.map((stream) => lastValueFrom(stream.pipe(toArray()))));
    for (const [index, correlationId] of ['a', 'b'].entries()) {
      expect(all[index]).toMatchObject([
        { type: 'HOOK_EXECUTION_PROGRESS', payload: { correlationId, kind: 'planned' } },
        { type: 'HOOK_EXECUTION_PROGRESS', payload: { correlationId, kind: 'hook-started' } },
        { type: 'HOOK_EXECUTION_RESPONSE', payload: { correlationId, success: true } },
      ]);
    }
  });

  test('is cold: nothing is sent before it is subscribed to, and each subscription is a request', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', answered);
    const requests = watch(bus, 'HOOK_EXECUTION_REQUEST');
    const stream = bus.requestStream('HOOK_EXECUTION_REQUEST', request);
    expect(requests).toHaveLength(0);
    await Promise.all([lastValueFrom(stream), lastValueFrom(stream)]);
    expect(new Set(requests.map(({ correlationId }) => correlationId)).size).toBe(2);
  });

  test('unsubscribing before the end cancels', async () => {
    const bus = new MessageBus();
    const reasons: unknown[] = [];
    bus.respond('HOOK_EXECUTION_REQUEST', (_payload, { progress, signal }) => {
      signal.addEventListener('abort', () => reasons.push(signal.reason));
      progress(planned);
      return never();
    });
    const cancels = watch(bus, 'HOOK_EXECUTION_CANCEL');
    const first = await firstValueFrom(bus.requestStream('HOOK_EXECUTION_REQUEST', request).pipe(take(1)));
    expect(cancels).toEqual([{ correlationId: first.payload.correlationId, reason: 'cancelled' }]);
    expect(reasons).toEqual(['cancelled']);
  });

  test('unsubscribing after the end does not', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', answered);
    const cancels = watch(bus, 'HOOK_EXECUTION_CANCEL');
    const subscription = bus.requestStream('HOOK_EXECUTION_REQUEST', request).subscribe();
    await settled();
    expect(subscription.closed).toBe(true);
    subscription.unsubscribe();
    expect(cancels).toEqual([]);
  });

  test.each<[string, (bus: MessageBus) => unknown, object, string]>([
    ['no responders', () => {}, {}, 'no_responders'],
    ['a closed bus', (bus) => bus.close(), {}, 'disposed'],
    ['a signal that had aborted', () => {}, { signal: AbortSignal.abort() }, 'cancelled'],
    ['a timeout', (bus) => bus.respond('HOOK_EXECUTION_REQUEST', never), { timeoutMs: 1 }, 'timeout'],
  ])('never errors: %s is a response', async (_, prepare, options, code) => {
    const bus = new MessageBus({ cancelGraceMs: 1 });
    await prepare(bus);
    const messages = await lastValueFrom(bus.requestStream('HOOK_EXECUTION_REQUEST', request, options).pipe(toArray()));
    expect(messages).toMatchObject([{ type: 'HOOK_EXECUTION_RESPONSE', payload: { success: false, error: { code } } }]);
  });

  test('is answered disposed when the bus is closed', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', never);
    const all = lastValueFrom(bus.requestStream('HOOK_EXECUTION_REQUEST', request).pipe(toArray()));
    await bus.close();
    expect(await all).toMatchObject([{ payload: { error: { code: 'disposed' } } }]);
  });
});

describe('a copy of rxjs that users bring', () => {
  const require = createRequire(import.meta.url);
  const theirs = require(join(require.resolve('rxjs'), '../../bundles/rxjs.umd.js')) as typeof rxjs;
  const channel = 'HOOK_EXECUTION_CANCEL';
  const cancel = (bus: MessageBus, ...ids: string[]) => {
    for (const correlationId of ids) bus.publish({ type: channel, payload: { correlationId } });
  };
  const idOf = ({ correlationId }: { correlationId: string }) => correlationId;

  test('is another one', () => {
    expect(theirs.Observable).not.toBe(rxjs.Observable);
    expect(new MessageBus().stream(channel)).not.toBeInstanceOf(theirs.Observable);
  });

  test.each<[string, (stream: ReturnType<MessageBus['stream']>) => rxjs.Observable<unknown>]>([
    ['from()', (stream) => theirs.from(stream)],
    ['operators', (stream) => stream.pipe(theirs.map((value) => value))],
    ['from() with operators', (stream) => theirs.from(stream).pipe(theirs.filter(() => true))],
    ['switchMap() into a stream', (stream) => theirs.of(1).pipe(theirs.switchMap(() => stream))],
    ['merge()', (stream) => theirs.merge(stream, theirs.EMPTY)],
  ])('%s gets the values, and unsubscribing closes the source', (_, through) => {
    const bus = new MessageBus();
    const seen: unknown[] = [];
    const subscription = through(bus.stream(channel)).subscribe((value) => seen.push(value));
    cancel(bus, 'a', 'b');
    expect(seen).toEqual([{ correlationId: 'a' }, { correlationId: 'b' }]);
    expect(bus.listenerCount(channel)).toBe(1);
    subscription.unsubscribe();
    expect(bus.listenerCount(channel)).toBe(0);
    cancel(bus, 'c');
    expect(seen).toHaveLength(2);
  });

  test('take(1) closes the source by itself, in pipe() of ours and of theirs', () => {
    const bus = new MessageBus();
    const seen: unknown[] = [];
    bus
      .stream(channel)
      .pipe(theirs.map(idOf), theirs.take(1))
      .subscribe((id) => seen.push(id));
    theirs
      .from(bus.stream(channel))
      .pipe(theirs.map(idOf), theirs.take(1))
      .subscribe((id) => seen.push(id));
    expect(bus.listenerCount(channel)).toBe(2);
    cancel(bus, 'a', 'b');
    expect(seen).toEqual(['a', 'a']);
    expect(bus.listenerCount(channel)).toBe(0);
  });

  test('completes with the bus, and cancels a request that it leaves', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', (_payload, { progress }) => {
      progress(planned);
      return never();
    });
    const cancels = watch(bus, channel);
    await theirs.firstValueFrom(theirs.from(bus.requestStream('HOOK_EXECUTION_REQUEST', request)));
    expect(cancels).toMatchObject([{ reason: 'cancelled' }]);
    const all = theirs.lastValueFrom(bus.stream(channel).pipe(theirs.toArray()));
    await bus.close();
    expect(await all).toEqual([]);
  });

  test('its operators see an error of their own, and the source is closed', () => {
    const bus = new MessageBus();
    const errors: unknown[] = [];
    const fails = theirs.map((): never => {
      throw new Error('a bug of the operator');
    });
    bus
      .stream(channel)
      .pipe(fails)
      .subscribe({ error: (error) => errors.push(error) });
    cancel(bus, 'a');
    expect(errors).toEqual([new Error('a bug of the operator')]);
    expect(bus.listenerCount(channel)).toBe(0);
  });
});

describe('a loop over a stream', () => {
  test('reads the payloads of a channel from the call of values(), and ends with the bus', async () => {
    const bus = new MessageBus();
    const values = bus.stream('HOOK_EXECUTION_CANCEL').values();
    for (const correlationId of ['a', 'b']) bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId } });
    await bus.close();
    const seen: string[] = [];
    for await (const { correlationId } of values) seen.push(correlationId);
    expect(seen).toEqual(['a', 'b']);
  });

  test('drops the oldest values beyond maxBuffered, and counts them', async () => {
    const bus = new MessageBus();
    const values = bus.stream('HOOK_EXECUTION_CANCEL').values({ maxBuffered: 2 });
    for (const correlationId of ['a', 'b', 'c', 'd']) bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId } });
    expect([await values.next(), values.dropped]).toEqual([{ done: false, value: { correlationId: 'c' } }, 2]);
    await values.return();
    expect(bus.listenerCount('HOOK_EXECUTION_CANCEL')).toBe(0);
  });

  test('sends a request, and reads its progress and response', async () => {
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', async (_, { progress }) => {
      progress(planned);
      return { success: true };
    });
    const types: string[] = [];
    for await (const { type } of bus.requestStream('HOOK_EXECUTION_REQUEST', request)) types.push(type);
    expect(types).toEqual(['HOOK_EXECUTION_PROGRESS', 'HOOK_EXECUTION_RESPONSE']);
  });

  test('cancels the request if it is left early; a signal that has aborted sends nothing', async () => {
    const bus = new MessageBus();
    const reasons: unknown[] = [];
    let calls = 0;
    bus.respond('HOOK_EXECUTION_REQUEST', (_, { progress, signal }) => {
      calls += 1;
      progress(planned);
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason);
          resolve({ success: true });
        });
      });
    });
    const stream = bus.requestStream('HOOK_EXECUTION_REQUEST', request);
    for await (const _ of stream) break;
    expect([calls, reasons.length]).toEqual([1, 1]);
    for await (const _ of stream.values({ signal: AbortSignal.abort() })) calls += 100;
    expect(calls).toBe(1);
  });
});
