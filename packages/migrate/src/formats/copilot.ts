import {
  type CopilotEvent,
  copilotDefaultTimeoutS,
  copilotEventFacts,
  copilotEventNames,
  copilotHookData,
  copilotTools,
  copilotToolsAsClaude,
  isPascalCopilotKey,
  pascalCopilotKey,
} from '@tenterhook/dialects/internal';
import type { ToolTable } from '@tenterhook/dialects/parts';
import type { HookDefinition } from '@tenterhook/protocol';
import type { HookContract } from '../contract.js';
import { portableCommand, projectVariable, shellWord } from '../portable/command-text.js';
import { regexOfGlob } from '../portable/globs.js';
import { type MatcherSpelling, readMatcher, writeMatcher } from '../portable/matchers.js';
import { type HookLoss, modeOf, type PortableHook } from '../portable/portable-hook.js';
import { namesIn } from '../portable/tool-spelling.js';
import { commandOf, type GroupMatchers, ignoredMatcher, patternOfNames } from './command-groups.js';
import type { HookMigration, MigrationContext, ReadHook, WrittenHook } from './hook-migration.js';
import { lossesOf, noEvent, refusalOf, type Sayable } from './unsupported.js';

const agent = 'Copilot';
const projectDirVariable = 'COPILOT_PROJECT_DIR';

const sayable: Sayable = { agent, fields: ['env', 'onError', 'recheck', 'mode', 'sequential'] };

/** Names of both kinds, for a list of names under a key with a capital letter. */
const bothTables: ToolTable = Object.fromEntries(
  Object.entries(copilotToolsAsClaude).map(([kind, { names, ...entry }]) => [
    kind,
    { ...entry, names: [...names, ...(copilotTools[kind as keyof ToolTable]?.names ?? [])] },
  ]),
);

const spellingWith = (table: ToolTable): MatcherSpelling => ({
  tools: {
    agent,
    table,
    mcp: [
      { start: 'mcp_', separator: '_' },
      { start: 'mcp__', separator: '__' },
    ],
  },
  values: { agent, words: { Notification: { ToolPermission: 'permission_prompt' } } },
});

const spellings = { own: spellingWith(copilotTools), claude: spellingWith(copilotToolsAsClaude), both: spellingWith(bothTables) };

const contract: HookContract = {
  topics: {
    event: '`hook_event_name`: `PreToolUse`, `PostToolUse`, `UserPromptSubmit`, `Stop` …',
    session: '`session_id`, `cwd`',
    tool: "`tool_name` and `tool_input`: `Bash`, `Read`, `Write`, with the keys of Copilot's own tools",
    file: '`path` of `tool_input`, absolute',
    result: '`text_result_for_llm` of `tool_result`; `error` on `PostToolUseFailure`, which is a separate event',
    deny: '`{"permissionDecision":"deny","permissionDecisionReason":"…"}`, or exit code 2',
    ask: '`permissionDecision`: `ask`',
    permission: '`{"behavior":"deny","message":"…"}`, or `allow`',
    rewrite: '`modifiedArgs`, which replaces all arguments',
    feedback: 'not possible',
    redact: '`{"modifiedResult":{"resultType":"success","textResultForLlm":"…"}}`',
    context: '`additionalContext` at the top level',
    prompt: '`{"decision":"block","reason":"…"}`; exit code 2 has no effect',
    newPrompt: '`modifiedPrompt`; not every version obeys it',
    goOn: '`{"decision":"block","reason":"…"}`: the reason is the next prompt',
    stop: 'not possible',
    user: 'a line `{"type":"progress","message":"…"}` before the answer',
    text: 'no effect',
    failure: 'a deny before a tool; otherwise the hook has failed',
    otherCode: 'a deny before a tool; otherwise the hook has failed',
    directory: 'the project',
    project: '`$COPILOT_PROJECT_DIR`',
    order: 'one after another',
    copies: 'runs twice',
  },
  blocks: ['BeforeTool', 'PermissionRequest'],
  redacts: [],
  otherCodesDeny: false,
  decisions: ['block'],
  words: (
    'hook_event_name session_id timestamp transcript_path tool_name tool_input tool_result prompt error source reason trigger message ' +
    'initial_prompt stop_reason stop_hook_active last_assistant_message custom_instructions agent_id agent_type agent_name ' +
    'sessionId toolName toolArgs toolResult transcriptPath initialPrompt notification_type permissionDecision permissionDecisionReason ' +
    'modifiedArgs modifiedResult modifiedPrompt additionalContext decision behavior interrupt command path file_text old_str new_str ' +
    'hookSpecificOutput hookEventName updatedInput COPILOT_PROJECT_DIR COPILOT_HOOK_DIR COPILOT_CLI COPILOT_PLUGIN_ROOT PLUGIN_ROOT ' +
    'CLAUDE_PROJECT_DIR CLAUDE_PLUGIN_ROOT'
  ).split(' '),
  tools: namesIn(copilotToolsAsClaude),
};

