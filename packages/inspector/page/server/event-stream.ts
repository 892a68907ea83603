import type { StreamLine } from '../../src/api/messages.js';
import { applyLines, showConnection } from '../state/apply-lines.js';
import { stats, store } from '../state/page-state.js';
import { LineSplitter } from './line-splitter.js';
import { RequestError, request } from './request.js';

/** Milliseconds until a stream that has ended is asked for again. Doubled with each failure. */
const firstWaitMs = 250;
const longestWaitMs = 5_000;
/** Lines are read for so long, in milliseconds, before the page may draw. A recording would otherwise be read to its end first. */
const readingMs = 10;

let current = new AbortController();

/**
 * Reads the stream of events for as long as the page is open. A hidden tab lets its stream go, because a browser has only six connections
 * for all tabs of the inspector, and takes it up from its cursor when it is shown again. EventSource was rejected: it sends no headers, so
 * the token would be in an address.
 */
export async function readEvents(): Promise<void> {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') current.abort();
  });
  let waitMs = firstWaitMs;
  while (true) {
    await becomesVisible();
    current = new AbortController();
    const result = await readOnce(current.signal);
    if (result === 'refused') return;
    if (result === 'failed') showConnection({ state: 'unreachable' });
    waitMs = result === 'failed' ? Math.min(waitMs * 2, longestWaitMs) : firstWaitMs;
    if (result !== 'let go') await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** Ends the stream. The next one begins at once, at the cursor. */
export function restartStream(): void {
  current.abort();
}

async function readOnce(signal: AbortSignal): Promise<'refused' | 'failed' | 'ended' | 'let go'> {
  try {
    const cursor = `after=${store.rows.at(-1)?.n ?? -1}&revision=${stats.peek().revision}`;
    const response = await request(store.rows.length === 0 ? '/api/stream' : `/api/stream?${cursor}`, { signal });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const splitter = new LineSplitter();
    let since = performance.now();
    while (true) {
      const { done, value } = await reader.read();
      if (done) return 'ended';
      const lines = splitter.push(value) as StreamLine[];
      if (!signal.aborted) applyLines(lines);
      if (performance.now() - since > readingMs) {
        await new Promise((resolve) => setTimeout(resolve));
        since = performance.now();
      }
    }
  } catch (error) {
    if (signal.aborted) return 'let go';
    return error instanceof RequestError && error.status === 401 ? 'refused' : 'failed';
  }
}

function becomesVisible(): Promise<void> {
  if (document.visibilityState !== 'hidden') return Promise.resolve();
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState === 'hidden') return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
  });
}
