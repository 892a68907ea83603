import type { Heard, RelayEffect, RelayEvent, RelayFormat, RelayLoss, RelayVisits } from '@tenterhook/protocol';
import { join } from '../../shared/paths.js';
import { createRelayFormat } from '../../shared/relay/create-relay-format.js';
import { shellCommand } from '../../shared/relay/entry.js';
import type { RelayIntent } from '../../shared/relay/intent.js';
import { partsOfPatches, patchesIn } from '../../shared/relay/patch-files.js';
import { isText } from '../../shared/text.js';
import { type CursorEvent, factsOf } from '../input/event-table.js';
import { readInput } from '../input/read-input.js';
import type { CursorHost } from '../options.js';
import { otherTools } from '../tools/tool-table.js';
import { sameCall } from './same-call.js';
import { unread } from './unread-file.js';
import { write } from './write.js';

type Fields = Readonly<Record<string, unknown>>;
type HeardEvents = Extract<Heard, { kind: 'events' }>;

/** What an answer can do on the events for which entries are installed. The other events of Cursor tell nothing more. */
const powers = {
  preToolUse: ['deny', 'allow', 'input', 'user'],
  beforeShellExecution: ['deny', 'allow', 'user'],
  beforeMCPExecution: ['deny', 'allow', 'user'],
  beforeReadFile: ['deny', 'allow', 'user'],
  postToolUse: ['deny', 'result', 'context'],
  postToolUseFailure: [],
  beforeSubmitPrompt: ['deny', 'context', 'user'],
  stop: ['deny'],
  afterAgentResponse: [],
  sessionStart: ['context'],
  sessionEnd: [],
  preCompact: ['user'],
  subagentStart: ['deny', 'allow', 'user'],
  subagentStop: ['deny'],
} as const satisfies { readonly [Event in CursorEvent]?: readonly RelayEffect[] };

type RelayedEvent = keyof typeof powers;

/** Events that are installed only if asked for. */
const asked: readonly RelayedEvent[] = ['afterAgentResponse', 'subagentStart', 'subagentStop'];

const events: Readonly<Record<string, RelayEvent>> = Object.fromEntries(
  (Object.keys(powers) as RelayedEvent[]).map((event): [string, RelayEvent] => {
    const { eventName, asks } = factsOf(event);
    const install = asked.includes(event) ? 'asked' : 'always';
    return [event, { eventName, install, powers: powers[event], ...(asks ? { asksSometimes: true } : {}) }];
  }),
);

/** Cursor's events by those of Claude Code, for hooks in Claude Code's settings. */
const ofClaude: Readonly<Record<string, RelayedEvent>> = {
  PreToolUse: 'preToolUse',
  PostToolUse: 'postToolUse',
  PostToolUseFailure: 'postToolUseFailure',
  UserPromptSubmit: 'beforeSubmitPrompt',
  Stop: 'stop',
  SubagentStart: 'subagentStart',
  SubagentStop: 'subagentStop',
  SessionStart: 'sessionStart',
  SessionEnd: 'sessionEnd',
  PreCompact: 'preCompact',
};

const visits: RelayVisits = {
  wrote: (payload) => typeof payload['cursor_version'] === 'string',
  eventOf: (dialect, event) => (dialect === 'claude-code' && Object.hasOwn(ofClaude, event) ? ofClaude[event] : undefined),
};

/** How often in a row the agent may continue because of an answer. Tenterhook itself stops it after as many times. */
const loopLimit = 8;

/** Returns the way back: Cursor starts Tenterhook as its hook. */
export function relayOf(host: CursorHost): RelayFormat {
  return createRelayFormat({
    agent: 'Cursor',
    events,
    otherTools,
    entry: (event, command, { timeoutMs, onFailure }) => ({
      at: ['hooks', event],
      value: {
        command: shellCommand(command),
        timeout: Math.ceil(timeoutMs / 1000),
        ...(onFailure === 'closed' && factsOf(event as CursorEvent).isPermission ? { failClosed: true } : {}),
        ...(event === 'stop' || event === 'subagentStop' ? { loop_limit: loopLimit } : {}),
      },
      switches: [{ path: ['version'], value: 1 }],
    }),
    unread,
    afterInstall:
      'Cursor reads the entries at once. It shows the model the result of a tool of its own, whatever a guard answers: only results of MCP tools can be replaced.',
    unattended: ['With -p, the command line of Cursor starts no entry for beforeSubmitPrompt and stop.'],
    runsToo: ({ projectDir, home }) => [
      join(projectDir, '.claude/settings.local.json'),
      join(projectDir, '.claude/settings.json'),
      join(home, '.claude/settings.json'),
    ],
    read: (event, payload) => read(event, payload, host),
    visits,
    parts: (_event, call) => partsOfPatches(call),
    sameCall,
    unwritable,
    write: (saying) => write(saying, host),
  });
}

function read(event: string, payload: Fields, host: CursorHost): ReturnType<typeof readInput> {
  const { input, defaults } = readInput(event, payload, host);
  const [folder] = Array.isArray(payload['workspace_roots']) ? payload['workspace_roots'] : [];
  return { input: { ...input, ...(isText(input['cwd']) ? {} : { cwd: isText(folder) ? folder : '' }) }, defaults };
}

/** Tools of Cursor that drop new arguments silently. */
const keepsArguments = ['Write', 'Delete'];

/** Returns the rewrites that Cursor does not carry out: new arguments of a tool that writes, and new results of tools of its own. */
function unwritable({ inputs, result }: RelayIntent, { event, payload }: HeardEvents): readonly RelayLoss[] {
  const { tool_name: name } = payload;
  const losses: RelayLoss[] = [];
  if (inputs.some((input) => input !== undefined) && keepsArguments.includes(name as string))
    losses.push({ effect: 'input', message: `Cursor ignores new arguments of ${name}.` });
  else if (inputs.some((input) => input !== undefined) && patchesIn(payload).length > 0)
    losses.push({ effect: 'input', message: 'The change of a patch by a hook cannot be written back for Cursor.' });
  if (result !== undefined && event === 'postToolUse' && !(isText(name) && name.startsWith('MCP:')))
    losses.push({ effect: 'result', message: `Cursor shows the model the result of ${name}, whatever a hook answers.` });
  return losses;
}