export const copilotMigration: HookMigration = {
  agent,
  read: (hooks, context) => hooks.map((hook) => readHook(hook, context)),
  write: (hooks) => hooks.map((hook) => writeHook(hook, hooks)),
  switch: { path: ['version'], value: 1 },
  contract,
};

function readHook(hook: HookDefinition, { projectDir }: MigrationContext): ReadHook {
  const { eventName, timeoutMs, onError, cwd, dialectEvent } = hook;
  const { event, runs, env, plugin, matcher } = copilotHookData(hook);
  const spelling = !isPascalCopilotKey(dialectEvent) ? spellings.own : matcher.kind === 'names' ? spellings.both : spellings.claude;
  const read = readMatcher(patternOfNames(matcher, hook.matcher, true), eventName, spelling);
  if ('cannot' in read) return read;
  const { result } = copilotEventFacts(event);
  const there = cwd === undefined || cwd === projectDir ? '' : `cd ${shellWord(cwd)} && `;
  const { text, ...known } = portableCommand(`${there}${textOf(runs)}`, [projectDirVariable, 'CLAUDE_PROJECT_DIR', projectVariable]);
  return {
    eventName,
    ...(result === undefined ? {} : { outcome: result }),
    matcher: read.matcher,
    action: runs.kind === 'command' ? { kind: 'command', text } : { kind: 'other', type: runs.kind === 'http' ? 'http' : runs.type },
    ...known,
    env: { ...env, ...(plugin === undefined ? {} : { COPILOT_PLUGIN_ROOT: plugin.root }) },
    timeoutMs: Math.round(timeoutMs),
    onError,
    sequential: true,
    ...(hook.recheck === undefined ? {} : { recheck: hook.recheck }),
    ...modeOf(hook),
    losses: [...read.losses, ...eventLosses(event), ...failureLosses(hook)],
  };
}

type Runs = ReturnType<typeof copilotHookData>['runs'];

function textOf(runs: Runs): string {
  if (runs.kind !== 'command') return '';
  const { command } = runs;
  return command.kind === 'shell' ? command.text : [command.file, ...command.args].map(shellWord).join(' ');
}

function eventLosses(event: CopilotEvent): HookLoss[] {
  if (event !== 'preMcpToolCall') return [];
  return [
    { field: 'event', message: 'On preMcpToolCall, the hook reads other fields than on the event of all tools, and runs only for MCP.' },
  ];
}

function failureLosses({ deniesOnCrash, onError }: HookDefinition): HookLoss[] {
  if (deniesOnCrash !== true || onError === 'block') return [];
  const message =
    'In Copilot a call is denied if the hook fails, unless it times out. Elsewhere set the field with which a failure denies.';
  return [{ field: 'onError', message }];
}

function writeHook(hook: PortableHook, all: readonly PortableHook[]): WrittenHook {
  const refusal = refusalOf(hook, sayable);
  if (refusal !== undefined) return { cannot: refusal };
  const events = eventsOf(hook);
  const [first] = events;
  if (first === undefined) return noEvent(hook.eventName, agent);
  const written = writeMatcher(hook, spellings.claude);
  if ('cannot' in written) return written;
  const { matchers, losses } = written.globs === undefined ? { matchers: [undefined], losses: [] } : matchersOf(written.globs, first);
  const others = all.filter((other) => other !== hook && other.eventName === hook.eventName).length;
  const keys = events.map(pascalCopilotKey);
  return {
    additions: keys.flatMap((key) => matchers.map((matcher) => ({ at: ['hooks', key], value: entryOf(hook, matcher) }))),
    losses: [...written.losses, ...losses, ...lossesOf(hook, sayable, others)],
  };
}

function eventsOf({ eventName, outcome }: PortableHook): CopilotEvent[] {
  return copilotEventNames.filter((event) => {
    const { eventName: own, ofMcp, result } = copilotEventFacts(event);
    return own === eventName && ofMcp !== true && (outcome === undefined || result === undefined || result === outcome);
  });
}

/** Writes names of tools as a list, e.g. `Bash|Edit`. Otherwise it is a regular expression, which must match the whole value. */
function matchersOf(globs: readonly string[], event: CopilotEvent): GroupMatchers {
  if (copilotEventFacts(event).subject === undefined) return ignoredMatcher(agent, pascalCopilotKey(event));
  const isList = globs.every((glob) => /^[\w-]+$/.test(glob));
  return { matchers: [isList ? globs.join('|') : globs.map(regexOfGlob).join('|')], losses: [] };
}

function entryOf(hook: PortableHook, matcher: string | undefined): Readonly<Record<string, unknown>> {
  const { timeoutMs, env, onError } = hook;
  return {
    type: 'command',
    ...(matcher === undefined ? {} : { matcher }),
    command: commandOf(hook, projectDirVariable),
    ...(timeoutMs === copilotDefaultTimeoutS * 1000 ? {} : { timeoutSec: timeoutMs / 1000 }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(onError === 'block' ? { onError } : {}),
    ...(hook.recheck === undefined ? {} : { recheck: hook.recheck }),
    ...(hook.mode === undefined ? {} : { mode: hook.mode }),
  };
}
