import { type CommandContext, resolvePath } from '../context.js';
import { ExitStatus, UsageError } from '../errors/exit-status.js';
import { findAgent } from '../recordings/find-agent.js';
import { reportingFailure } from '../recordings/read-recordings.js';
import { recordCommand } from '../recordings/record-command.js';
import { type RecordNatsFlags, recordNats, requireNatsFlags } from '../recordings/record-nats.js';
import { recordSocket } from '../recordings/record-socket.js';
import { type PlanFlags, recordingPlanOf } from '../recordings/recording-plan.js';

/** The flags of `tenterhook record`. */
export interface RecordFlags extends PlanFlags, RecordNatsFlags {
  readonly socket?: string;
  readonly attach?: string;
}

/**
 * Records an agent: the one that a command starts, the one whose bus is at a socket or on a NATS server, or the one with a pid. Resolves to the exit status: that of the command,
 * or 1 if nothing can be recorded.
 */
export async function record(words: readonly string[], flags: RecordFlags, context: CommandContext): Promise<number> {
  const { socket, attach, nats } = flags;
  const given = [socket !== undefined, attach !== undefined, nats !== undefined, words.length > 0];
  if (given.filter(Boolean).length !== 1) {
    throw new UsageError(
      'Pass one of these: the command of an agent after --, its bus with --socket <path> or --nats <url>, or its process with --attach <pid>: tenterhook record -- node agent.js',
    );
  }
  if (socket === '') throw new UsageError('--socket is empty. Pass the path of a socket.');
  requireNatsFlags(flags);
  const plan = recordingPlanOf(flags, context);
  return reportingFailure({}, context, async () => {
    if (words.length > 0) return recordCommand(words, plan, context);
    if (nats !== undefined) return (await recordNats(flags, plan, context)) ? ExitStatus.ok : ExitStatus.expectedFailure;
    const place =
      attach === undefined
        ? { path: resolvePath(context, socket as string), option: `--socket ${socket}` }
        : { path: (await findAgent(attach, context)).socket, option: `--attach ${attach}` };
    return (await recordSocket(place, plan, context)) ? ExitStatus.ok : ExitStatus.expectedFailure;
  });
}
