import type { FinishedModelCall } from './model-call.js';

/** How a stream of the model ended: as a call of the model, and whether its chunks still count. */
export type FinishedModelStream<Request, Response> = FinishedModelCall<Request, Response> & {
  /**
   * Whether chunks were passed on that are not the response: hooks changed, withheld or stopped it afterwards, or the stream was left or cancelled
   * before its end. Remove from the display what was shown, and show `response` if there is one. Only with `passthrough`, or without hooks of AfterModel.
   */
  readonly replacesChunks: boolean;
};

/**
 * The chunks of a model's answer, for one `for await`. Nothing happens before the loop: it fires BeforeModel, starts the model, and reads it at the
 * pace of the loop. Leaving the loop ends the source.
 */
export class ModelStream<Request, Response, Chunk> implements AsyncIterableIterator<Chunk, void> {
  /**
   * Settles by the end of the loop, with what `callModelWithHooks` resolves to, and whether the chunks count. Rejects with what the loop throws. Stays
   * open if the stream is never iterated.
   */
  readonly outcome: Promise<FinishedModelStream<Request, Response>>;
  readonly #chunks: AsyncGenerator<Chunk, void, undefined>;
  #fail: (error: unknown) => void = () => {};

  /** For `streamModelWithHooks`. */
  constructor(run: (report: (outcome: FinishedModelStream<Request, Response>) => void) => AsyncGenerator<Chunk, void, undefined>) {
    let report: (outcome: FinishedModelStream<Request, Response>) => void = () => {};
    this.outcome = new Promise((resolve, reject) => {
      report = resolve;
      this.#fail = reject;
    });
    // An agent that reads only the chunks learns of the error from its loop.
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

  /** Ends the stream. A `for await` that is left calls it. */
  async return(): Promise<IteratorResult<Chunk, void>> {
    try {
      return await this.#chunks.return();
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /** The stream itself. */
  [Symbol.asyncIterator](): this {
    return this;
  }
}
