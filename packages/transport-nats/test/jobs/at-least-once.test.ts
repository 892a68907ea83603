import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { testWithNats } from '../../../../test/support/nats-server.js';
import { until } from '../../../../test/support/until.js';
import { asked, channel, type NatsScene, withScene } from '../nats-scene.js';
import { answer, client, kept, pledge, queued, stream, watchReports } from './kept-scene.js';

testWithNats('a request is kept until it is answered, and its response has the number of deliveries', () =>
  withScene(async (scene) => {
    const [agent, worker] = [await client(scene), await client(scene)];
    worker.bus.respond(channel, async () => {
      expect(await kept(scene)).toBe(1);
      return answer;
    });
    await worker.bus.flush();
    expect(await agent.bus.request(channel, asked)).toMatchObject({ ...answer, deliveries: 1 });
    await until('the stream has removed the request', async () => (await kept(scene)) === 0);
    expect([agent.transport.deliveryCounts, worker.transport.deliveryCounts]).toEqual(
      Array(2).fill({ redelivered: 0, repeated: 0, repeatedAnswers: 0 }),
    );
  }),
);

testWithNats('a request waits for a worker, and many requests are distributed among workers with little room', () =>
  withScene(async (scene) => {
    const agent = await client(scene);
    const answers = Array.from({ length: 100 }, () => agent.bus.request(channel, asked, { timeoutMs: 50_000 }));
    await until('all requests are kept', async () => (await kept(scene)) === 100);
    let [running, most, calls] = [0, 0, 0];
    for (const _ of [1, 2]) {
      const worker = await client(scene, { atLeastOnce: { maxRunning: 3 } });
      worker.bus.respond(channel, async () => {
        calls += 1;
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return answer;
      });
    }
    expect((await Promise.all(answers)).map(({ error, deliveries }) => [error?.message, deliveries])).toEqual(
      Array(100).fill(['the answer', 1]),
    );
    expect(calls).toBe(100);
    expect(most).toBeLessThanOrEqual(6);
  }),
);

async function withKillableWorker(scene: NatsScene, run: (worker: ChildProcess, nextLine: () => Promise<string>) => Promise<void>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../fixtures/worker.mjs'), scene.server.url, JSON.stringify(queued)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const nextLine = async () => (await lines.next()).value as string;
    expect(await nextLine()).toBe('ready');
    await run(child, nextLine);
  } finally {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}

testWithNats('if a worker is killed, another one carries its request out, and the response says that it was delivered twice', () =>
  withScene((scene) =>
    withKillableWorker(scene, async (child, nextLine) => {
      // The agent looks for its worker so often that it would give up, if the request were not kept.
      const agent = await client(scene, { ...queued, aliveMs: 20 });
      const response = agent.bus.request(channel, { ...asked, correlationId: 'a' });
      expect(await nextLine()).toBe('a');
      child.kill('SIGKILL');
      const worker = await client(scene);
      worker.bus.respond(channel, () => answer);
      expect(await response).toMatchObject({ ...answer, deliveries: 2 });
      expect(worker.transport.deliveryCounts).toMatchObject({ redelivered: 1, repeated: 0 });
    }),
  ),
);

testWithNats('a request that runs longer than the wait for signs of life is not delivered again', () =>
  withScene(async (scene) => {
    const { reports } = await watchReports(scene);
    const [agent, worker] = [await client(scene), await client(scene)];
    let calls = 0;
    worker.bus.respond(channel, async () => {
      calls += 1;
      // More signs of life than fit into one wait.
      await until('the worker has reported several times', () => reports.filter((report) => report === '+WPI').length > 5);
      return answer;
    });
    await worker.bus.flush();
    expect(await agent.bus.request(channel, asked)).toMatchObject({ ...answer, deliveries: 1 });
    await until('the request is acknowledged', () => reports.includes('+ACK'));
    expect(calls).toBe(1);
  }),
);

testWithNats('a request that is delivered again to the worker that runs it, runs once', () =>
  withScene(async (scene) => {
    const { raw, reports, ackSubject } = await watchReports(scene);
    const [agent, worker] = [await client(scene), await client(scene)];
    const decide = pledge<void>();
    let calls = 0;
    worker.bus.respond(channel, async () => {
      calls += 1;
      await decide.promise;
      return answer;
    });
    await worker.bus.flush();
    const response = agent.bus.request(channel, asked);
    await until('the worker has reported', () => reports.includes('+WPI'));
    raw.publish(ackSubject(), '-NAK');
    await until('it is delivered again', () => worker.transport.deliveryCounts.repeated === 1);
    decide.resolve();
    expect(await response).toMatchObject({ ...answer, deliveries: 2 });
    await until('the stream has removed the request', async () => (await kept(scene)) === 0);
    expect([calls, worker.transport.deliveryCounts]).toEqual([1, { redelivered: 1, repeated: 1, repeatedAnswers: 0 }]);
  }),
);

