import { Turns } from '../../src/daemon/turns.js';

const longMs = 60_000;
const settled = () => new Promise(setImmediate);

/** Tasks that end when they are released, and the order in which they began. */
function open() {
  const turns = new Turns();
  const began: string[] = [];
  const release = new Map<string, (error?: Error) => void>();
  const run = (name: string, key: string | undefined, waitMs = longMs) =>
    turns.run(key, waitMs, () => {
      began.push(name);
      return new Promise<string>((resolve, reject) => {
        release.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
      });
    });
  return { run, began, release };
}

test('tasks with the same key run one after another, and others at once', async () => {
  const { run, began, release } = open();
  const running = [run('a1', 'a'), run('a2', 'a'), run('b', 'b'), run('free', undefined)];
  await settled();
  expect(began.sort()).toEqual(['a1', 'b', 'free']);
  release.get('a1')?.();
  await settled();
  expect(began).toContain('a2');
  for (const end of release.values()) end();
  expect(await Promise.all(running)).toEqual(['a1', 'a2', 'b', 'free']);
});

test('a task that fails does not keep the next one from running', async () => {
  const { run, release } = open();
  const [first, second] = [run('a1', 'a'), run('a2', 'a')];
  await settled();
  release.get('a1')?.(new Error('no'));
  await expect(first).rejects.toThrow('no');
  await settled();
  release.get('a2')?.();
  expect(await second).toBe('a2');
});

test('a task waits no longer than its time', async () => {
  const { run, release } = open();
  const first = run('a1', 'a');
  const second = run('a2', 'a', 1);
  await settled();
  while (!release.has('a2')) await settled();
  release.get('a2')?.();
  expect(await second).toBe('a2');
  release.get('a1')?.();
  await first;
});
