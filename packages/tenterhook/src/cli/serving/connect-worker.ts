import type { Transport } from '@tenterhook/bus';
import { describeThrown } from '@tenterhook/runtime/text';
import { connectToSocket } from '@tenterhook/transport-socket';
import { type CommandContext, resolvePath } from '../context.js';
import { CommandError } from '../errors/exit-status.js';
import { connectNats, type NatsBus, type NatsPlace } from './connect-nats.js';

/** Where the agents are. */
export interface WorkerPlace {
  /** The path of a socket, or the address of a NATS server. */
  readonly address: string;
  /** Undefined for a socket. */
  readonly nats?: NatsPlace | undefined;
}

/** The transport of a worker. */
export interface WorkerTransport extends Transport, Partial<Pick<NatsBus, 'answersSettled' | 'openRecordStream' | 'deliveryCounts'>> {}

/** How a worker connects to the agents of a namespace. */
export interface Connecting {
  readonly namespace: string;
  /** Options of `connectToNats()`. */
  readonly atLeastOnce: object | undefined;
  readonly largeMessages: boolean;
  readonly signal: AbortSignal;
  /** Called with what the server refuses later. */
  readonly onProblem: (error: Error) => void;
}

/**
 * Connects to the agents of a namespace. Resolves to undefined if the signal ended the attempt. Rejects with a CommandError that says what
 * to do.
 */
export async function connectWorker(
  { address, nats }: WorkerPlace,
  connecting: Connecting,
  context: CommandContext,
): Promise<WorkerTransport | undefined> {
  const { signal } = connecting;
  try {
    if (nats === undefined) return await connectSocket(address, context, signal);
    return await connectNats(nats, context, { ...connecting });
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

async function connectSocket(address: string, context: CommandContext, signal: AbortSignal): Promise<Transport> {
  try {
    return await connectToSocket({ path: resolvePath(context, address), signal });
  } catch (error) {
    throw new CommandError({ code: 'invalid_request', message: `--socket ${address}: ${describeThrown(error)}` });
  }
}
