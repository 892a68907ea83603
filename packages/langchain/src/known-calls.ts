import type { HookClient } from '@tenterhook/agent';
import { findRuns, type KnownCall, type Run, runsOf } from '@tenterhook/agent/internal';
import type { Runtime } from './langchain-library.js';
import { graphOfTask } from './tool/saved-question.js';

/**
 * The tool calls of one run. LangGraph runs the model and each tool in nodes of their own. The writer is the only public object that all nodes
 * of a run share, so it is the key of the run. A thread was rejected as the key: it may have several runs at the same time.
 */
export class KnownCalls {
  readonly #run: Run;
  /** Agents that tools run have the run of the agent around them, and may make calls with the same ids. */
  readonly #prefix: string;

  private constructor(run: Run, { configurable, writer }: Runtime) {
    this.#run = run;
    const { checkpoint_ns: task, thread_id: thread } = configurable ?? {};
    // Without a writer, at least the calls of two threads are separated.
    this.#prefix = `${writer == null ? (thread ?? '') : ''}\n${typeof task === 'string' ? graphOfTask(task) : ''}\n`;
  }

  /** Returns the calls of a run. Undefined if nothing is known about any of them. */
  static find(client: HookClient, runtime: Runtime): KnownCalls | undefined {
    const run = findRuns(client)?.find(runtime.writer ?? undefined);
    return run === undefined ? undefined : new KnownCalls(run, runtime);
  }

  static of(client: HookClient, runtime: Runtime): KnownCalls {
    return new KnownCalls(runsOf(client).at(runtime.writer ?? undefined), runtime);
  }

  get(callId: string): KnownCall | undefined {
    return this.#run.get(this.#prefix + callId);
  }

  /** Enters a call that the model has made. What is known about an earlier call with the same id is dropped. */
  begin(callId: string, known: KnownCall): void {
    this.#run.begin(this.#prefix + callId, known);
  }

  /** Removes a call, because the model has made another one with the same id. */
  forget(callId: string): void {
    this.#run.forget(this.#prefix + callId);
  }
}
