import type { Channel } from '@tenterhook/protocol';
import { readRecordingStream, writeRecording } from '@tenterhook/recording';
import { type CommandContext, printError } from '../context.js';
import { UsageError } from '../errors/exit-status.js';
import { connectNats, type NatsBus, openStream, type StreamFlags } from '../serving/connect-nats.js';
import { accessFlagsOf, type NatsAccessFlags, requirePlainAddress } from '../serving/nats-access.js';
import { recordUntilSignal } from './record-until-signal.js';
import { nothingBefore, type RecordingPlan, readBefore, reportRecorded } from './recording-plan.js';

/** The flags of `tenterhook record --nats`. */
export interface RecordNatsFlags extends NatsAccessFlags, StreamFlags {
  readonly nats?: string;
  readonly namespace?: string;
  readonly toStream?: string;
  readonly fromStream?: string;
  readonly progress?: boolean;
}

/** What a stream keeps. Progress is most of the messages, and no replay needs it. */
const streamChannels: readonly Channel[] = ['HOOK_EXECUTION_REQUEST', 'HOOK_EXECUTION_RESPONSE', 'HOOK_EXECUTION_CANCEL'];

/** Throws a UsageError for flags that do not belong together. */
export function requireNatsFlags({ nats, namespace, toStream, fromStream, ...flags }: RecordNatsFlags & { readonly to?: string }): void {
  if (nats === '') throw new UsageError('--nats is empty. Pass the address of the NATS server.');
  requirePlainAddress(nats);
  if (nats === undefined) {
    const [given] =
      Object.entries({ namespace, 'to-stream': toStream, 'from-stream': fromStream }).find(([, value]) => value !== undefined) ?? [];
    if (given !== undefined) throw new UsageError(`--${given} is for --nats. Pass the address of the NATS server with --nats <url>.`);
    return;
  }
  if (toStream !== undefined && (flags.to !== undefined || fromStream !== undefined)) {
    throw new UsageError('A recording has one place. Pass one of --to and --to-stream, and read a stream with --from-stream and --to.');
  }
}

/**
 * Records a namespace of a NATS server to a file or to a stream of the server until a signal, or writes what a stream contains to a file.
 * Resolves to whether the recording is complete.
 */
export async function recordNats(flags: RecordNatsFlags, plan: RecordingPlan, context: CommandContext): Promise<boolean> {
  const { nats: address = '', namespace = 'default', toStream, fromStream, progress = false } = flags;
  const { file, append } = plan;
  const place = { address, access: accessFlagsOf(flags) };
  const connect = (signal?: AbortSignal) => {
    const onProblem = (error: Error) => printError(context, `warning: ${error.message}`);
    return connectNats(place, context, { namespace, onProblem, ...(signal === undefined ? {} : { signal }) });
  };
  if (fromStream !== undefined) {
    const transport = await connect();
    try {
      return await copyStream(fromStream, flags, transport, plan, context);
    } finally {
      await transport.close();
    }
  }
  const before = await readBefore(plan);
  const channels = progress ? [...streamChannels, 'HOOK_EXECUTION_PROGRESS' as const] : streamChannels;
  const recorded = {
    place: `${namespace} on ${address}`,
    connect,
    open: async (transport: NatsBus) => {
      if (toStream === undefined) return { file, append };
      return { stream: await openStream('--to-stream', toStream, flags, transport), channels };
    },
    target: toStream === undefined ? file : `the stream ${toStream}`,
    report: (messages: number) => {
      if (toStream === undefined) return reportRecorded(file, before, context);
      printError(context, `note: recorded ${messages} message${messages === 1 ? '' : 's'} in the stream ${toStream}.`);
    },
  };
  return recordUntilSignal(recorded, plan, context);
}

async function copyStream(
  name: string,
  flags: RecordNatsFlags,
  transport: NatsBus,
  { file }: RecordingPlan,
  context: CommandContext,
): Promise<boolean> {
  const recording = await readRecordingStream(await openStream('--from-stream', name, flags, transport));
  for (const { code, message } of recording.problems) printError(context, `warning: ${code}: ${message}`);
  writeRecording(file, recording);
  await reportRecorded(file, nothingBefore, context);
  return true;
}
