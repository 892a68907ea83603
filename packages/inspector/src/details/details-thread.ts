import { parentPort, workerData } from 'node:worker_threads';
import { carryOut, type DetailsWork } from './details-work.js';

/** Runs in a thread: carries out its work, and sends the answer as bytes. */
export function runDetailsThread(): void {
  if (parentPort === null) throw new TypeError('runDetailsThread() must be called in a worker thread.');
  const { work } = workerData as { readonly work: DetailsWork };
  const json = carryOut(work);
  // A copy of its own, because the memory of a small buffer is shared, and cannot be passed on.
  const bytes = json === undefined ? undefined : new TextEncoder().encode(json);
  parentPort.postMessage(bytes, bytes === undefined ? [] : [bytes.buffer as ArrayBuffer]);
}
