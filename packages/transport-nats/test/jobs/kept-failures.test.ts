import { testWithNats } from '../../../../test/support/nats-server.js';
import { until } from '../../../../test/support/until.js';
import { CuttablePath } from '../../../testing/test/transports/cuttable-path.js';
import { asked, channel, type NatsScene, withScene } from '../nats-scene.js';
import { answer, client, kept, pledge, queued, stream, watchReports } from './kept-scene.js';

/** Calls the interface of JetStream. */
async function callJetStream(scene: NatsScene, operation: string): Promise<void> {
  const raw = await scene.raw();
  expect((await raw.request(`$JS.API.${operation}`)).json()).toMatchObject({ success: true });
  await raw.close();
}

testWithNats('a stream may keep requests for longer than a timer of Node can wait', () =>
  withScene(async (scene) => {
    const atLeastOnce = { maxAgeMs: 100 * 24 * 3600 * 1000 };
    const agent = await client(scene, { atLeastOnce });
    const response = agent.bus.request(channel, asked);
    await until('the request is kept', async () => (await kept(scene)) === 1);
    const worker = await client(scene, { atLeastOnce });
    worker.bus.respond(channel, () => answer);
    expect(await response).toMatchObject({ ...answer, deliveries: 1 });
  }),
);

testWithNats('the response to a request of the worker itself has the number of deliveries, too', () =>
  withScene(async (scene) => {
    const worker = await client(scene);
    worker.bus.respond(channel, () => answer);
    expect(await worker.bus.request(channel, asked)).toMatchObject({ ...answer, deliveries: 1 });
  }),
);

testWithNats('a cancel reaches each worker that carries the request out', () =>
  withScene(async (scene) => {
    const { raw, reports, ackSubject } = await watchReports(scene);
    const agent = await client(scene);
    const reasons: unknown[] = [];
    let running = 0;
    const workers = [await client(scene, { atLeastOnce: { maxRunning: 1 } }), await client(scene, { atLeastOnce: { maxRunning: 1 } })];
    for (const { bus } of workers) {
      bus.respond(channel, (_payload, { signal }) => {
        running += 1;
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason);
            resolve(answer);
          });
        });
      });
      await bus.flush();
    }
    const control = new AbortController();
    const response = agent.bus.request(channel, asked, { signal: control.signal });
    await until('a worker has reported', () => reports.includes('+WPI'));
    // As if the worker had been stopped for too long.
    raw.publish(ackSubject(), '-NAK');
    await until('both workers run it', () => running === 2);
    // The agent knows both workers.
    for (const { bus } of [...workers, agent]) await bus.flush();
    control.abort();
    await until('both runs are cancelled', () => reasons.length === 2);
    expect(reasons).toEqual(['cancelled', 'cancelled']);
    expect((await response).error?.code).toBe('cancelled');
  }),
);

testWithNats('if an operator removes what distributes the requests, the worker creates it again', () =>
  withScene(async (scene) => {
    const [agent, worker] = [await client(scene), await client(scene)];
    worker.bus.respond(channel, () => answer);
    await worker.bus.flush();
    expect(await agent.bus.request(channel, asked)).toMatchObject(answer);
    await callJetStream(scene, `CONSUMER.DELETE.${stream}.workers`);
    expect(await agent.bus.request(channel, asked)).toMatchObject({ ...answer, deliveries: 1 });
  }),
);

testWithNats('if an operator removes the stream, the worker creates it again', () =>
  withScene(async (scene) => {
    const [agent, worker] = [await client(scene), await client(scene)];
    worker.bus.respond(channel, () => answer);
    await worker.bus.flush();
    await callJetStream(scene, `STREAM.DELETE.${stream}`);
    await until('the stream is there', () =>
      kept(scene).then(
        () => true,
        () => false,
      ),
    );
    expect(await agent.bus.request(channel, asked)).toMatchObject({ ...answer, deliveries: 1 });
  }),
);

testWithNats('if the server has lost its disk, the worker creates the stream again, and agents are answered', () =>
  withScene(async (scene) => {
    const [agent, worker] = [await client(scene), await client(scene)];
    worker.bus.respond(channel, () => answer);
    await worker.bus.flush();
    expect(await agent.bus.request(channel, asked)).toMatchObject(answer);
    const restored = pledge<void>();
    agent.bus.onConnectionChange((state) => state === 'restored' && restored.resolve());
    await scene.server.kill();
    scene.server.loseDisk();
    await scene.server.restart();
    await restored.promise;
    await until('the stream is there', () =>
      kept(scene).then(
        () => true,
        () => false,
      ),
    );
    expect(await agent.bus.request(channel, asked)).toMatchObject({ ...answer, deliveries: 1 });
  }),
);

testWithNats('an answer for which a worker without a connection has no room is given by another worker', () =>
  withScene(async (scene) => {
    const way = await CuttablePath.open({ port: 0 }, { port: scene.server.port, host: '127.0.0.1' });
    try {
      const agent = await client(scene);
      const first = await client(scene, { ...queued, servers: `127.0.0.1:${way.port}`, maxWaitingBytes: 1024 });
      const [running, lost] = [pledge<() => void>(), pledge<void>()];
      const large = { ...answer, error: { ...answer.error, message: 'x'.repeat(2000) } };
      let calls = 0;
      first.bus.respond(channel, () => {
        calls += 1;
        return calls === 1 ? new Promise((resolve) => running.resolve(() => resolve(large))) : answer;
      });
      first.bus.onConnectionChange((state) => state === 'lost' && lost.resolve());
      await first.bus.flush();
      const response = agent.bus.request(channel, asked);
      const decide = await running.promise;
      const reconnect = way.cut();
      await lost.promise;
      decide();
      await new Promise((resolve) => setImmediate(resolve));
      reconnect();
      expect(await response).toMatchObject(answer);
      expect(calls).toBe(2);
    } finally {
      await way.close();
    }
  }),
);
