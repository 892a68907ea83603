import { escapeUnseen } from '@tenterhook/runtime/text';
import type { FoundEntry } from '../../inspect/agent-entries.js';
import { inspectVariable } from '../../inspect/inspect-options.js';
import { type CommandContext, printError } from '../context.js';
import { CommandError } from '../errors/exit-status.js';
import { findAgents } from '../recordings/find-agent.js';

/**
 * Returns the only agent that runs. If there are several, prints them and returns undefined. Throws a CommandError that says what to do if
 * there is none.
 */
export async function chooseAgent(context: CommandContext): Promise<FoundEntry | undefined> {
  const agents = await findAgents(context);
  const [agent] = agents;
  if (agent === undefined) {
    const message = `No agent that others can attach to runs. Start one with tenterhook inspect -- <command>, or with ${inspectVariable}=1 in its environment. An agent can also allow it itself: createHooks({ inspect: true }).`;
    throw new CommandError({ code: 'invalid_request', message });
  }
  if (agents.length === 1) return agent;
  context.stdout.write(renderAgents(agents));
  printError(
    context,
    `error: ${agents.length} agents run. Pass --attach with the number of one of them, for example --attach ${agent.pid}.`,
  );
  return undefined;
}

/** A line for each agent: its process, its name, when it started, and its project. Names come from files, so they are escaped. */
export function renderAgents(agents: readonly FoundEntry[]): string {
  const rows = agents.map(({ pid, name, startedAt, cwd }) => [String(pid), name, startedAt, cwd].map((text) => escapeUnseen(text)));
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ')}\n`).join('');
}
