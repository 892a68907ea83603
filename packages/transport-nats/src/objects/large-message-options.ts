import { describeValue, requireOptions } from '@tenterhook/runtime/text';
import { nanosecondsPerMs } from '../jetstream/jetstream.js';
import { requireInteger } from '../limits.js';
import type { BucketOptions } from './object-library.js';

/** Where messages are kept that are larger than the limit. Agents and workers of a namespace pass the same options. */
export interface LargeMessageOptions {
  /** Name of the bucket: 1 to 128 letters, digits, hyphens or underscores. @default `tenterhook-<namespace>` */
  readonly bucket?: string | undefined;
  /** Maximum size of a message in bytes of JSON, from 1024. @default 67108864 (64 MiB) */
  readonly maxObjectBytes?: number | undefined;
  /** Maximum size of the bucket in bytes, from 1024, if it is created. @default 1 GiB */
  readonly maxBytes?: number | undefined;
  /** Milliseconds that the bucket keeps a message, from 1000, if it is created. @default 3600000 (1 hour) */
  readonly maxAgeMs?: number | undefined;
  /** The number of servers of a cluster that store the bucket, from 1 to 5, if it is created. @default 1 */
  readonly replicas?: number | undefined;
}

const optionNames = Object.keys({
  bucket: true,
  maxObjectBytes: true,
  maxBytes: true,
  maxAgeMs: true,
  replicas: true,
} satisfies Record<keyof LargeMessageOptions, true>);

export interface CheckedLargeMessages {
  readonly bucket: string;
  readonly maxObjectBytes: number;
  readonly options: BucketOptions;
}

/** Throws a TypeError for invalid options. */
export function checkLargeMessages(caller: string, namespace: string, given: LargeMessageOptions | true): CheckedLargeMessages {
  const name = `${caller}: largeMessages`;
  const options = given === true ? {} : given;
  requireOptions(name, options, optionNames);
  const {
    bucket = `tenterhook-${namespace}`,
    maxObjectBytes = 2 ** 26,
    maxBytes = 2 ** 30,
    maxAgeMs = 3600 * 1000,
    replicas = 1,
  } = options;
  if (typeof bucket !== 'string' || !/^[A-Za-z0-9_-]{1,128}$/.test(bucket)) {
    throw new TypeError(`${name}.bucket must have 1 to 128 letters, digits, hyphens or underscores, and is ${describeValue(bucket)}.`);
  }
  requireInteger(`${name}.maxObjectBytes`, maxObjectBytes, 1024, 2 ** 31 - 1);
  requireInteger(`${name}.maxBytes`, maxBytes, 1024, Number.MAX_SAFE_INTEGER);
  requireInteger(`${name}.maxAgeMs`, maxAgeMs, 1000, 100 * 24 * 3600 * 1000);
  requireInteger(`${name}.replicas`, replicas, 1, 5);
  return { bucket, maxObjectBytes, options: { ttl: maxAgeMs * nanosecondsPerMs, max_bytes: maxBytes, replicas } };
}
