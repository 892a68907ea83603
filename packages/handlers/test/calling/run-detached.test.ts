import { engineWith, nextWarning, toolUse } from '../scene.js';

const detached = { async_execution: true };

test('an asynchronous handler begins after its event was answered', async () => {
  const order: string[] = [];
  let engine = engineWith('after', () => void order.push('waited for'), { priority: 200 });
  const began = new Promise<void>((resolve) => {
    engine = engineWith(
      'audit',
      () => {
        order.push('not waited for');
        resolve();
      },
      { ...detached, priority: 1 },
      engine,
    );
  });
  await engine.fire(toolUse());
  order.push('answered');
  await began;
  expect(order).toEqual(['waited for', 'answered', 'not waited for']);
});

test('it sees the event as it was fired, whatever becomes of it before it begins', async () => {
  const event = toolUse({ list: [1] });
  const seen = new Promise<unknown>((resolve) => {
    void engineWith('audit', ({ payload }) => resolve(payload.args), detached).fire(event);
  });
  event.payload.args['list'].push(2);
  expect(await seen).toEqual({ list: [1] });
});

test('it runs on when the signal of its event aborts while it runs', async () => {
  const control = new AbortController();
  const isAborted = new Promise<boolean>((resolve) => {
    const handle = async (_: unknown, { signal }: { signal: AbortSignal }) => {
      control.abort();
      await new Promise((nextTurn) => setImmediate(nextTurn));
      resolve(signal.aborted);
    };
    void engineWith('audit', handle, detached).fire(toolUse(), { signal: control.signal });
  });
  expect(await isAborted).toBe(false);
});

test('it runs when the signal of its event had aborted before', async () => {
  const isAborted = new Promise<boolean>((resolve) => {
    const engine = engineWith('audit', (_, { signal }) => resolve(signal.aborted), detached);
    void engine.fire(toolUse(), { signal: AbortSignal.abort() });
  });
  expect(await isAborted).toBe(false);
});

test('1024 of an engine run at a time: one more is not started, with a warning', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let running = 0;
  let ended = () => {};
  const allEnded = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const engine = engineWith(
    'audit',
    async () => {
      running += 1;
      await released;
      running -= 1;
      if (running === 0) ended();
    },
    detached,
  );
  for (let each = 0; each < 1024; each += 1) await engine.fire(toolUse());
  const warned = nextWarning(engine);
  expect(await engine.fire(toolUse())).toEqual({ action: 'Continue', warnings: [] });
  expect(await warned).toMatchObject({
    hook_id: 'audit',
    code: 'not_started',
    message: expect.stringMatching(/"audit".*1024/),
    late: true,
  });
  expect(running).toBe(1024);

  release();
  await allEnded;
  await new Promise((resolve) => setImmediate(resolve));
  const again = new Promise<void>((resolve) => engine.register_handler('audit', { handle: () => resolve() }));
  await engine.fire(toolUse());
  await again;
});
