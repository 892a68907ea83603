import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Which thread answers, and where. */
export interface Answering {
  readonly kind: 'bus on a socket' | 'lines on a socket' | 'client of lines' | 'bus on NATS' | 'library on NATS';
  readonly address: string;
}

/** Starts a thread that answers requests. Resolves to a function that ends it, when it can be asked. */
export async function startAnswering(answering: Answering): Promise<() => Promise<void>> {
  const thread = new Worker(new URL('./answering-thread.js', import.meta.url), { workerData: answering });
  await once(thread, 'message');
  return async () => void (await thread.terminate());
}
