import { AbortTimeoutError, raceWithAbort } from '../race-with-abort.js';

/**
 * Yields the chunks of a source until it ends, and throws what the source throws. Throws an AbortTimeoutError if the source does not end
 * soon after an abort. Leaving the loop ends the source.
 */
export async function* readChunks<Chunk>(
  open: () => AsyncIterable<Chunk> | Promise<AsyncIterable<Chunk>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Chunk, void, undefined> {
  const source = await raceWithAbort(open, signal);
  if (typeof source?.[Symbol.asyncIterator] !== 'function')
    throw new TypeError(`streamModelWithHooks: "stream" must return an async iterable, and returned ${describeKind(source)}.`);
  const iterator = source[Symbol.asyncIterator]();
  let isOpen = true;
  try {
    for (;;) {
      const result = await raceWithAbort(() => iterator.next(), signal).catch((error: unknown) => {
        if (error instanceof AbortTimeoutError) abandon(iterator);
        isOpen = false;
        throw error;
      });
      if (result.done) {
        isOpen = false;
        return;
      }
      if (signal?.aborted) {
        isOpen = false;
        abandon(iterator);
        throw new AbortTimeoutError('It continued after it was cancelled.');
      }
      yield result.value;
    }
  } finally {
    if (isOpen) await iterator.return?.();
  }
}

/** Ends the source without waiting for its end. A source that hangs reacts only at its next chunk, which may never come. */
function abandon(iterator: AsyncIterator<unknown>): void {
  void Promise.resolve(iterator.return?.()).catch(() => {});
}

function describeKind(value: unknown): string {
  return value === null ? 'null' : `a value of type ${typeof value}`;
}
