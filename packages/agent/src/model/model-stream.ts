import type { FinishedModelCall } from './model-call.js';

/** How a stream of the model ended: the end of a call of the model, and whether the chunks that were passed on still count. */
export type FinishedModelStream<Request, Response> = FinishedModelCall<Request, Response> & {
  /**
   * Whether chunks were passed on that are not the response: hooks changed, withheld or stopped it afterwards, or the stream was left or
   * cancelled before its end. Remove these chunks from the display, and show `response` if there is one. This happens only with
   * `passthrough`, or without hooks of AfterModel.
   */
  readonly replacesChunks: boolean;
};

/**
 * The chunks of a model's answer, for one `for await`. Nothing happens before the loop. The loop fires BeforeModel, starts the model, and
 * reads it at its own pace. Leaving the loop ends the source.
 */
export class ModelStream<Request, Response, Chunk> implements AsyncIterableIterator<Chunk, void> {
  /**
   * The end of the stream, as `callModelWithHooks` returns it, and whether the chunks count. Settles by the end of the loop. Rejects with
   * what the loop throws. It never settles if the stream is not iterated.
   */
  readonly outcome: Promise<FinishedModelStream<Request, Response>>;
  readonly #chunks: AsyncGenerator<Chunk, void, undefined>;
  #fail: (error: unknown) => void = () => {};

  /** Used by `streamModelWithHooks`. */
  constructor(run: (report: (outcome: FinishedModelStream<Request, Response>) => void) => AsyncGenerator<Chunk, void, undefined>) {
    let report: (outcome: FinishedModelStream<Request, Response>) => void = () => {};
    this.outcome = new Promise((resolve, reject) => {
      report = resolve;
      this.#fail = reject;
    });
    // Catches a rejection of `outcome`, which would otherwise end the process: an agent that reads only the chunks gets the error from its
    // loop.
    this.outcome.catch(() => {});
    this.#chunks = run((outcome) => report(outcome));
  }

  /** The next chunk. */
  async next(): Promise<IteratorResult<Chunk, void>> {
    try {
      return await this.#chunks.next();
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /** Ends the stream. Called when a `for await` loop is left. */
  async return(): Promise<IteratorResult<Chunk, void>> {
    try {
      return await this.#chunks.return();
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /** Returns the stream itself, for a `for await` loop. */
  [Symbol.asyncIterator](): this {
    return this;
  }
}
