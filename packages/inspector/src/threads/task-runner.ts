import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { CompareWork, FoundComparison } from '../compare/compare-files.js';
import { carryOut, type DetailsWork } from '../details/details-work.js';
import type { ShownTexts } from '../store/shown-texts.js';
import { carryOutTask, type Task } from './tasks.js';

/** Messages of fewer bytes are masked in some milliseconds, which is less than the start of a thread. */
const smallBytes = 512 * 1024;

/**
 * Does what takes seconds in a thread, one task after another, so that the server answers meanwhile: the details of events with many
 * megabytes, and the comparison of recordings. Pieces on the main thread were rejected: one text of 8 MiB is masked as a whole, and blocks
 * for half a second.
 */
export class TaskRunner {
  #last: Promise<unknown> = Promise.resolve();
  #worker: Worker | undefined;
  #isClosed = false;

  /**
   * Returns the details, or a text of a hook, as JSON. `bytes` is the size of the messages. Undefined if the hook has no such text. Rejects
   * if the thread runs out of memory, or is ended.
   */
  async details(work: DetailsWork, bytes: number, texts: ShownTexts): Promise<string | Uint8Array | undefined> {
    return bytes <= smallBytes ? carryOut(work, texts) : this.#run({ details: work });
  }

  /** Compares two recordings. Rejects with an error whose message is for people if one of them cannot be read. */
  async compare(work: CompareWork): Promise<FoundComparison> {
    const json = (await this.#run({ compare: work })) ?? 'null';
    return JSON.parse(typeof json === 'string' ? json : new TextDecoder().decode(json)) as FoundComparison;
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
    await this.#last;
  }

  #run(task: Task): Promise<string | Uint8Array | undefined> {
    const module = findModule();
    const result = this.#last.then((): Promise<string | Uint8Array | undefined> => {
      return module === undefined ? carryOutTask(task) : this.#runInThread(module, task);
    });
    this.#last = result.catch(() => {});
    return result;
  }

  #runInThread(module: string, task: Task): Promise<Uint8Array | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new Error('The inspector is closing.'));
      const worker = new Worker(`void require(require('node:worker_threads').workerData.module).runTaskThread();`, {
        eval: true,
        workerData: { module, task },
        execArgv: [],
        name: 'tenterhook-inspector',
      });
      this.#worker = worker;
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('The thread has ended before its task.')));
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
