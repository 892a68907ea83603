/** The methods of a terminal stream that the report uses. */
export interface TerminalStream {
  /** Writes the text. Calls `done` when it was written, or with the error. */
  write(text: string, done?: (error?: Error | null) => void): unknown;
  /** Adds a listener for the next error. */
  once(event: 'error', listener: (error: Error) => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly writable?: boolean;
}

/**
 * Writes text. If the reader has closed the stream (`| head`), the error is ignored. Node first passes the error to the callback of
 * `write`, and then emits an 'error' event, which ends a process without a listener. So the callback adds a listener. A permanent listener
 * was rejected, because it would hide the errors of other writers.
 */
export function writeQuietly(stream: TerminalStream, text: string): void {
  if (stream.writable === false) return;
  try {
    stream.write(text, (error) => {
      if (error) stream.once('error', ignore);
    });
  } catch {
    // The error is ignored, because no reader is left.
  }
}

function ignore(): void {}