testWithNats('a second worker that answers after a paused one has answered is counted, and changes nothing', () =>
  withScene(async (scene) => {
    const { raw, reports, ackSubject } = await watchReports(scene);
    const agent = await client(scene);
    const workers = [await client(scene, { atLeastOnce: { maxRunning: 1 } }), await client(scene, { atLeastOnce: { maxRunning: 1 } })];
    const decisions: (() => void)[] = [];
    for (const [index, { bus }] of workers.entries()) {
      bus.respond(
        channel,
        () => new Promise((resolve) => decisions.push(() => resolve({ ...answer, error: { ...answer.error, message: `${index}` } }))),
      );
      await bus.flush();
    }
    const response = agent.bus.request(channel, asked);
    await until('a worker has reported', () => reports.includes('+WPI'));
    // As if the worker had been stopped for too long.
    raw.publish(ackSubject(), '-NAK');
    await until('both workers run it', () => decisions.length === 2);
    const [first, second] = decisions;
    first?.();
    const { error } = await response;
    second?.();
    await until('the second answer has arrived', () => agent.transport.deliveryCounts.repeatedAnswers === 1);
    expect(['0', '1']).toContain(error?.message);
  }),
);

testWithNats('a request that was delivered too often is answered with an error, and not carried out', () =>
  withScene(async (scene) => {
    const agent = await client(scene);
    const worker = await client(scene, { atLeastOnce: { maxDeliveries: 2 } });
    // Creates what distributes the requests, and stops.
    const stop = worker.bus.respond(channel, () => answer);
    await worker.bus.flush();
    stop();
    await worker.bus.flush();
    const response = agent.bus.request(channel, asked);
    const raw = await scene.raw();
    for (let time = 0; time < 2; time += 1) {
      const { reply } = await new Promise<{ reply?: string }>((resolve) => {
        raw.subscribe(`pull-${time}`, { max: 1, callback: (_error, message) => resolve(message) });
        raw.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.workers`, '{"batch":1}', { reply: `pull-${time}` });
      });
      raw.publish(reply as string, '-NAK');
    }
    await raw.flush();
    let calls = 0;
    worker.bus.respond(channel, () => {
      calls += 1;
      return answer;
    });
    const { error, deliveries } = await response;
    expect([error?.code, deliveries, calls]).toEqual(['internal_error', 3, 0]);
    expect(error?.message).toContain('The request was delivered 3 times, and no worker has answered it');
  }),
);

testWithNats('an agent gives up a request that was delivered too often to workers that ended', () =>
  withScene((scene) =>
    withKillableWorker(scene, async (child, nextLine) => {
      const agent = await client(scene, { atLeastOnce: { maxDeliveries: 1 }, aliveMs: 20 });
      const response = agent.bus.request(channel, { ...asked, correlationId: 'a' });
      expect(await nextLine()).toBe('a');
      child.kill('SIGKILL');
      const worker = await client(scene);
      const aborted = pledge<unknown>();
      worker.bus.respond(channel, (_payload, { signal }) => {
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted.resolve(signal.reason);
            resolve(answer);
          });
        });
      });
      const { error } = await response;
      expect([error?.code, error?.message]).toEqual(['internal_error', expect.stringContaining('was delivered 2 times')]);
      await aborted.promise;
    }),
  ),
);

testWithNats('a worker that closes gives its requests back, and its agent does not notice', () =>
  withScene(async (scene) => {
    const [agent, first] = [await client(scene), await client(scene)];
    const running = pledge<void>();
    first.bus.respond(channel, () => {
      running.resolve();
      return new Promise(() => {});
    });
    await first.bus.flush();
    const response = agent.bus.request(channel, asked);
    await running.promise;
    const second = await client(scene);
    second.bus.respond(channel, () => answer);
    await second.bus.flush();
    await first.bus.close();
    await first.transport.close();
    expect(await response).toMatchObject({ ...answer, deliveries: 2 });
  }),
);

testWithNats('a request that is cancelled before a worker has received it is removed', () =>
  withScene(async (scene) => {
    const agent = await client(scene);
    const control = new AbortController();
    const response = agent.bus.request(channel, asked, { signal: control.signal });
    await until('the request is kept', async () => (await kept(scene)) === 1);
    control.abort();
    expect((await response).error?.code).toBe('cancelled');
    await until('the stream has removed the request', async () => (await kept(scene)) === 0);
  }),
);

testWithNats('a request that is cancelled while it runs is cancelled at its worker, and acknowledged', () =>
  withScene(async (scene) => {
    const [agent, worker] = [await client(scene), await client(scene)];
    const [running, aborted] = [pledge<void>(), pledge<unknown>()];
    worker.bus.respond(channel, (_payload, { signal }) => {
      running.resolve();
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          aborted.resolve(signal.reason);
          resolve(answer);
        });
      });
    });
    await worker.bus.flush();
    const control = new AbortController();
    const response = agent.bus.request(channel, asked, { signal: control.signal });
    await running.promise;
    control.abort();
    expect(await aborted.promise).toBe('cancelled');
    await response;
    await until('the stream has removed the request', async () => (await kept(scene)) === 0);
  }),
);

testWithNats('a full stream refuses requests with a code, and they have one answer', () =>
  withScene(async (scene) => {
    const agent = await client(scene, { atLeastOnce: { maxBytes: 4096 } });
    const codes = new Set<string | undefined>();
    const large = { eventName: 'BeforeTool', input: { text: 'x'.repeat(1500) } };
    const requests = Array.from({ length: 5 }, () => agent.bus.request(channel, large, { timeoutMs: 500 }));
    for (const { error } of await Promise.all(requests)) codes.add(error?.code);
    expect(codes).toEqual(new Set(['timeout', 'overloaded']));
  }),
);

testWithNats('requests of agents without the option, and of the worker itself, are answered', () =>
  withScene(async (scene) => {
    const [agent, worker] = [await client(scene, {}), await client(scene)];
    worker.bus.respond(channel, () => answer);
    await worker.bus.flush();
    const plain = await agent.bus.request(channel, asked);
    expect([plain.error?.message, plain.deliveries]).toEqual(['the answer', undefined]);
    expect(await worker.bus.request(channel, asked)).toMatchObject(answer);
    await until('the stream has removed the request', async () => (await kept(scene)) === 0);
  }),
);

testWithNats('after a restart of the server, requests are kept and answered again', () =>
  withScene(async (scene) => {
    const [agent, worker] = [await client(scene), await client(scene)];
    worker.bus.respond(channel, () => answer);
    await worker.bus.flush();
    const restored = [agent, worker].map(({ bus }) => {
      const { promise, resolve } = pledge<void>();
      bus.onConnectionChange((state) => state === 'restored' && resolve());
      return promise;
    });
    await scene.server.kill();
    await scene.server.restart();
    await Promise.all(restored);
    expect(await agent.bus.request(channel, asked)).toMatchObject({ ...answer, deliveries: 1 });
  }),
);

testWithNats('a request that is not JSON in the stream is removed from it', () =>
  withScene(async (scene) => {
    const worker = await client(scene);
    worker.bus.respond(channel, () => answer);
    await worker.bus.flush();
    const raw = await scene.raw();
    await raw.request('tenterhook.default.job.-.BeforeTool', 'malformed');
    await until('the stream has removed it', async () => (await kept(scene)) === 0);
  }),
);

test.each([
  [{ atLeastOnce: { ackWait: 5 } }, 'atLeastOnce has no option "ackWait". Did you mean "ackWaitMs"?'],
  [{ atLeastOnce: { ackWaitMs: 5 } }, 'atLeastOnce.ackWaitMs must be an integer from 1000'],
  [{ atLeastOnce: { maxRunning: 0 } }, 'atLeastOnce.maxRunning must be an integer from 1'],
  [{ atLeastOnce: { maxDeliveries: 0 } }, 'atLeastOnce.maxDeliveries must be an integer from 1'],
  [{ atLeastOnce: { replicas: 9 } }, 'replicas must be an integer from 1 to 5'],
])('the options %j are refused', async (options, message) => {
  const { connectToNats } = await import('../../src/index.js');
  await expect(connectToNats({ servers: '127.0.0.1:1', ...options } as never)).rejects.toThrow(message);
});
