/** A subscriber in a thread of its own, at the other end of a socket. It blocks its thread after each response, for this long. */
import { parentPort, workerData } from 'node:worker_threads';
import { connectToSocket, MessageBus } from 'tenterhook';

const { path, blockMs } = workerData as { readonly path: string; readonly blockMs: number };
const bus = new MessageBus({ transport: await connectToSocket({ path }) });
const blocked = new Int32Array(new SharedArrayBuffer(4));
for (const channel of ['HOOK_EXECUTION_REQUEST', 'HOOK_EXECUTION_PROGRESS'] as const) bus.subscribe(channel, () => {});
bus.subscribe('HOOK_EXECUTION_RESPONSE', () => {
  if (blockMs > 0) Atomics.wait(blocked, 0, 0, blockMs);
});
await bus.flush();
parentPort?.postMessage('subscribed');
