/** The part of a terminal stream that is used. */
export interface TerminalStream {
  /** Writes the text; `done` is called when it is written, or has failed. */
  write(text: string, done?: (error?: Error | null) => void): unknown;
  /** Adds a listener for the next error. */
  once(event: 'error', listener: (error: Error) => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly writable?: boolean;
}

/**
 * A reader that closes early (`| head`) must not end the agent. Its error reaches the callback first and is then emitted, where without a
 * listener it would end the process. A permanent listener would hide the errors of others.
 */
export function writeQuietly(stream: TerminalStream, text: string): void {
  if (stream.writable === false) return;
  try {
    stream.write(text, (error) => {
      if (error) stream.once('error', ignore);
    });
  } catch {
    // There is no reader left to report to.
  }
}

function ignore(): void {}
