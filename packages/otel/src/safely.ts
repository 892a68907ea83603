import { attempt } from '@tenterhook/protocol/internal';

/** Writes one signal: spans, metrics or logs. An error in it is logged and leaves the others intact. */
export function safely<Result>(what: string, write: () => Result): Result | undefined {
  return attempt(what, write, 'of OpenTelemetry');
}
