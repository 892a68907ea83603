import { type CommandContext, printError, printJson, resolvePath } from '../context.js';
import { ExitStatus, UsageError } from '../errors/exit-status.js';
import { chooseAgent, renderAgents } from '../inspecting/choose-agent.js';
import { inspectCommand } from '../inspecting/inspect-command.js';
import { type PageFlags, portOf, showPage } from '../inspecting/show-page.js';
import { findAgent, findAgents } from '../recordings/find-agent.js';
import { reportingFailure } from '../recordings/read-recordings.js';

/** The flags of `tenterhook inspect`. */
export interface InspectFlags extends PageFlags {
  readonly attach?: string;
  readonly socket?: string;
  readonly recording?: readonly string[];
  readonly list?: boolean;
  readonly json?: boolean;
}

/**
 * Shows an agent or recordings in the browser, until Ctrl-C. With a command, runs it, shows its agent, and ends with it. Resolves to the
 * exit status: that of the command, or 1 if there is nothing to show.
 */
export async function inspect(words: readonly string[], flags: InspectFlags, context: CommandContext): Promise<number> {
  const { attach, socket, recording, list = false, json = false } = flags;
  const given = [socket !== undefined, attach !== undefined, recording !== undefined, words.length > 0].filter(Boolean).length;
  if (given > 1 || (list && given > 0)) {
    throw new UsageError(
      'Pass one of these: --attach <pid>, --socket <path>, --recording <file>, or a command after --. --list is used alone. Without any of them, the agent that runs is shown.',
    );
  }
  if (json && !list) throw new UsageError('--json needs --list. The other forms of tenterhook inspect print no document.');
  if (socket === '') throw new UsageError('--socket is empty. Pass the path of a socket.');
  portOf(flags);
  if (list) return listAgents(json, context);
  if (flags.unmasked)
    printError(context, 'warning: --unmasked: the page shows secrets as they are. Do not share your screen or a picture of it.');
  if (flags.allowRun) printError(context, 'warning: --allow-run: the page can start the hooks of the project. Do not pass its address on.');
  return reportingFailure({}, context, async () => {
    if (words.length > 0) return inspectCommand(words, flags, context);
    if (recording !== undefined) return showPage({ recordings: recording.map((file) => resolvePath(context, file)) }, flags, context);
    if (socket !== undefined) return showPage({ agent: { socket: resolvePath(context, socket) } }, flags, context);
    const agent = attach === undefined ? await chooseAgent(context) : await findAgent(attach, context);
    return agent === undefined ? ExitStatus.expectedFailure : showPage({ agent, projectDir: agent.cwd }, flags, context);
  });
}

async function listAgents(json: boolean, context: CommandContext): Promise<number> {
  const agents = await findAgents(context);
  if (json) {
    printJson(context, { agents: agents.map(({ file: _file, tag: _tag, ...agent }) => agent) });
    return ExitStatus.ok;
  }
  context.stdout.write(agents.length === 0 ? 'No agent that others can attach to runs.\n' : renderAgents(agents));
  return ExitStatus.ok;
}
