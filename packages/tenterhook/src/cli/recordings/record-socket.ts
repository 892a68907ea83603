import { connectToSocket, SocketTransportError } from '@tenterhook/transport-socket';
import type { CommandContext } from '../context.js';
import { CommandError } from '../errors/exit-status.js';
import { recordUntilSignal } from './record-until-signal.js';
import { type RecordingPlan, readBefore, reportRecorded } from './recording-plan.js';

/** A bus at a socket. */
export interface RecordedSocket {
  readonly path: string;
  /** What the user passed, for messages: `--socket bus`, `--attach 4711`. */
  readonly option: string;
}

/** Records the bus at a socket until a signal. Resolves to whether the recording is complete. */
export async function recordSocket({ path, option }: RecordedSocket, plan: RecordingPlan, context: CommandContext): Promise<boolean> {
  const { file, append } = plan;
  const before = await readBefore(plan);
  const recorded = {
    place: path,
    connect: (signal: AbortSignal) => connect(path, option, signal),
    open: async () => ({ file, append }),
    target: file,
    report: () => reportRecorded(file, before, context),
  };
  return recordUntilSignal(recorded, plan, context);
}

async function connect(path: string, option: string, signal: AbortSignal) {
  try {
    return await connectToSocket({ path, signal });
  } catch (error) {
    if (!(error instanceof SocketTransportError)) throw error;
    throw new CommandError({ code: 'invalid_request', message: `${option}: ${error.message}` });
  }
}
