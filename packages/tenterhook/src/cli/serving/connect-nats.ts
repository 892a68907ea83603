import type { Transport } from '@tenterhook/bus';
import type { RecordingStream } from '@tenterhook/recording';
import { describeThrown } from '@tenterhook/runtime/text';
import type { CommandContext } from '../context.js';
import { CommandError, UsageError } from '../errors/exit-status.js';
import { type NatsAccessFlags, natsAccessOf } from './nats-access.js';

/** A transport on a NATS server: what commands use of `NatsTransport`. */
export interface NatsBus extends Transport {
  readonly deliveryCounts: { readonly redelivered: number; readonly repeated: number };
  answersSettled(timeoutMs: number): Promise<boolean>;
  openRecordStream(options: Readonly<Record<string, unknown>>): Promise<RecordingStream>;
}

type ConnectToNats = (options: Readonly<Record<string, unknown>>) => Promise<NatsBus>;

/** The flags about the stream of a record. */
export interface StreamFlags {
  readonly streamMaxBytes?: string;
  readonly streamMaxAge?: string;
  readonly streamReplicas?: string;
}

/** A NATS server, and how a command authenticates there. */
export interface NatsPlace {
  /** The address, or the addresses of several servers of one cluster, separated by commas. */
  readonly address: string;
  readonly access: NatsAccessFlags;
}

/** Connects to a namespace. Rejects with a CommandError that says what to do. `options` are further options of `connectToNats()`. */
export async function connectNats(
  { address, access }: NatsPlace,
  context: CommandContext,
  options: Readonly<Record<string, unknown>>,
): Promise<NatsBus> {
  const accessOptions = natsAccessOf(access, context);
  const connectToNats = await loadConnect();
  try {
    return await connectToNats({ servers: address.split(','), ...accessOptions, ...options });
  } catch (error) {
    throw new CommandError({ code: 'invalid_request', message: `--nats ${address}: ${describeThrown(error)}` });
  }
}

/** Opens the stream of a record. With `--from-stream` it must exist. Rejects with a CommandError. */
export async function openStream(option: string, stream: string, flags: StreamFlags, transport: NatsBus): Promise<RecordingStream> {
  const create = option !== '--from-stream';
  const { streamMaxBytes, streamMaxAge, streamReplicas } = flags;
  const limits = Object.entries({
    maxBytes: integerFlag('--stream-max-bytes', streamMaxBytes),
    maxAgeMs: integerFlag('--stream-max-age', streamMaxAge),
    replicas: integerFlag('--stream-replicas', streamReplicas),
  });
  try {
    return await transport.openRecordStream({ stream, create, ...Object.fromEntries(limits.filter(([, value]) => value !== undefined)) });
  } catch (error) {
    throw new CommandError({ code: 'invalid_request', message: `${option} ${stream}: ${describeThrown(error)}` });
  }
}

export function integerFlag(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`${option} must be a whole number, and is ${JSON.stringify(text)}.`);
}

/** The package is optional: only programs on several machines need it. A name in a variable keeps it out of the bundle. */
async function loadConnect(): Promise<ConnectToNats> {
  const name = '@tenterhook/transport-nats';
  try {
    return ((await import(name)) as { connectToNats: ConnectToNats }).connectToNats;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    const message = `--nats needs the package ${name}, which is not installed. Install it: npm install ${name}`;
    throw new CommandError({ code: 'invalid_request', message });
  }
}
