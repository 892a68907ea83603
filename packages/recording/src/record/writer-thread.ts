import { parentPort, workerData } from 'node:worker_threads';
import type { Entry, NoteEntry } from '../write/encode-entry.js';
import { EntryWriter, type WritePlan } from '../write/entry-writer.js';

/** What the thread receives when it starts. */
export interface ThreadData {
  readonly plan: WritePlan;
  /** Two numbers in shared memory: how many orders the thread has carried out, and who writes. */
  readonly done: SharedArrayBuffer;
}

/** Who writes. The first of the two threads that sets it from `undecided` writes the whole recording. */
export const Owner = { undecided: 0, thread: 1, agent: 2 } as const;

/** An order to the thread. */
export type Order =
  | { readonly entries: readonly Entry[]; readonly bytes: number }
  | { readonly end: NoteEntry }
  | { readonly flush: number };

/** A report of the thread. */
export type Report = { readonly written: number } | { readonly failure: string } | { readonly flushed: number };

/** The longest time between the write of a message and its report, and the most bytes that are not reported. */
const reportMs = 10;
const mostUnreportedBytes = 256 * 1024;

/** Runs in the thread: writes what it receives, and ends with the recording. */
export function runWriterThread(): void {
  const port = parentPort;
  if (port === null) throw new TypeError('runWriterThread() must be called in a worker thread.');
  const { plan, done } = workerData as ThreadData;
  const counts = new Int32Array(done);
  // The agent has ended before this thread began, and has written everything itself.
  if (Atomics.compareExchange(counts, 1, Owner.undecided, Owner.thread) !== Owner.undecided) return;
  const writer = new EntryWriter(plan);
  let written = 0;
  let isReported = false;
  const post = (report: Report) => port.postMessage(report);
  const reportFailure = () => {
    if (writer.failure === undefined || isReported) return;
    isReported = true;
    post({ failure: writer.failure });
  };
  let isReportDue = false;
  const reportWritten = () => {
    isReportDue = false;
    if (written > 0) post({ written });
    written = 0;
  };
  // One report for many messages, because each report wakes the agent.
  const reportSoon = () => {
    if (written >= mostUnreportedBytes) reportWritten();
    else if (!isReportDue) setTimeout(reportWritten, reportMs).unref();
    isReportDue = written > 0;
  };
  port.on('message', (order: Order) => {
    if ('entries' in order) {
      for (const entry of order.entries) writer.write(entry);
      written += order.bytes;
      reportSoon();
    } else if ('flush' in order) {
      reportWritten();
      post({ flushed: order.flush });
    } else {
      writer.end(order.end);
      port.close();
    }
    reportFailure();
    Atomics.add(counts, 0, 1);
    Atomics.notify(counts, 0);
  });
}
