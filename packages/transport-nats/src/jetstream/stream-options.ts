import { describeValue } from '@tenterhook/runtime/text';
import { requireInteger } from '../limits.js';
import { nanosecondsPerMs, type StreamConfig } from './jetstream.js';

/** How a stream is created. If it exists, its own limits count. */
export interface StreamOptions {
  /** 1 to 128 letters, digits, hyphens or underscores. @default a name with the namespace */
  readonly stream?: string | undefined;
  /** Maximum size of the stream in bytes, from 1024. @default 1 GiB of a record, 256 MiB of requests */
  readonly maxBytes?: number | undefined;
  /** Milliseconds that the stream keeps a message, from 1000. @default 7 days of a record, 1 hour of a request */
  readonly maxAgeMs?: number | undefined;
  /** The number of servers of a cluster that store the stream, from 1 to 5. With 3, one of them may fail. @default 1 */
  readonly replicas?: number | undefined;
}

export const streamOptionNames = Object.keys({
  stream: true,
  maxBytes: true,
  maxAgeMs: true,
  replicas: true,
} satisfies Record<keyof StreamOptions, true>);

/** How the stream of a record is opened. */
export interface RecordStreamOptions extends StreamOptions {
  /** False if the stream must exist, for example to read it. @default true */
  readonly create?: boolean | undefined;
}

/** What differs between the streams of this package. */
export interface StreamPurpose extends Pick<StreamConfig, 'retention' | 'discard' | 'subjects'> {
  readonly name: string;
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

/** Throws a TypeError for invalid options. */
export function streamConfigOf(caller: string, options: StreamOptions, purpose: StreamPurpose): StreamConfig {
  const { stream = purpose.name, maxBytes = purpose.maxBytes, maxAgeMs = purpose.maxAgeMs, replicas = 1 } = options;
  if (typeof stream !== 'string' || !/^[A-Za-z0-9_-]{1,128}$/.test(stream)) {
    throw new TypeError(`${caller}: stream must have 1 to 128 letters, digits, hyphens or underscores, and is ${describeValue(stream)}.`);
  }
  requireInteger(`${caller}: maxBytes`, maxBytes, 1024, Number.MAX_SAFE_INTEGER);
  // In nanoseconds, a longer time is not a safe integer.
  requireInteger(`${caller}: maxAgeMs`, maxAgeMs, 1000, 100 * 24 * 3600 * 1000);
  requireInteger(`${caller}: replicas`, replicas, 1, 5);
  const { retention, discard, subjects } = purpose;
  return {
    name: stream,
    subjects,
    retention,
    discard,
    storage: 'file',
    max_bytes: maxBytes,
    max_age: maxAgeMs * nanosecondsPerMs,
    num_replicas: replicas,
  };
}
