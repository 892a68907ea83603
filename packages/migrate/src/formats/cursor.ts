import {
  type CursorEvent,
  cursorDefaultTimeoutS,
  cursorEventFacts,
  cursorEventNames,
  cursorHookData,
  cursorTools,
} from '@tenterhook/dialects/internal';
import type { HookDefinition } from '@tenterhook/protocol';
import type { HookContract } from '../contract.js';
import { isVariableName, portableCommand, projectVariable, shellWord, withExports, withoutExports } from '../portable/command-text.js';
import { type MatcherSpelling, readMatcher, writeMatcher } from '../portable/matchers.js';
import { type HookLoss, modeOf, type PortableHook, type PortableMatcher, type PortableSubject } from '../portable/portable-hook.js';
import { namesIn } from '../portable/tool-spelling.js';
import { commandOf, ignoredMatcher, patternOfNames, unsettable, wholeNames } from './command-groups.js';
import type { HookMigration, MigrationContext, ReadHook, WrittenHook } from './hook-migration.js';
import { lossesOf, noEvent, refusalOf, type Sayable } from './unsupported.js';

const agent = 'Cursor';
const projectDirVariable = 'CURSOR_PROJECT_DIR';

const sayable: Sayable = { agent, fields: ['env', 'onError', 'recheck', 'mode'] };

const spelling: MatcherSpelling = {
  tools: { agent, table: cursorTools, mcp: [{ start: 'MCP:', separator: '', isWithoutServer: true }] },
  values: { agent, words: {} },
};

const contract: HookContract = {
  topics: {
    event: '`hook_event_name`: `preToolUse`, `postToolUse`, `beforeSubmitPrompt`, `stop` …',
    session: '`session_id` and `conversation_id`, `workspace_roots`',
    tool: '`tool_name` and `tool_input`: `Shell`, `Read`, `Write`, `MCP:tool`; on events of one kind of tool only `command`, `file_path` …',
    file: '`file_path` of `tool_input`, absolute',
    result: '`tool_output`, JSON as a text; `error_message` on `postToolUseFailure`, which is a separate event',
    deny: '`{"permission":"deny","agent_message":"…"}`, or exit code 2',
    ask: '`permission`: `ask`, obeyed on `beforeShellExecution` and `beforeMCPExecution`',
    permission: 'not possible',
    rewrite: '`updated_input`, which replaces all arguments, on `preToolUse`',
    feedback: 'not possible',
    redact: '`updated_mcp_tool_output`, for tools of MCP servers',
    context: '`additional_context`',
    prompt: '`{"continue":false,"user_message":"…"}`, or exit code 2',
    newPrompt: 'not possible',
    goOn: '`followup_message`: the next prompt',
    stop: 'not possible',
    user: '`user_message`',
    text: 'a deny on the events with `permission`, otherwise a failure',
    failure: 'the hook has failed, and its output is ignored; with `failClosed`, also a hook that prints nothing',
    otherCode: 'the hook has failed',
    directory: "the project; for hooks of the user the folder of the user's settings",
    project: '`$CURSOR_PROJECT_DIR`',
    order: 'side by side',
    copies: 'runs once',
  },
  blocks: ['BeforeTool', 'BeforeAgent', 'AfterAgent', 'SubagentStart', 'SubagentStop', 'BeforeTabFileRead'],
  redacts: [],
  otherCodesDeny: false,
  decisions: [],
  words: (
    'hook_event_name conversation_id generation_id session_id model cursor_version workspace_roots user_email transcript_path tool_name ' +
    'tool_input tool_output tool_use_id cwd agent_message user_message permission updated_input additional_context continue ' +
    'followup_message updated_mcp_tool_output env command sandbox mcp_server_name url file_path content attachments error_message ' +
    'failure_type duration is_interrupt output result_json edits prompt status loop_count text trigger subagent_type summary ' +
    'CURSOR_PROJECT_DIR CURSOR_VERSION CURSOR_USER_EMAIL CURSOR_TRANSCRIPT_PATH CURSOR_CODE_REMOTE CURSOR_PLUGIN_ROOT ' +
    'CLAUDE_PROJECT_DIR CLAUDE_PLUGIN_ROOT'
  ).split(' '),
  tools: namesIn(cursorTools),
};

export const cursorMigration: HookMigration = {
  agent,
  read: (hooks, context) => hooks.map((hook) => readHook(hook, context)),
  write: (hooks) => hooks.map((hook) => writeHook(hook, hooks)),
  switch: { path: ['version'], value: 1 },
  contract,
};

const tools = (...names: string[]): readonly PortableSubject[] => names.map((name) => ({ kind: 'tool', name }));

/** The tools of the events that are about one kind of tool. */
const subjectsOfKind: Readonly<Record<string, readonly PortableSubject[]>> = {
  shell: tools('run_shell_command'),
  mcp: [{ kind: 'mcp', server: '*', tool: '*' }],
  read: tools('read_file', 'read_many_files'),
  change: tools('write_file', 'replace'),
};

