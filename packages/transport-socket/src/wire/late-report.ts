/**
 * Reports a number that only grows, such as the last message that was handled. The other side does not wait for it, so it is sent with the
 * next frame that has room for it, or in a frame of its own when all events that have already arrived are handled. A frame for each number
 * was rejected, because each is written, wakes up the other side and is read. A timer of a millisecond was rejected, too: with it, a request
 * that is alone takes two fifths longer.
 */
export class LateReport {
  readonly #send: (last: number) => void;
  #last = 0;
  #isScheduled = false;

  constructor(send: (last: number) => void) {
    this.#send = send;
  }

  add(last: number): void {
    this.#last = last;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#run);
  }

  /** Returns the number for a frame that is sent now. 0 if there is nothing to report. */
  take(): number {
    const last = this.#last;
    this.#last = 0;
    return last;
  }

  /** Sends what is not reported yet. */
  flush(): void {
    const last = this.take();
    if (last > 0) this.#send(last);
  }

  readonly #run = (): void => {
    this.#isScheduled = false;
    this.flush();
  };
}
