import { MessageBus } from '@tenterhook/bus';
import type { Channel } from '@tenterhook/protocol';
import { recordBus } from '@tenterhook/recording';
import { connectToSocket } from '@tenterhook/transport-socket';

/** A running agent that allows others to attach. */
export interface AgentAddress {
  /** The path of the socket of its bus. */
  readonly socket: string;
  /** The name for the page. @default the path of the socket */
  readonly name?: string | undefined;
  readonly pid?: number | undefined;
  /** The version of its Tenterhook. */
  readonly version?: string | undefined;
  /** Milliseconds until the attempt to connect fails. @default 5000 */
  readonly timeoutMs?: number | undefined;
}

/** Where and how the traffic of an agent is kept. */
export interface LinkOptions {
  readonly file: string;
  readonly isMasked: boolean;
  /** Whether the file has the traffic of an earlier process of the agent. */
  readonly append: boolean;
  /** Receives the reason if the recording ends early. */
  readonly onFailure: (message: string) => void;
}

/** The bus of an agent, which is recorded. */
export interface AgentLink {
  readonly bus: MessageBus;
  /** The messages that were received so far. Each is written soon after, or counted in a note as dropped or unwritable. */
  readonly messages: number;
  close(): Promise<void>;
}

/** What belongs to events. Queries and calls of handlers are not shown. */
export const eventChannels: readonly Channel[] = [
  'HOOK_EXECUTION_REQUEST',
  'HOOK_EXECUTION_RESPONSE',
  'HOOK_EXECUTION_PROGRESS',
  'HOOK_EXECUTION_CANCEL',
];
export const maxLineBytes = 1024 * 1024;
export const maxFiles = 8;
const maxFileBytes = 64 * 1024 * 1024;
/** What may wait until it is masked. A burst of 20,000 events fits, and what does not fit is counted as dropped. */
const maxQueuedBytes = 64 * 1024 * 1024;

/** Connects to an agent and begins to record it. Rejects with a SocketTransportError if nothing answers at its socket. */
export async function openLink({ socket: path, timeoutMs }: AgentAddress, options: LinkOptions): Promise<AgentLink> {
  const { file, isMasked, append, onFailure } = options;
  const transport = await connectToSocket({ path, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  const bus = new MessageBus({ transport });
  const closeBus = async () => {
    await bus.close();
    await transport.close();
  };
  try {
    const recorder = recordBus(bus, {
      file,
      append,
      channels: eventChannels,
      mask: isMasked,
      // The page shows paths as they are, and the recording leaves this machine only as an export.
      roots: { home: undefined, tmp: undefined },
      maxLineBytes,
      maxFileBytes,
      maxFiles,
      maxQueuedBytes,
      // Masking takes most of the time, and the server must answer meanwhile.
      thread: true,
      onFailure,
    });
    const close = async () => {
      await recorder.close();
      await closeBus();
    };
    await bus.flush();
    return {
      bus,
      get messages() {
        return recorder.messages;
      },
      close,
    };
  } catch (error) {
    await closeBus();
    throw error;
  }
}
