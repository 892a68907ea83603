import { requireOptions } from '@tenterhook/runtime/text';
import type { NatsLink } from '../client/nats-link.js';
import { decodeFields } from '../wire/codec.js';
import { JetStream, type StoredMessage } from './jetstream.js';
import { type RecordStreamOptions, streamConfigOf, streamOptionNames } from './stream-options.js';

/** Lines of a recording, as `recordBus()` of @tenterhook/recording passes them. */
interface Chunk {
  readonly recorder: string;
  readonly number: number;
  readonly t: number;
  readonly lines: string;
}

/** A stream of JetStream that keeps recordings. It is a `RecordingStream` of @tenterhook/recording. */
export interface NatsRecordStream {
  /** The name of the stream. */
  readonly name: string;
  /** The maximum number of bytes of the lines of a chunk. */
  readonly maxChunkBytes: number;
  /** Stores a chunk. Rejects with a NatsTransportError; with `disconnected` and `overloaded` the chunk may be passed again. */
  append(chunk: Chunk): Promise<void>;
  /** Returns the chunks that the stream has now, the oldest first, each with the time when it was stored. */
  read(): AsyncIterable<Chunk & { readonly storedAt: number }>;
}

/** Room for the first line of a chunk. */
const frameBytes = 512;
const usualMaxBytes = 2 ** 30;
const usualMaxAgeMs = 7 * 24 * 3600 * 1000;

/** Opens the stream of the records of a namespace, and creates it if it does not exist and `create` is not false. */
export async function openRecordStream(link: NatsLink, namespace: string, options: RecordStreamOptions): Promise<NatsRecordStream> {
  requireOptions('openRecordStream', options, [...streamOptionNames, 'create']);
  const subject = `tenterhook.${namespace}.record`;
  const config = streamConfigOf('openRecordStream', options, {
    name: `tenterhook-${namespace}-record`,
    subjects: [subject],
    retention: 'limits',
    discard: 'old',
    maxBytes: usualMaxBytes,
    maxAgeMs: usualMaxAgeMs,
  });
  const jetstream = new JetStream(link);
  await (options.create === false ? jetstream.streamInfo(config.name) : jetstream.ensureStream(config));
  const { name } = config;
  return {
    name,
    maxChunkBytes: link.limit.maxMessageBytes - frameBytes,
    append: async ({ recorder, number, t, lines }) => {
      const data = Buffer.from(`${JSON.stringify({ recorder, number, t })}\n${lines}`);
      await jetstream.publish(name, subject, data, `${recorder}-${number}`);
    },
    read: () => readChunks(jetstream, name),
  };
}

async function* readChunks(jetstream: JetStream, stream: string) {
  const { state } = await jetstream.streamInfo(stream);
  if (state.messages === 0) return;
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const stored = await jetstream.message(stream, seq);
    const chunk = stored === undefined ? undefined : parseChunk(stored);
    if (chunk !== undefined) yield chunk;
  }
}

/** Returns undefined for what is not a chunk. Other programs may have written to the stream. */
function parseChunk({ data, storedAt }: StoredMessage) {
  const end = data.indexOf('\n');
  const { recorder, number, t } = (end < 0 ? undefined : decodeFields(data.subarray(0, end))) ?? {};
  if (typeof recorder !== 'string' || typeof number !== 'number' || typeof t !== 'number') return undefined;
  return { recorder, number, t, lines: data.subarray(end + 1).toString('utf8'), storedAt };
}
