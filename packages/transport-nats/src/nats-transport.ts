import type { Transport } from '@tenterhook/bus';
import type { ConnectToNatsOptions } from './client/connect-to-nats.js';
import type { DeliveryCounts } from './client/nats-client.js';
import type { NatsRecordStream } from './jetstream/record-stream.js';
import type { RecordStreamOptions } from './jetstream/stream-options.js';

/** The transport of one process: a client of a NATS server. */
export interface NatsTransport extends Transport {
  /**
   * Waits until the server has all answers of this process, also those that wait for a reconnection. Resolves to true then, and to false
   * if `timeoutMs` milliseconds pass first. Call it after the last answer, and before close(), which discards them.
   */
  answersSettled(timeoutMs: number): Promise<boolean>;

  /**
   * Opens a stream of the server that keeps recordings of the namespace, and creates it if it does not exist. Pass it to
   * `recordBus(bus, { stream })` or `readRecordingStream(stream)` of @tenterhook/recording. Rejects with a NatsTransportError (`no_stream`,
   * `stream_refused`), or with a TypeError for invalid options.
   */
  openRecordStream(options?: RecordStreamOptions): Promise<NatsRecordStream>;

  /** What this process has counted about requests that a stream keeps (`atLeastOnce`). */
  readonly deliveryCounts: DeliveryCounts;

  /** Calls `close()` at the end of a scope: `await using transport = await connectToNats(…)`. */
  [Symbol.asyncDispose](): Promise<void>;
}

// Loaded when first needed. A program that never connects does not load the NATS library.

/**
 * Connects to a NATS server. Resolves when the server has accepted the connection and this process can receive answers. If the
 * connection is lost later, the client tries to reconnect until close(): first after 50 ms, then at growing intervals of at most
 * 2 s. `onConnectionChange` reports the loss and the reconnection.
 *
 * Rejects with a NatsTransportError (`no_server`, `not_allowed`, `unsupported_server`, `missing_library`, `cancelled`), or with a
 * TypeError for invalid options.
 */
export async function connectToNats(options: ConnectToNatsOptions): Promise<NatsTransport> {
  return (await import('./client/connect-to-nats.js')).connectToNats(options);
}
