import { parentPort, workerData } from 'node:worker_threads';
import { carryOutTask, type Task } from './tasks.js';

/** Runs in a thread: carries out its task, and sends the answer as bytes. */
export async function runTaskThread(): Promise<void> {
  if (parentPort === null) throw new TypeError('runTaskThread() must be called in a worker thread.');
  const json = await carryOutTask((workerData as { readonly task: Task }).task);
  // A copy of its own, because the memory of a small buffer is shared, and cannot be passed on.
  const bytes = json === undefined ? undefined : new TextEncoder().encode(json);
  parentPort.postMessage(bytes, bytes === undefined ? [] : [bytes.buffer as ArrayBuffer]);
}
