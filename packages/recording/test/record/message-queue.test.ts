import { MessageQueue, type Priority } from '../../src/record/message-queue.js';

function queueOf(maxBytes: number, added: readonly (readonly [n: number, bytes: number, priority: Priority])[]): MessageQueue {
  const queue = new MessageQueue(maxBytes);
  for (const [n, bytes, priority] of added) queue.add({ n, t: 0, type: 'X', json: '' }, bytes, priority);
  return queue;
}

const numbers = (queue: MessageQueue) => queue.entries().map((entry) => (entry as { n: number }).n);

test('record-replay case 10: what does not fit is dropped whole: progress first, requests and responses last', () => {
  const queue = queueOf(100, [
    [1, 40, 2],
    [2, 30, 0],
    [3, 20, 1],
    [4, 10, 0],
    [5, 30, 2],
    [6, 20, 0],
  ]);
  expect(numbers(queue)).toEqual([1, 3, 4, 5]);
  expect(queue.takeDropped()).toEqual({ count: 2, bytes: 50, requests: 0 });
  queue.add({ n: 7, t: 0, type: 'X', json: '' }, 30, 2);
  expect(numbers(queue)).toEqual([1, 5, 7]);
  queue.add({ n: 8, t: 0, type: 'X', json: '' }, 1, 2);
  expect(queue.takeDropped()).toEqual({ count: 3, bytes: 31, requests: 1 });
  expect(queue.takeDropped()).toBeUndefined();
});

test('what was taken counts until it is released, and order is kept', () => {
  const queue = queueOf(100, [
    [1, 60, 0],
    [2, 40, 2],
  ]);
  expect(queue.take()).toMatchObject({ entry: { n: 1 }, bytes: 60 });
  queue.add({ n: 3, t: 0, type: 'X', json: '' }, 60, 2);
  expect(numbers(queue)).toEqual([2]);
  queue.release(60);
  queue.add({ n: 4, t: 0, type: 'X', json: '' }, 60, 2);
  expect(numbers(queue)).toEqual([2, 4]);
  expect(queue.bytes).toBe(100);
});

test('a message that is larger than the limit is kept once', () => {
  const queue = queueOf(100, [
    [1, 50, 0],
    [2, 5_000, 2],
    [3, 1, 2],
  ]);
  expect(numbers(queue)).toEqual([2]);
});
