import { clientBounds, type UnreadInput } from '@tenterhook/relay';
import { type CommandContext, directoryOf, resolvePath } from '../../context.js';
import { UsageError } from '../../errors/exit-status.js';
import { findDialect } from '../../hooks/dialect-name.js';
import { onInterrupt } from '../../interrupt.js';
import { answerCall, type RelaySystems } from './answer/answer-call.js';
import { openSystem } from './answer/open-system.js';
import { budgetOf, type EntryFlags, policyOfFlags } from './answer/run-flags.js';
import { dialects, findAgent } from './relayed-agent.js';

const { maxInputBytes } = clientBounds;

export interface RelayRunFlags extends EntryFlags {
  readonly agent?: string;
  readonly event?: string;
  readonly settings?: readonly string[];
  readonly dialect?: string;
  readonly cwd?: string;
  readonly withoutDaemon?: string;
}

/** Reads one event of an agent on stdin, asks the guards, and writes the agent's answer. Resolves to the exit code of this answer. */
export async function relayRun(flags: RelayRunFlags, context: CommandContext): Promise<number> {
  const agent = findAgent(flags.agent);
  const { event } = flags;
  if (event === undefined)
    throw new UsageError(`--event is missing. ${agent.relay.agent} has ${Object.keys(agent.relay.events).join(', ')}.`);
  const budgetMs = budgetOf(flags.budget, agent.relay.events[event]);
  const dialect = flags.dialect === undefined ? undefined : findDialect(flags.dialect, dialects).name;
  const until = performance.now() + budgetMs;
  const text = await readStdin(context, budgetMs);
  const answer = await answerCall(
    {
      agent,
      event,
      text,
      policy: policyOfFlags(flags),
      until,
      dialect,
      settings: flags.settings?.map((file) => resolvePath(context, file)),
      named: flags.cwd === undefined ? undefined : resolvePath(context, flags.cwd),
      current: directoryOf(context),
      environment: context.env,
      withoutDaemon: flags.withoutDaemon,
    },
    systemsOfOneEvent(),
  );
  if (answer.stderr !== '') context.stderr.write(answer.stderr);
  if (answer.stdout !== '') context.stdout.write(answer.stdout);
  await answer.rest();
  return answer.exit;
}

/** Opens a system for each event. Signals to this process abort the event. */
function systemsOfOneEvent(): RelaySystems {
  return {
    inTurn: (_key, _waitMs, task) => task(),
    lend: async (request) => {
      const system = await openSystem(request);
      const interruption = onInterrupt();
      return {
        system,
        signal: interruption.signal,
        giveBack: async () => {
          interruption.forget();
          await system.hooks.dispose();
        },
      };
    },
  };
}

/** Reads stdin to its end. An agent that does not end it in time receives the answer for a failure, before it stops waiting. */
async function readStdin({ stdin }: CommandContext, waitMs: number): Promise<string | UnreadInput> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<UnreadInput>((resolve) => {
    timer = setTimeout(() => {
      resolve({ problem: `The agent has not ended the input on stdin within ${waitMs / 1000} s.` });
      // A stream that is still read keeps the process from ending.
      stdin.destroy();
    }, waitMs);
  });
  try {
    return await Promise.race([readAll(stdin), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function readAll(stdin: CommandContext['stdin']): Promise<string | UnreadInput> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += buffer.length;
    // The rest is read too: an agent that cannot write its input may treat this as a failure of its own.
    if (bytes <= maxInputBytes) chunks.push(buffer);
    else chunks.length = 0;
  }
  if (bytes > maxInputBytes) return { problem: `The input on stdin has more than ${maxInputBytes} bytes.` };
  return Buffer.concat(chunks).toString('utf8');
}
