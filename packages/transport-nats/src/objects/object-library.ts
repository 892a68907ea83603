import type { ObjectStore } from '@nats-io/obj';
import type { NatsConnection } from '../client/nats-library.js';
import { NatsTransportError } from '../nats-error.js';

export type { ObjectStore } from '@nats-io/obj';

/** How a bucket is created. Times are in nanoseconds. */
export interface BucketOptions {
  readonly ttl: number;
  readonly max_bytes: number;
  readonly replicas: number;
}

/** Loads the library for object stores, and opens a bucket. Creates it if it does not exist. */
export async function openBucket(connection: NatsConnection, bucket: string, options: BucketOptions): Promise<ObjectStore> {
  const { Objm } = await loadLibrary();
  try {
    const store = await new Objm(connection).create(bucket, { ...options });
    // The library does not report that a bucket could not be created.
    await store.status();
    return store;
  } catch (cause) {
    const what = `The object store ${bucket} cannot be opened (${(cause as Error).message}).`;
    const remedy = 'Enable JetStream in the configuration of the server, and permit its use to the user.';
    throw new NatsTransportError('no_stream', what, remedy, { cause });
  }
}

async function loadLibrary(): Promise<Pick<typeof import('@nats-io/obj'), 'Objm'>> {
  try {
    return await import('@nats-io/obj');
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new NatsTransportError('missing_library', 'The package @nats-io/obj cannot be found.', 'Install it: npm install @nats-io/obj.', {
      cause,
    });
  }
}
