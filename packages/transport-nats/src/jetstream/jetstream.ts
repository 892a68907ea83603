import { isPlainObject } from '@tenterhook/runtime/json';
import { describeThrown } from '@tenterhook/runtime/text';
import type { NatsLink } from '../client/nats-link.js';
import { disconnected, NatsTransportError, streamFull } from '../nats-error.js';

/** How long the server may take to answer a question about a stream, and to confirm that it has stored a message. */
const answerMs = 5000;

/** Codes of errors in the answers of JetStream. */
const codes = { notFound: [10059, 10014], exists: [10058, 10013], full: [10077, 10023, 10047, 10122] } as const;

/** What JetStream needs to know of a stream. Times are in nanoseconds. */
export interface StreamConfig {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly retention: 'limits' | 'workqueue';
  readonly discard: 'old' | 'new';
  readonly storage: 'file' | 'memory';
  readonly max_bytes: number;
  readonly max_age: number;
  readonly num_replicas: number;
}

interface StreamInfo {
  readonly config: StreamConfig;
  readonly state: { readonly messages: number; readonly bytes: number; readonly first_seq: number; readonly last_seq: number };
}

/** A message that a stream has stored. */
export interface StoredMessage {
  readonly data: Buffer;
  /** Milliseconds since 1970, by the clock of the server. */
  readonly storedAt: number;
}

interface Failure {
  readonly code: number;
  readonly description: string;
}

export const nanosecondsPerMs = 1_000_000;

/**
 * The part of the interface of JetStream that this package uses: messages of JSON on subjects of the server. The library for it was
 * rejected, because its consumers request messages ahead of the work, and a request that waits in a busy worker could run elsewhere.
 */
export class JetStream {
  readonly #link: NatsLink;

  constructor(link: NatsLink) {
    this.#link = link;
  }

  /** Creates a stream, unless it exists. Its limits are then those of the existing one. Throws if that is for something else. */
  async ensureStream(config: StreamConfig): Promise<StreamInfo> {
    const { name, retention, subjects } = config;
    let info = await this.#find<StreamInfo>(`STREAM.INFO.${name}`);
    info ??= await this.#create<StreamInfo>(`STREAM.CREATE.${name}`, config);
    info ??= (await this.streamInfo(name)) as StreamInfo;
    if (info.config.retention === retention && subjects.every((subject) => info.config.subjects.includes(subject))) return info;
    const what = `The stream ${name} exists, but does not store ${subjects.join(', ')} with the retention "${retention}".`;
    throw new NatsTransportError('stream_refused', what, 'Pass another name, or remove the stream.');
  }

  async streamInfo(name: string): Promise<StreamInfo> {
    const info = await this.#find<StreamInfo>(`STREAM.INFO.${name}`);
    if (info !== undefined) return info;
    throw new NatsTransportError('stream_refused', `There is no stream ${name}.`, 'Check its name and the namespace.');
  }

  async hasConsumer(stream: string, name: string): Promise<boolean> {
    return (await this.#find(`CONSUMER.INFO.${stream}.${name}`)) !== undefined;
  }

  /** Creates a consumer, unless it exists. Returns its configuration. */
  async ensureConsumer(stream: string, name: string, config: object): Promise<{ readonly ack_wait: number }> {
    type Info = { readonly config: { readonly ack_wait: number } };
    let info = await this.#find<Info>(`CONSUMER.INFO.${stream}.${name}`);
    info ??= await this.#create<Info>(`CONSUMER.DURABLE.CREATE.${stream}.${name}`, { stream_name: stream, config });
    info ??= (await this.#find<Info>(`CONSUMER.INFO.${stream}.${name}`)) as Info;
    return info.config;
  }

  /**
   * Stores a message. A message with the same id is stored once. Rejects with `disconnected` if it is unknown whether it was stored, and
   * with `overloaded` if the stream is full.
   */
  async publish(stream: string, subject: string, data: Uint8Array, id: string, headers: readonly (readonly [string, string])[] = []) {
    const own = [
      ['Nats-Msg-Id', id],
      ['Nats-Expected-Stream', stream],
    ] as const;
    let answer: unknown;
    try {
      answer = (await this.#link.request(subject, data, [...own, ...headers], answerMs)).json();
    } catch (error) {
      // Also without a receiver: a stream of a cluster has none while it elects a leader.
      throw disconnected(error);
    }
    const failure = failureOf(answer);
    if (failure !== undefined) throw this.#refused(`store a message in the stream ${stream}`, failure, stream);
    return answer as { readonly seq: number };
  }

  /** Returns a message of a stream, or undefined if it was removed. */
  async message(stream: string, seq: number): Promise<StoredMessage | undefined> {
    type Answer = { readonly message: { readonly data?: string; readonly time: string } };
    const found = await this.#find<Answer>(`STREAM.MSG.GET.${stream}`, { seq }, [10037]);
    if (found === undefined) return undefined;
    return { data: Buffer.from(found.message.data ?? '', 'base64'), storedAt: Date.parse(found.message.time) };
  }

  /** Removes a message. Does not wait for the answer of the server. */
  remove(stream: string, seq: number): void {
    this.#link.send(`$JS.API.STREAM.MSG.DELETE.${stream}`, Buffer.from(JSON.stringify({ seq, no_erase: true })));
  }

  /** Returns undefined if the server reports that there is nothing of this name. */
  async #find<Answer>(operation: string, body?: object, missing: readonly number[] = codes.notFound): Promise<Answer | undefined> {
    const answer = await this.#call(operation, body);
    const failure = failureOf(answer);
    if (failure === undefined) return answer as Answer;
    if (missing.includes(failure.code)) return undefined;
    throw this.#refused(operation, failure);
  }

  /** Returns undefined if another process has created it meanwhile. */
  async #create<Answer>(operation: string, config: object): Promise<Answer | undefined> {
    const answer = await this.#call(operation, config);
    const failure = failureOf(answer);
    if (failure === undefined) return answer as Answer;
    if ((codes.exists as readonly number[]).includes(failure.code)) return undefined;
    throw this.#refused(operation, failure);
  }

  async #call(operation: string, body?: object): Promise<unknown> {
    const subject = `$JS.API.${operation}`;
    try {
      return (await this.#link.request(subject, Buffer.from(body === undefined ? '' : JSON.stringify(body)), [], answerMs)).json();
    } catch (error) {
      const reason = this.#link.isUnserved(error) ? 'the server does not have JetStream' : describeThrown(error);
      const what = `JetStream did not answer ${subject} (${reason}).`;
      const remedy = 'Enable JetStream in the configuration of the server, and permit this subject to the user.';
      throw new NatsTransportError('no_stream', what, remedy, { cause: error });
    }
  }

  #refused(what: string, { code, description }: Failure, stream?: string): NatsTransportError {
    if (stream !== undefined && (codes.full as readonly number[]).includes(code)) return streamFull(stream, description);
    const message = `The server refuses ${what}: ${description} (${code}).`;
    return new NatsTransportError('stream_refused', message, 'Change the options of the stream, or the limits of the account.');
  }
}

function failureOf(answer: unknown): Failure | undefined {
  const error = isPlainObject(answer) ? answer['error'] : undefined;
  if (!isPlainObject(error)) return undefined;
  const { err_code: code, description } = error;
  return { code: typeof code === 'number' ? code : 0, description: String(description) };
}
