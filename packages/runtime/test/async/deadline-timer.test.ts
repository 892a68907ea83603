import { DeadlineTimer } from '../../src/async/deadline-timer.js';

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

test('after a deadline has passed, the next one keeps the process alive until it ends', async () => {
  const before = timers();
  const timer = new DeadlineTimer();
  await new Promise<void>((resolve) => timer.start(1, resolve));
  timer.start(1, () => {});
  expect(timers()).toBe(before + 1);
  timer.end();
  expect(timers()).toBe(before);
});
