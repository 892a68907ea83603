import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { testWithNats } from '../../../../test/support/nats-server.js';
import { until } from '../../../../test/support/until.js';
import { asked, channel, type NatsScene, withScene } from '../nats-scene.js';

/** A promise and its resolve function. */
function pledge<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((onResolved) => {
    resolve = onResolved;
  });
  return { promise, resolve };
}

const denied = {
  success: true as const,
  output: {
    success: true,
    verdict: { kind: 'deny' as const, stop: false, reason: 'no', by: ['guard'], stoppedBy: [] },
    changes: [],
    allOutputs: [],
    outcomes: [],
    errors: [],
    totalDuration: 0,
  },
};

/** Resolves when a worker subscribes to requests. */
async function subscribed(scene: NatsScene): Promise<void> {
  const raw = await scene.raw();
  await until('a worker subscribes', () => {
    // The server reports at once that there is no subscriber. A worker does not reply to a subject that is not one of Tenterhook.
    return raw.request('tenterhook.default.ask.-.BeforeTool', '', { timeout: 50 }).then(
      () => true,
      (error: Error) => error.name === 'TimeoutError',
    );
  });
}

testWithNats('a worker that is killed ends its requests with an error, although they have no timeout', () =>
  withScene(async (scene) => {
    const { server } = scene;
    const worker = spawn(process.execPath, [join(import.meta.dirname, '../fixtures/worker.mjs'), server.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const lines = createInterface({ input: worker.stdout })[Symbol.asyncIterator]();
      expect((await lines.next()).value).toBe('ready');
      const agent = await scene.bus({ aliveMs: 20 });
      const answer = agent.request(channel, { ...asked, correlationId: 'a' });
      expect((await lines.next()).value).toBe('a');
      worker.kill('SIGKILL');
      expect((await answer).error).toEqual({
        code: 'disposed',
        message:
          'The worker that received the request has ended, or has lost its connection. It is unknown whether the request was carried out.',
      });
    } finally {
      worker.kill('SIGKILL');
      if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
    }
  }),
);

testWithNats('if the server goes away, requests in flight end with an error, and later ones are answered again', () =>
  withScene(async (scene) => {
    const agent = await scene.bus();
    const worker = await scene.bus();
    const running = pledge<void>();
    let isFirst = true;
    worker.respond(channel, () => {
      if (!isFirst) return denied;
      isFirst = false;
      running.resolve();
      return new Promise(() => {});
    });
    await worker.flush();
    const answer = agent.request(channel, asked);
    await running.promise;
    const restored = [agent, worker].map((bus) => {
      const { promise, resolve } = pledge<void>();
      bus.onConnectionChange((state) => state === 'restored' && resolve());
      return promise;
    });
    await scene.server.kill();
    expect((await answer).error?.code).toBe('disposed');
    expect((await agent.request(channel, asked)).error?.code).toBe('disposed');
    await scene.server.restart();
    await Promise.all(restored);
    expect((await agent.request(channel, asked)).output?.verdict.kind).toBe('deny');
  }),
);

testWithNats('a deny that a worker gives while it has no connection reaches the requester', () =>
  withScene(async (scene) => {
    const { CuttablePath } = await import('../../../testing/test/transports/cuttable-path.js');
    const way = await CuttablePath.open({ port: 0 }, { port: scene.server.port, host: '127.0.0.1' });
    try {
      // The agent does not look for the worker so often that it would give up meanwhile.
      const agent = await scene.bus({ aliveMs: 60_000 });
      const worker = await scene.bus({ servers: `127.0.0.1:${way.port}` });
      const running = pledge<() => void>();
      worker.respond(channel, () => new Promise((resolve) => running.resolve(() => resolve(denied))));
      await worker.flush();
      const answer = agent.request(channel, asked);
      const decide = await running.promise;
      const lost = pledge<void>();
      worker.onConnectionChange((state) => state === 'lost' && lost.resolve());
      const reconnect = way.cut();
      await lost.promise;
      decide();
      reconnect();
      expect((await answer).output?.verdict.kind).toBe('deny');
    } finally {
      await way.close();
    }
  }),
);

testWithNats('a deny that a worker gives while its connection is being restored reaches the requester', () =>
  withScene(async (scene) => {
    const { CuttablePath } = await import('../../../testing/test/transports/cuttable-path.js');
    const way = await CuttablePath.open({ port: 0 }, { port: scene.server.port, host: '127.0.0.1' });
    try {
      const agent = await scene.bus({ aliveMs: 60_000 });
      const worker = await scene.bus({ servers: `127.0.0.1:${way.port}` });
      const running = pledge<() => void>();
      worker.respond(channel, () => new Promise((resolve) => running.resolve(() => resolve(denied))));
      await worker.flush();
      const answer = agent.request(channel, asked, { timeoutMs: 30_000 });
      const decide = await running.promise;
      // The agent has received the confirmation of the worker.
      for (const bus of [worker, agent]) await bus.flush();
      const states: string[] = [];
      const [lost, restored] = [pledge<void>(), pledge<void>()];
      worker.onConnectionChange((state) => {
        states.push(state);
        (state === 'lost' ? lost : restored).resolve();
      });
      const reconnect = way.cut();
      await lost.promise;
      // The server accepts the connection, and then its confirmation of the subscriptions is on its way.
      const accepted = way.pauseAfter('PONG', 1);
      reconnect();
      const resume = await accepted;
      await subscribed(scene);
      decide();
      await new Promise((resolve) => setImmediate(resolve));
      expect(states).toEqual(['lost']);
      resume();
      await restored.promise;
      expect(await answer).toMatchObject({ output: { verdict: { kind: 'deny' } } });
    } finally {
      await way.close();
    }
  }),
);

testWithNats('an answer for which a worker without a connection has no room becomes an error, as soon as the connection is back', () =>
  withScene(async (scene) => {
    const { CuttablePath } = await import('../../../testing/test/transports/cuttable-path.js');
    const way = await CuttablePath.open({ port: 0 }, { port: scene.server.port, host: '127.0.0.1' });
    try {
      const agent = await scene.bus({ aliveMs: 60_000 });
      const worker = await scene.bus({ servers: `127.0.0.1:${way.port}`, maxWaitingBytes: 1024 });
      const [running, lost] = [pledge<() => void>(), pledge<void>()];
      const large = { ...denied, output: { ...denied.output, verdict: { ...denied.output.verdict, reason: 'x'.repeat(2000) } } };
      worker.respond(channel, () => new Promise((resolve) => running.resolve(() => resolve(large))));
      worker.onConnectionChange((state) => state === 'lost' && lost.resolve());
      await worker.flush();
      const response = agent.request(channel, asked);
      const decide = await running.promise;
      const reconnect = way.cut();
      await lost.promise;
      decide();
      await new Promise((resolve) => setImmediate(resolve));
      reconnect();
      expect((await response).error).toEqual({
        code: 'internal_error',
        message: expect.stringContaining('the worker had no room for the answer (maxWaitingBytes)'),
      });
    } finally {
      await way.close();
    }
  }),
);

testWithNats('requests that are on their way to a worker that stops go to another worker, or are unserved', () =>
  withScene(async (scene) => {
    const agent = await scene.bus();
    const [first, second] = [await scene.bus(), await scene.bus()];
    let [calls, stopped] = [0, false];
    const stop = first.respond(channel, () => {
      calls += 1;
      // The later requests have arrived.
      stop();
      stopped = true;
      return denied;
    });
    await first.flush();
    const all = Array.from({ length: 50 }, () => agent.request(channel, asked));
    // The server has passed all of them to the first worker.
    await agent.flush();
    second.respond(channel, () => (stopped ? denied : { success: false, error: { code: 'internal_error', message: 'too early' } }));
    await second.flush();
    const codes = (await Promise.all(all)).map(({ error, output }) => error?.code ?? output?.verdict.kind);
    // No request is lost, and each is carried out by a worker or by none.
    expect(codes.filter((code) => code !== 'deny' && code !== 'no_responders')).toEqual([]);
    expect(calls).toBe(1);
  }),
);

testWithNats('a confirmation that is lost with the connection of a worker is sent again', () =>
  withScene(async (scene) => {
    const { CuttablePath } = await import('../../../testing/test/transports/cuttable-path.js');
    const way = await CuttablePath.open({ port: 0 }, { port: scene.server.port, host: '127.0.0.1' });
    try {
      const agent = await scene.bus({ aliveMs: 60_000, confirmMs: 60_000 });
      const worker = await scene.bus({ servers: `127.0.0.1:${way.port}` });
      const [running, restored] = [pledge<void>(), pledge<void>()];
      const aborted = pledge<unknown>();
      worker.respond(channel, (_payload, { signal }) => {
        running.resolve();
        return new Promise(() => signal.addEventListener('abort', () => aborted.resolve(signal.reason)));
      });
      worker.onConnectionChange((state) => state === 'restored' && restored.resolve());
      await worker.flush();
      const giveUp = new AbortController();
      const answer = agent.request(channel, asked, { signal: giveUp.signal });
      await running.promise;
      // The confirmation has left the worker, and has not reached the server.
      way.cut()();
      await restored.promise;
      await agent.flush();
      // Only the confirmation says to which worker the cancel goes.
      giveUp.abort();
      expect(await aborted.promise).toBe('cancelled');
      expect((await answer).error?.code).toBe('cancelled');
    } finally {
      await way.close();
    }
  }),
);

testWithNats('a request that no worker confirms ends with an error that says what to look for', () =>
  withScene(async (scene) => {
    // Such a subscriber counts as a responder for the server, so the server does not report that there is none.
    (await scene.raw()).subscribe('>');
    const agent = await scene.bus({ confirmMs: 50 });
    const { error } = await agent.request(channel, asked);
    expect(error?.code).toBe('disposed');
    expect(error?.message).toContain('No worker confirmed the request within 50 ms');
    expect(error?.message).toContain('a program other than a worker subscribes to the subjects of requests');
  }),
);

testWithNats('a worker that confirms too late is asked to stop', () =>
  withScene(async (scene) => {
    const agent = await scene.bus({ confirmMs: 1 });
    const raw = await scene.raw();
    const confirm = pledge<() => void>();
    raw.subscribe('tenterhook.default.ask.>', {
      queue: 'workers',
      callback: (_error, { reply }) => {
        confirm.resolve(() => raw.publish(`${reply}.taken`, JSON.stringify({ worker: 'w.s', token: 'the-token' })));
      },
    });
    const cancelled = pledge<unknown>();
    raw.subscribe('tenterhook.default.cancel.w.s.the-token', { callback: (_error, message) => cancelled.resolve(message.json()) });
    await raw.flush();
    const answer = agent.request(channel, { ...asked, correlationId: 'a' });
    const confirmNow = await confirm.promise;
    expect((await answer).error?.code).toBe('disposed');
    confirmNow();
    expect(await cancelled.promise).toEqual({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'a', reason: 'disposed' } });
  }),
);

