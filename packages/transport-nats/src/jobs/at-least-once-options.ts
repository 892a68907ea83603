import { requireOptions } from '@tenterhook/runtime/text';
import { nanosecondsPerMs, type StreamConfig } from '../jetstream/jetstream.js';
import { type StreamOptions, streamConfigOf, streamOptionNames } from '../jetstream/stream-options.js';
import { requireInteger } from '../limits.js';

/** How requests are kept until a worker has answered them. Agents and workers of a namespace pass the same options. */
export interface AtLeastOnceOptions extends StreamOptions {
  /**
   * Milliseconds without a sign of life of a worker until its request is delivered to another one, from 1000. The worker that creates the
   * queue decides. @default 10000
   */
  readonly ackWaitMs?: number | undefined;

  /** After so many deliveries a request is answered with an error, from 1. It may be what ends the workers. @default 5 */
  readonly maxDeliveries?: number | undefined;

  /** The maximum number of requests that this worker runs at a time, from 1. Further ones wait in the stream. @default 64 */
  readonly maxRunning?: number | undefined;
}

const optionNames = [
  ...streamOptionNames,
  ...Object.keys({ ackWaitMs: true, maxDeliveries: true, maxRunning: true } satisfies Record<
    Exclude<keyof AtLeastOnceOptions, keyof StreamOptions>,
    true
  >),
];

export interface CheckedAtLeastOnce {
  readonly stream: StreamConfig;
  readonly maxAgeMs: number;
  readonly ackWaitMs: number;
  readonly maxDeliveries: number;
  readonly maxRunning: number;
}

const usualMaxBytes = 256 * 1024 * 1024;
const usualMaxAgeMs = 3600 * 1000;

/** Throws a TypeError for invalid options. */
export function checkAtLeastOnce(caller: string, namespace: string, given: AtLeastOnceOptions | true): CheckedAtLeastOnce {
  const options = given === true ? {} : given;
  const name = `${caller}: atLeastOnce`;
  requireOptions(name, options, optionNames);
  const { ackWaitMs = 10_000, maxDeliveries = 5, maxRunning = 64 } = options;
  requireInteger(`${name}.ackWaitMs`, ackWaitMs, 1000, 3600 * 1000);
  requireInteger(`${name}.maxDeliveries`, maxDeliveries, 1, 1_000_000);
  requireInteger(`${name}.maxRunning`, maxRunning, 1, 100_000);
  const stream = streamConfigOf(name, options, {
    name: `tenterhook-${namespace}-requests`,
    subjects: [`tenterhook.${namespace}.job.>`],
    retention: 'workqueue',
    discard: 'new',
    maxBytes: usualMaxBytes,
    maxAgeMs: usualMaxAgeMs,
  });
  return { stream, maxAgeMs: stream.max_age / nanosecondsPerMs, ackWaitMs, maxDeliveries, maxRunning };
}
