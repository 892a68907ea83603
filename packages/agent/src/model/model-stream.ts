import type { FinishedModelCall } from './model-call.js';

/** How a model's stream ended: as a model call ends, and with `replacesChunks`. */
export type FinishedModelStream<Request, Response> = FinishedModelCall<Request, Response> & {
  /**
   * Whether the chunks that were passed on differ from the response. They differ if hooks changed, withheld or stopped the response
   * afterwards, or if the stream was left or cancelled before its end. Remove these chunks from the display, and show `response` if there
   * is one. This happens only with `passthrough`, or without hooks of AfterModel.
   */
  readonly replacesChunks: boolean;
};

/**
 * The chunks of a model's answer, for one `for await` loop. When the loop starts, BeforeModel is fired and the model is called; before
 * that, nothing happens. Chunks are read from the model when the loop needs them. Leaving the loop ends the model's stream.
 */
export class ModelStream<Request, Response, Chunk> implements AsyncIterableIterator<Chunk, void> {
  /**
   * How the stream ended, as `callModelWithHooks` returns it, and with `replacesChunks`. Settles before or when the loop ends. Rejects with
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
    // An agent that reads only the chunks gets the error from its loop. Without this handler, the unused rejection of `outcome` would end
    // the process.
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
