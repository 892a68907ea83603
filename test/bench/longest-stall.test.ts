import { longestStall } from '../../bench/src/longest-stall.js';

// The work waits for the clock, so the time is a lower limit on any machine.
const block = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end; );
};

test('the longest stall is seen at the beginning, in the middle and at the end of the work', async () => {
  expect(await longestStall(() => block(20))).toBeGreaterThanOrEqual(19);
  const pause = () => new Promise((resolve) => setTimeout(resolve, 2));
  expect(
    await longestStall(async () => {
      await pause();
      block(20);
      await pause();
    }),
  ).toBeGreaterThanOrEqual(19);
});

test('work that fails ends the measurement with its error', async () => {
  await expect(longestStall(() => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
});