function readHook(hook: HookDefinition, { projectDir }: MigrationContext): ReadHook {
  const { eventName, timeoutMs, onError, cwd } = hook;
  const { event, runs, plugin } = cursorHookData(hook);
  const read = matcherOf(hook);
  if ('cannot' in read) return read;
  const { result } = cursorEventFacts(event);
  const { text, env } = runs.kind === 'command' ? withoutExports(runs.text) : { text: '', env: {} };
  const there = cwd === undefined || cwd === projectDir ? text : `cd ${shellWord(cwd)} && ${text}`;
  const { text: portable, ...known } = portableCommand(there, [projectDirVariable, 'CLAUDE_PROJECT_DIR', projectVariable]);
  return {
    eventName,
    ...(result === undefined ? {} : { outcome: result }),
    matcher: read.matcher,
    action: runs.kind === 'command' ? { kind: 'command', text: portable } : { kind: 'other', type: runs.type },
    ...known,
    env: { ...env, ...(plugin === undefined ? {} : { CURSOR_PLUGIN_ROOT: plugin.root }) },
    timeoutMs: Math.round(timeoutMs),
    onError,
    ...(hook.recheck === undefined ? {} : { recheck: hook.recheck }),
    ...modeOf(hook),
    losses: [...read.losses, ...limitLosses(hook)],
  };
}

/** Returns the loss of the limit of a hook that makes the agent continue. */
function limitLosses(hook: HookDefinition): HookLoss[] {
  const { event, loopLimit } = cursorHookData(hook);
  if (!isOfLoop(event) || loopLimit === Number.POSITIVE_INFINITY) return [];
  const message = `The hook made the agent continue at most ${loopLimit} times in a row ("loop_limit"). Only ${agent} has this limit.`;
  return [{ field: 'event', message }];
}

/** Tests whether hooks of an event can make the agent continue. */
function isOfLoop(event: CursorEvent): boolean {
  return cursorEventFacts(event).output.includes('followup_message');
}

/** Returns which calls a hook is for. A matcher that is compared with a command has no counterpart in other formats. */
function matcherOf(
  hook: HookDefinition,
): { readonly matcher: PortableMatcher; readonly losses: readonly HookLoss[] } | { readonly cannot: string } {
  const { event, matcher } = cursorHookData(hook);
  const { kind, subject } = cursorEventFacts(event);
  if (kind === undefined) {
    const read = readMatcher(patternOfNames(matcher, hook.matcher), hook.eventName, spelling);
    if ('cannot' in read || event !== 'sessionStart') return read;
    const message = `${agent} runs the hook only for new chats.`;
    return { ...read, losses: [...read.losses, { field: 'event', message }] };
  }
  if (matcher.kind !== 'all' && subject === 'command') {
    return {
      cannot: `Its matcher ${JSON.stringify(hook.matcher)} is compared with the command, and other formats compare only the name of the tool.`,
    };
  }
  const message = `On ${event}, the hook reads other fields than on the event of all tools.`;
  return { matcher: { kind: 'subjects', subjects: subjectsOfKind[kind] ?? [] }, losses: [{ field: 'event', message }] };
}

function writeHook(hook: PortableHook, all: readonly PortableHook[]): WrittenHook {
  const refusal = refusalOf(hook, sayable);
  if (refusal !== undefined) return { cannot: refusal };
  const keys = keysOf(hook);
  if (keys.length === 0) return noEvent(hook.eventName, agent);
  const isMatched = keys.every((key) => cursorEventFacts(key).ofTool === true);
  const written = isMatched ? writeMatcher(hook, spelling) : { globs: undefined, losses: [] };
  if ('cannot' in written) return written;
  const widened = !isMatched && hook.matcher.kind !== 'everything' ? ignoredMatcher(agent, keys.join(' and ')).losses : [];
  const { matchers, losses } = written.globs === undefined ? { matchers: [undefined], losses: [] } : wholeNames(written.globs);
  const others = all.filter((other) => other !== hook && other.eventName === hook.eventName).length;
  return {
    additions: keys.flatMap((key) => matchers.map((matcher) => ({ at: ['hooks', key], value: entryOf(hook, key, matcher) }))),
    losses: [...written.losses, ...losses, ...widened, ...sessionLosses(hook), ...lossesOf(hook, sayable, others), ...unsettable(hook)],
  };
}

function keysOf({ eventName, outcome }: PortableHook): readonly CursorEvent[] {
  const keys = cursorEventNames.filter(
    (name) => cursorEventFacts(name).eventName === eventName && cursorEventFacts(name).kind === undefined,
  );
  return keys.filter(
    (key) => outcome === undefined || cursorEventFacts(key).result === undefined || cursorEventFacts(key).result === outcome,
  );
}

function sessionLosses({ eventName }: PortableHook): HookLoss[] {
  return eventName === 'SessionStart' ? [{ field: 'event', message: `${agent} runs the hook only for new chats.` }] : [];
}

function entryOf(hook: PortableHook, key: CursorEvent, matcher: string | undefined): Readonly<Record<string, unknown>> {
  const { timeoutMs, env, onError } = hook;
  const settable = Object.fromEntries(Object.entries(env).filter(([name]) => isVariableName(name)));
  return {
    command: withExports(commandOf(hook, projectDirVariable), settable),
    ...(matcher === undefined ? {} : { matcher }),
    ...(timeoutMs === cursorDefaultTimeoutS * 1000 ? {} : { timeout: timeoutMs / 1000 }),
    ...(onError === 'block' ? { failClosed: true } : {}),
    // Other formats have no such limit.
    ...(isOfLoop(key) ? { loop_limit: null } : {}),
    ...(hook.recheck === undefined ? {} : { recheck: hook.recheck }),
    ...(hook.mode === undefined ? {} : { mode: hook.mode }),
  };
}
