import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { codeOf } from '@tenterhook/runtime/text';
import { type FoundEntry, readEntries } from '../../inspect/agent-entries.js';
import { inspectVariable } from '../../inspect/inspect-options.js';
import { type CommandContext, printError } from '../context.js';
import { CommandError, UsageError } from '../errors/exit-status.js';

/**
 * Returns the entry of the agent with this pid. Throws a CommandError if no such agent allows other processes to attach, and if the process
 * has several hook systems.
 */
export async function findAgent(pid: string, context: CommandContext): Promise<FoundEntry> {
  if (!/^[1-9]\d*$/.test(pid)) throw new UsageError(`--attach must be the number of a process, and is ${JSON.stringify(pid)}.`);
  const entries = await findAgents(context);
  const [entry, ...others] = entries.filter((one) => String(one.pid) === pid);
  if (entry === undefined) {
    const known = entries.length === 0 ? 'There is none' : `There are ${entries.map((one) => `${one.pid} (${one.name})`).join(', ')}`;
    const message = `--attach ${pid}: this process is not an agent that others can attach to. ${known}. The agent must allow it: createHooks({ inspect: true }), or ${inspectVariable}=1 in its environment.`;
    throw new CommandError({ code: 'invalid_request', message });
  }
  if (others.length > 0) {
    const sockets = [entry, ...others].map(({ socket }) => `--socket ${socket}`).join(', ');
    throw new CommandError({
      code: 'invalid_request',
      message: `--attach ${pid}: the process has several hook systems. Pass one of ${sockets}.`,
    });
  }
  return entry;
}

/**
 * Returns the agents that run and allow other processes to attach. An agent is alive if its socket answers: after its end, another process
 * may have its pid. Entries of agents that were killed are removed. What is ignored is one warning on stderr, except for a repeated search.
 */
export async function findAgents(context: CommandContext, { isRepeated = false } = {}): Promise<FoundEntry[]> {
  const entries = readEntries(context.env, (message) => (isRepeated ? undefined : printError(context, `warning: ${message}`)));
  const answers = await Promise.all(entries.map(({ socket }) => isAnswered(socket)));
  for (const [index, { pid, file }] of entries.entries()) {
    if (answers[index] || isProcess(pid)) continue;
    // The socket of a hub is beside its entry, under the same name.
    for (const left of [file, file.replace(/\.json$/, '.sock')]) rmSync(left, { force: true });
  }
  return entries.filter((_, index) => answers[index]);
}

function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
