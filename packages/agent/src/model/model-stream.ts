import type { FinishedModelCall } from './model-call.js';

/** How a model's stream ended. It has the fields of a model call, and `replacesChunks`. */
export type FinishedModelStream<Request, Response> = FinishedModelCall<Request, Response> & {
  /**
   * Whether the chunks that were passed on differ from the final response. If true, remove these chunks from the display, and show
   * `response` if there is one. This happens if hooks changed, withheld or stopped the response, or if the stream did not reach its end.
   * It can happen only with `passthrough`, or without hooks of AfterModel.
   */
  readonly replacesChunks: boolean;
};

/**
 * The chunks of a model's answer, for one `for await` loop. When the loop starts, BeforeModel is fired, and the model is called. Chunks are
 * read from the model when the loop needs them. Leaving the loop ends the model's stream.
 */
export class ModelStream<Request, Response, Chunk> implements AsyncIterableIterator<Chunk, void> {
  /**
   * How the stream ended, as `callModelWithHooks` returns it, and with `replacesChunks`. Settles before or when the loop ends. Without a
   * loop it never settles. Rejects with what the loop throws.
   */
  readonly outcome: Promise<FinishedModelStream<Request, Response>>;
  readonly #chunks: AsyncGenerator<Chunk, void, undefined>;
  #fail: (error: unknown) => void = () => {};

  /** Creates a stream. Called only by `streamModelWithHooks`. */
  constructor(run: (report: (outcome: FinishedModelStream<Request, Response>) => void) => AsyncGenerator<Chunk, void, undefined>) {
    let report: (outcome: FinishedModelStream<Request, Response>) => void = () => {};
    this.outcome = new Promise((resolve, reject) => {
      report = resolve;
      this.#fail = reject;
    });
    // The loop over the chunks throws this error too. Without this handler, the promise `outcome` would cause an unhandled rejection in
    // agents that do not use it.
    this.outcome.catch(() => {});
    this.#chunks = run((outcome) => report(outcome));
  }

  /** Resolves to the next chunk, or to `done` after the end. */
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
