import { parentPort, workerData } from 'node:worker_threads';
import { escapedJson } from '../api/json.js';
import { type CompareWork, compareFiles } from '../compare/compare-files.js';
import { carryOut, type DetailsWork } from '../details/details-work.js';

/** What a thread can do for the server. */
export type Task = { readonly details: DetailsWork } | { readonly compare: CompareWork };

/** Returns the answer as JSON. Undefined if there is none. */
export async function carryOutTask(task: Task): Promise<string | undefined> {
  return 'details' in task ? carryOut(task.details) : escapedJson(await compareFiles(task.compare));
}

/** Runs in a thread: carries out its task, and sends the answer as bytes. */
export async function runTaskThread(): Promise<void> {
  if (parentPort === null) throw new TypeError('runTaskThread() must be called in a worker thread.');
  const json = await carryOutTask((workerData as { readonly task: Task }).task);
  // A copy of its own, because the memory of a small buffer is shared, and cannot be passed on.
  const bytes = json === undefined ? undefined : new TextEncoder().encode(json);
  parentPort.postMessage(bytes, bytes === undefined ? [] : [bytes.buffer as ArrayBuffer]);
}
