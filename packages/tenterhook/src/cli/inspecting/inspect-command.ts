import { randomUUID } from 'node:crypto';
import { watch } from 'node:fs';
import { constants } from 'node:os';
import { describeThrown } from '@tenterhook/runtime/text';
import { runAttached } from '@tenterhook/spawner/internal';
import { type FoundEntry, openDirectory, readEntries } from '../../inspect/agent-entries.js';
import { inspectVariable } from '../../inspect/inspect-options.js';
import { type CommandContext, printError } from '../context.js';
import { CommandError } from '../errors/exit-status.js';
import { aborted, onInterrupt } from '../interrupt.js';
import { type OpenInspector, openInspector, type PageFlags } from './show-page.js';

/**
 * Runs a command, and shows the first agent that it starts. The page ends with the command, and on a terminal with Ctrl-C after it. Resolves to the exit status of the command; its
 * signals, its terminal and its output are passed through.
 */
export async function inspectCommand(
  [program = '', ...args]: readonly string[],
  flags: PageFlags,
  context: CommandContext,
): Promise<number> {
  // The value is also the tag of the agent's entry: the agent may be a child of the command, so its pid is not known.
  const tag = `inspect-${randomUUID()}`;
  const ending = new AbortController();
  const shown = showAgent(tag, flags, context, ending.signal);
  const env = Object.fromEntries(Object.entries(context.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
  const ended = await runAttached({ file: program, args, cwd: context.cwd, env: { ...env, [inspectVariable]: tag } });
  ending.abort();
  const inspector = await shown;
  // An agent may run for seconds only. On a terminal its page stays, so that a person can read it.
  if (inspector !== undefined && context.stderr.isTTY === true && 'exitCode' in ended && ended.exitCode !== null)
    await untilInterrupt(ended.exitCode, context);
  await inspector?.close();
  if ('error' in ended) {
    const message = `${program} cannot be started: ${describeThrown(ended.error)}. Check the command after --.`;
    throw new CommandError({ code: 'invalid_request', message });
  }
  if (inspector === undefined)
    printError(context, 'warning: nothing was shown: the command has not called createHooks(), or does not let others attach.');
  return ended.exitCode ?? 128 + (constants.signals[ended.signal ?? 'SIGKILL'] ?? 0);
}

async function untilInterrupt(exitCode: number, context: CommandContext): Promise<void> {
  const interruption = onInterrupt();
  printError(context, `note: the command ended with exit status ${exitCode}. Its page stays until Ctrl-C.`);
  await aborted(interruption.signal);
}

/** Waits for the agent and opens its page. Resolves to undefined if there is none until the command ends. Never rejects. */
async function showAgent(tag: string, flags: PageFlags, context: CommandContext, signal: AbortSignal): Promise<OpenInspector | undefined> {
  try {
    const agent = await waitForEntry(tag, context, signal);
    return agent === undefined ? undefined : await openInspector({ agent, projectDir: agent.cwd }, flags, context);
  } catch (error) {
    // The command runs on: it must not fail because of what watches it.
    if (!signal.aborted) printError(context, `warning: the agent cannot be shown: ${describeThrown(error)}`);
    return undefined;
  }
}

function waitForEntry(tag: string, { env }: CommandContext, signal: AbortSignal): Promise<FoundEntry | undefined> {
  const directory = openDirectory(env);
  return new Promise((resolve, reject) => {
    const watcher = watch(directory, () => look());
    const end = (entry: FoundEntry | undefined) => {
      watcher.close();
      signal.removeEventListener('abort', abort);
      resolve(entry);
    };
    const abort = () => end(undefined);
    const look = () => {
      const entry = readEntries(env).find((one) => one.tag === tag);
      if (entry !== undefined) end(entry);
    };
    watcher.on('error', reject);
    signal.addEventListener('abort', abort);
    look();
  });
}
