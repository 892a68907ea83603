import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { ShownTexts } from '../store/shown-texts.js';
import { carryOut, type DetailsWork } from './details-work.js';

/** Messages of fewer bytes are masked in some milliseconds, which is less than the start of a thread. */
const smallBytes = 512 * 1024;

/**
 * Makes the details of events. Those of many megabytes take seconds, so a thread makes them, one after another, and the server answers
 * meanwhile. Pieces on the main thread were rejected: one text of 8 MiB is masked as a whole, and blocks for half a second.
 */
export class DetailsWorker {
  #last: Promise<unknown> = Promise.resolve();
  #worker: Worker | undefined;
  #isClosed = false;

  /**
   * Returns the answer as JSON. `bytes` is the size of the messages. Undefined if the hook has no such text. Rejects if the thread runs out
   * of memory, or is closed.
   */
  carryOut(work: DetailsWork, bytes: number, texts: ShownTexts): Promise<string | Uint8Array | undefined> {
    const module = bytes <= smallBytes ? undefined : findModule();
    if (module === undefined) return Promise.resolve(carryOut(work, texts));
    const carriedOut = this.#last.then(() => this.#carryOutInThread(module, work));
    this.#last = carriedOut.catch(() => {});
    return carriedOut;
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
    await this.#last;
  }

  #carryOutInThread(module: string, work: DetailsWork): Promise<Uint8Array | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new Error('The inspector is closing.'));
      const worker = new Worker(`require(require('node:worker_threads').workerData.module).runDetailsThread();`, {
        eval: true,
        workerData: { module, work },
        execArgv: [],
        name: 'tenterhook-details',
      });
      this.#worker = worker;
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('The thread that makes the details has ended.')));
    });
  }
}

/** Undefined if the inspector was bundled into one file, which has no separate module. */
function findModule(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('@tenterhook/inspector/internal/bundle');
  } catch {
    return undefined;
  }
}