testWithNats('a request whose requester is gone is cancelled at the worker after the timeout of the requester', () =>
  withScene(async (scene) => {
    const worker = await scene.bus();
    const aborted = pledge<unknown>();
    const running = pledge<void>();
    worker.respond(channel, (_payload, { signal }) => {
      running.resolve();
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          aborted.resolve(signal.reason);
          resolve({ success: true });
        });
      });
    });
    await worker.flush();
    const way = await import('../../../testing/test/transports/cuttable-path.js').then(({ CuttablePath }) => {
      return CuttablePath.open({ port: 0 }, { port: scene.server.port, host: '127.0.0.1' });
    });
    const agent = await scene.bus({ servers: `127.0.0.1:${way.port}` });
    const answer = agent.request(channel, asked, { timeoutMs: 30 });
    await running.promise;
    await way.close();
    await answer;
    expect(await aborted.promise).toBe('timeout');
  }),
);

testWithNats('a message larger than the server accepts is refused before it is sent, and the connection stays', () =>
  withScene(async (scene) => {
    const agent = await scene.bus();
    const worker = await scene.bus();
    worker.respond(channel, () => denied);
    await worker.flush();
    const states: string[] = [];
    agent.onConnectionChange((state) => states.push(state));
    const large = { eventName: 'BeforeTool', input: { text: 'x'.repeat(16 * 1024) } };
    const { error } = await agent.request(channel, large);
    expect(error?.code).toBe('invalid_request');
    expect(error?.message).toMatch(
      /has 16\d{3} bytes\. The limit is 4096; the server accepts 8192, headers included\. Send less, or raise max_payload/,
    );
    expect((await agent.request(channel, asked)).output?.verdict.kind).toBe('deny');
    expect(states).toEqual([]);
  }, 'max_payload: 8192'),
);

