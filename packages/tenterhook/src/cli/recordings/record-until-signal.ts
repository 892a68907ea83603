import { MessageBus, type Transport } from '@tenterhook/bus';
import { type RecordOptions, recordBus } from '@tenterhook/recording';
import { type CommandContext, printError } from '../context.js';
import { aborted, onInterrupt } from '../interrupt.js';
import type { RecordingPlan } from './recording-plan.js';

const countEveryMs = 500;

/** A service that is stopped or does not answer must not delay the recording for long. */
const describeMs = 2_000;

/** A bus to record. */
export interface RecordedBus<Opened extends Transport> {
  /** Where the bus is, for messages. */
  readonly place: string;
  readonly connect: (signal: AbortSignal) => Promise<Opened>;
  /** Opens where the recording is kept. */
  readonly open: (transport: Opened) => Promise<Pick<RecordOptions, 'file' | 'append' | 'stream' | 'channels'>>;
  /** The file or the stream, for messages. */
  readonly target: string;
  /** Reports what was recorded. */
  readonly report: (messages: number) => Promise<void> | void;
}

/** Records a bus until a signal, such as Ctrl-C. The agent goes on. Resolves to whether the recording is complete. */
export async function recordUntilSignal<Opened extends Transport>(
  { place, connect, open, target, report }: RecordedBus<Opened>,
  { mask, secrets }: Pick<RecordingPlan, 'mask' | 'secrets'>,
  context: CommandContext,
): Promise<boolean> {
  const interruption = onInterrupt();
  const { signal } = interruption;
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener('abort', end);
  const transport = await connect(signal);
  const bus = new MessageBus({ transport });
  try {
    const onFailure = (message: string) => {
      printError(context, `warning: ${message}`);
      end();
    };
    const about = await describeAgent(bus);
    const where = await open(transport);
    const recorder = recordBus(bus, { ...where, ...about, mask, secrets, roots: { project: context.cwd }, thread: false, onFailure });
    await bus.flush();
    printError(context, `note: recording ${place} to ${target}. Ctrl-C ends the recording; the agent goes on.`);
    const stopCounting = showCount(() => recorder.messages, context);
    await aborted(ending.signal);
    stopCounting();
    await recorder.close();
    await report(recorder.messages);
    return recorder.failure === undefined;
  } finally {
    await bus.close();
    await transport.close();
    interruption.forget();
  }
}

/** Asks the service what it has loaded. A service that does not allow this, or an earlier version, does not answer. */
async function describeAgent(bus: MessageBus): Promise<{ readonly about?: Readonly<Record<string, unknown>> }> {
  const { output } = await bus.request('HOOK_SERVICE_QUERY', { query: 'describe' }, { timeoutMs: describeMs });
  return output === undefined ? {} : { about: output };
}

/** Shows the number of messages on a terminal, in one line that is replaced. Elsewhere each number would be a line of a log. */
function showCount(count: () => number, { stderr }: CommandContext): () => void {
  if (!stderr.isTTY) return () => {};
  const timer = setInterval(() => stderr.write(`\r${count()} messages`), countEveryMs);
  return () => {
    clearInterval(timer);
    stderr.write('\r\u001b[K');
  };
}
