import { type Deferred, defer } from './deferred.js';
import { HookRigError } from './hook-rig-error.js';
import type { HookRun } from './hook-run.js';

interface Asker {
  /** The label to wait for. Undefined means any hook. */
  readonly label: string | undefined;
  readonly answer: Deferred<HookRun>;
}

/** The maximum number of started hooks that a message names. */
const named = 20;

/** Passes started runs to callers of `nextRun()`. Runs and callers are served in the order of arrival. */
export class RunQueue {
  readonly #runs: HookRun[] = [];
  readonly #askers: Asker[] = [];
  readonly #started: string[] = [];
  readonly #timeoutMs: number | undefined;
  #count = 0;
  #isClosed = false;

  constructor(timeoutMs: number | undefined) {
    this.#timeoutMs = timeoutMs;
  }

  add(run: HookRun): void {
    this.#count += 1;
    this.#started.push(`${run.label === undefined ? 'without a label' : JSON.stringify(run.label)} (pid ${run.pid})`);
    if (this.#started.length > named) this.#started.shift();
    const index = this.#askers.findIndex(({ label }) => label === undefined || label === run.label);
    if (index === -1) this.#runs.push(run);
    else this.#askers.splice(index, 1)[0]?.answer.resolve(run);
  }

  next(label: string | undefined): Promise<HookRun> {
    const index = this.#runs.findIndex((run) => label === undefined || label === run.label);
    const [run] = index === -1 ? [] : this.#runs.splice(index, 1);
    if (run !== undefined) return Promise.resolve(run);
    const asker = { label, answer: defer<HookRun>() };
    if (this.#isClosed) asker.answer.rejectQuietly(this.#closedError(label));
    else this.#wait(asker);
    return asker.answer.promise;
  }

  close(): void {
    this.#isClosed = true;
    for (const { label, answer } of this.#askers.splice(0)) answer.rejectQuietly(this.#closedError(label));
  }

  #wait(asker: Asker): void {
    this.#askers.push(asker);
    if (this.#timeoutMs === undefined) return;
    const timer = setTimeout(() => {
      this.#askers.splice(this.#askers.indexOf(asker), 1);
      const message = `No hook connected for ${call(asker.label)} within ${this.#timeoutMs} ms. ${this.#describeStarted()}`;
      asker.answer.rejectQuietly(new HookRigError('timeout', message));
    }, this.#timeoutMs);
    const stop = (): void => clearTimeout(timer);
    asker.answer.promise.then(stop, stop);
  }

  #closedError(label: string | undefined): HookRigError {
    return new HookRigError('closed', `The hook rig was closed while ${call(label)} was waiting. ${this.#describeStarted()}`);
  }

  #describeStarted(): string {
    if (this.#count === 0) return 'No hook had started. Check that the command of the rig was run.';
    const before = this.#count > named ? `${this.#count - named} others, ` : '';
    return `Started hooks: ${before}${this.#started.join(', ')}.`;
  }
}

function call(label: string | undefined): string {
  return `nextRun(${label === undefined ? '' : JSON.stringify(label)})`;
}
