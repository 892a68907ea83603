import type { HookClient } from '../client/hook-client.js';
import { Past } from './past.js';
import { Run } from './run.js';

/**
 * The runs of one client. Frameworks call the model in one place, ask the user in another and run the tool in a third, and the id of a call
 * is often the only text that is the same there. An id is not enough: runs at the same time may have calls with equal ids. So a run is found
 * by an object that the framework makes once for it, and that is at hand in each of these places: the key of the run.
 */
export class Runs {
  readonly #past = new Past();
  readonly #byKey = new WeakMap<object, Run>();
  readonly #unknown = new Run(this.#past);

  /** Returns the run with this key. All calls for which the framework has no key belong to one run. */
  at(key: object | undefined): Run {
    if (key === undefined) return this.#unknown;
    let run = this.#byKey.get(key);
    if (run === undefined) {
      run = new Run(this.#past);
      this.#byKey.set(key, run);
    }
    return run;
  }

  /** Returns the run with this key, if anything was noted about it. */
  find(key: object | undefined): Run | undefined {
    return key === undefined ? this.#unknown : this.#byKey.get(key);
  }

  /** Whether any call has left a stop or texts for later model calls. */
  get hasLeft(): boolean {
    return this.#past.hasLeft;
  }
}

/** Runs belong to a client, and so to a session: what hooks say in one session must not reach another. */
const runsByClient = new WeakMap<HookClient, Runs>();

export function runsOf(client: HookClient): Runs {
  let runs = runsByClient.get(client);
  if (runs === undefined) {
    runs = new Runs();
    runsByClient.set(client, runs);
  }
  return runs;
}

/** Returns the runs of a client, if anything was ever noted about one of its calls. */
export function findRuns(client: HookClient): Runs | undefined {
  return runsByClient.get(client);
}
