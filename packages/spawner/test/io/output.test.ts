import { type JobOutput, OrphanedStreams } from '../../src/io/output.js';

/** An output that a process holds until the reader is stopped; its end comes later. */
function heldOutput() {
  let end = () => {};
  const output = {
    stopped: 0,
    forgotten: 0,
    hasEnded: false,
    ended: new Promise<void>((resolve) => {
      end = resolve;
    }),
    stop() {
      output.stopped += 1;
      setImmediate(end);
    },
    forgetText() {
      output.forgotten += 1;
    },
  };
  return output;
}

test('of more than 256 the oldest are let go of, each once, also when many come in one moment', () => {
  const orphaned = new OrphanedStreams();
  const outputs = Array.from({ length: 300 }, heldOutput);
  for (const output of outputs) orphaned.add(output as unknown as JobOutput);
  expect(outputs.map(({ stopped }) => stopped)).toEqual([...Array(44).fill(1), ...Array(256).fill(0)]);
  expect(outputs.every(({ forgotten }) => forgotten === 1)).toBe(true);
  orphaned.stop();
  expect(outputs.every(({ stopped }) => stopped === 1)).toBe(true);
});

test('one that has ended is not held, and one that ends is let go of', async () => {
  const orphaned = new OrphanedStreams();
  const ended = { ...heldOutput(), hasEnded: true };
  orphaned.add(ended as unknown as JobOutput);
  const held = heldOutput();
  orphaned.add(held as unknown as JobOutput);
  held.stop();
  await held.ended;
  orphaned.stop();
  expect([ended.forgotten, held.stopped]).toEqual([0, 1]);
});
