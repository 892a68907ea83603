import { isPlainObject } from '@tenterhook/runtime/json';
import type { RecordedExchange } from './recording.js';

/** A cancel of the recording. */
export interface RecordedCancel {
  readonly reason: string;
  /** The hook after whose start it was sent. Absent if it followed the request. */
  readonly after?: string;
}

/** Returns the first cancel of a request. Its place is the last start of a hook before it, because times differ from run to run. */
export function findCancel({ cancels: [cancel], progress }: RecordedExchange): RecordedCancel | undefined {
  if (cancel === undefined) return undefined;
  const payload = isPlainObject(cancel.payload) ? cancel.payload : {};
  const reason = typeof payload['reason'] === 'string' ? payload['reason'] : 'cancelled';
  const last = progress.filter((message) => isStart(message.payload) && isBefore(message.n, cancel.n)).at(-1);
  const after = cancel.after ?? (isPlainObject(last?.payload) ? last.payload['hookId'] : undefined);
  return typeof after === 'string' ? { reason, after } : { reason };
}

function isStart(payload: unknown): boolean {
  return isPlainObject(payload) && payload['kind'] === 'hook-started';
}

function isBefore(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && one < other;
}
