import { HookEngine } from '../../src/index.js';
import { engineWith, toolUse } from '../scene.js';

const fails = (): never => {
  throw new Error('a bug of the observer');
};

/** Resolves when the observable has emitted `count` values. */
function seen<Value>(count: number, values$: { subscribe(next: (value: Value) => void): unknown }, afterwards: () => void = () => {}) {
  const values: Value[] = [];
  return new Promise<Value[]>((resolve) => {
    values$.subscribe((value) => {
      values.push(value);
      if (values.length === count) resolve(values);
      afterwards();
    });
  });
}

// If the engine did not catch an error that an observer throws, the error would be thrown asynchronously and end this process.
test('an observer of events that throws receives later ones, and so do others', async () => {
  const engine = new HookEngine();
  const both = [seen(3, engine.events$, fails), seen(3, engine.events$)];
  for (const step of [1, 2, 3]) await engine.fire(toolUse({ step }));
  for (const events of await Promise.all(both))
    expect(events.map(({ payload }) => 'args' in payload && payload.args['step'])).toEqual([1, 2, 3]);
});

test('an observer of warnings that throws receives later ones, and so do others', async () => {
  const engine = engineWith('h', fails);
  const both = [seen(2, engine.warnings$, fails), seen(2, engine.warnings$)];
  for (const _ of [1, 2]) expect(await engine.fire(toolUse())).toMatchObject({ action: 'Continue' });
  for (const warnings of await Promise.all(both)) expect(warnings.map(({ hook_id }) => hook_id)).toEqual(['h', 'h']);
});

test('each observer has a copy of its own', async () => {
  const engine = new HookEngine();
  const [first, second] = [
    seen(1, {
      subscribe: (next: (value: unknown) => void) =>
        engine.events$.subscribe((event) => {
          Object.assign(event.payload, { args: 'changed' });
          next(event);
        }),
    }),
    seen(1, engine.events$),
  ];
  await engine.fire(toolUse({ list: [1] }));
  expect(await first).toMatchObject([{ payload: { args: 'changed' } }]);
  expect(await second).toEqual([toolUse({ list: [1] })]);
});

test('each observer of warnings has a copy of its own, and the result another', async () => {
  const engine = engineWith('h', fails);
  const reported = [0, 1].map(
    () =>
      new Promise<string>((resolve) => {
        engine.warnings$.subscribe((warning) => {
          resolve(warning.code);
          Object.assign(warning, { code: 'changed' });
        });
      }),
  );
  const { warnings } = await engine.fire(toolUse());
  expect(await Promise.all(reported)).toEqual(['hook_failed', 'hook_failed']);
  expect(warnings[0]?.code).toBe('hook_failed');
});
