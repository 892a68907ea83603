import type { HookClient } from '@tenterhook/agent';
import { type CallLedger, createCallLedger, type KnownCall } from '@tenterhook/agent/internal';
import type { Runtime } from './langchain-library.js';
import { graphOfTask } from './tool/saved-question.js';

/** What is known about the tool calls of one client, by thread or by run. */
interface Ledgers {
  /** The calls of all threads. Their ids begin with the id of the thread and the namespace of the graph in it. */
  readonly threads: CallLedger;
  /** The calls of runs without a thread. The writer is the only public object that all nodes of a run share. */
  readonly runs: WeakMap<object, CallLedger>;
}

const ledgersOf = new WeakMap<HookClient, Ledgers>();

/** The tool calls of one conversation. LangGraph runs the model and each tool in nodes of their own, which share only the id of a call. */
export class KnownCalls {
  readonly #ledger: CallLedger;
  readonly #prefix: string;

  private constructor(ledger: CallLedger, prefix: string) {
    this.#ledger = ledger;
    this.#prefix = prefix;
  }

  /** Returns the calls of a conversation. Undefined if nothing is known about any call of the client. */
  static find(client: HookClient, runtime: Runtime): KnownCalls | undefined {
    return ledgersOf.has(client) ? KnownCalls.of(client, runtime) : undefined;
  }

  static of(client: HookClient, { configurable, writer }: Runtime): KnownCalls {
    let ledgers = ledgersOf.get(client);
    if (ledgers === undefined) {
      ledgers = { threads: createCallLedger(), runs: new WeakMap() };
      ledgersOf.set(client, ledgers);
    }
    const { thread_id: thread, checkpoint_ns: task } = configurable ?? {};
    // Agents that tools run have the thread of the agent around them, and may make calls with the same ids.
    const graph = typeof task === 'string' ? graphOfTask(task) : '';
    if (thread !== undefined || writer == null) return new KnownCalls(ledgers.threads, `${thread ?? ''}\n${graph}\n`);
    let ofRun = ledgers.runs.get(writer);
    if (ofRun === undefined) {
      ofRun = createCallLedger();
      ledgers.runs.set(writer, ofRun);
    }
    return new KnownCalls(ofRun, '');
  }

  get(callId: string): KnownCall | undefined {
    return this.#ledger.get(this.#prefix + callId);
  }

  /** Enters a call that the model has made. What is known about an earlier call with the same id is dropped. */
  begin(callId: string, known: KnownCall): void {
    this.#ledger.begin(this.#prefix + callId, known);
  }

  /** Removes a call, because the model has made another one with the same id. */
  forget(callId: string): void {
    this.#ledger.finish(this.#prefix + callId);
  }

  note(callId: string, known: KnownCall): void {
    this.#ledger.note(this.#prefix + callId, known);
  }
}