testWithNats('an answer that is too large becomes an error with the size', () =>
  withScene(async (scene) => {
    const agent = await scene.bus();
    const worker = await scene.bus();
    worker.respond(channel, () => ({ success: false, error: { code: 'internal_error', message: 'x'.repeat(16 * 1024) } }));
    await worker.flush();
    const { error } = await agent.request(channel, asked);
    expect(error?.code).toBe('internal_error');
    expect(error?.message).toContain('could not send the response: The message has 16');
  }, 'max_payload: 8192'),
);

testWithNats('closing works while the server is gone, and ends what waits', () =>
  withScene(async (scene) => {
    const transport = await scene.transport();
    const agent = scene.busOn(transport);
    const lost = pledge<void>();
    agent.onConnectionChange((state) => state === 'lost' && lost.resolve());
    await scene.server.kill();
    await lost.promise;
    expect(await agent.flush()).toBe(false);
    await transport.close();
    await expect(
      Promise.resolve(transport.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'a' } })),
    ).rejects.toMatchObject({
      code: 'disposed',
    });
  }),
);

testWithNats('bytes count towards the limit only until the server has confirmed them', () =>
  withScene(async (scene) => {
    const agent = await scene.bus({ maxWaitingBytes: 10_000 });
    const worker = await scene.bus();
    worker.respond(channel, () => denied);
    await worker.flush();
    const large = { eventName: 'BeforeTool', input: { text: 'x'.repeat(1000) } };
    for (let count = 0; count < 50; count += 1) expect((await agent.request(channel, large)).success).toBe(true);
    const codes = (await Promise.all(Array.from({ length: 50 }, () => agent.request(channel, large)))).map(({ error }) => error?.code);
    expect(new Set(codes)).toEqual(new Set([undefined, 'overloaded']));
    expect((await agent.request(channel, large)).success).toBe(true);
  }),
);
