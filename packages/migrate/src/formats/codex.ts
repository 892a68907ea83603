import {
  type CodexEvent,
  codexDefaultTimeoutS,
  codexEventFacts,
  codexEventNames,
  codexHookData,
  codexTools,
} from '@tenterhook/dialects/internal';
import type { HookDefinition } from '@tenterhook/protocol';
import type { HookContract } from '../contract.js';
import { projectVariable, renamedVariable, withoutExports } from '../portable/command-text.js';
import { regexOfGlob } from '../portable/globs.js';
import { type MatcherSpelling, readMatcher } from '../portable/matchers.js';
import { type HookLoss, modeOf, type PortableHook } from '../portable/portable-hook.js';
import { namesIn } from '../portable/tool-spelling.js';
import {
  commandInProject,
  type GroupMatchers,
  type GroupWriting,
  ignoredMatcher,
  patternOfNames,
  unsettable,
  writeGroups,
} from './command-groups.js';
import type { HookMigration, ReadHook } from './hook-migration.js';
import { keyOfBothOutcomes, noEvent, type WrittenEvent } from './unsupported.js';

const agent = 'Codex';

const spelling: MatcherSpelling = {
  tools: { agent, table: codexTools, mcp: [{ start: 'mcp__', separator: '__' }] },
  values: { agent, words: { SessionStart: { compress: 'compact' } }, more: { SessionStart: ['fork'] } },
};

const writing: GroupWriting = {
  agent,
  fields: ['description', 'env', 'async', 'onError', 'recheck', 'mode'],
  spelling,
  keysOf,
  matchersOf,
  entryOf,
  lossesOf: ownLosses,
};

const contract: HookContract = {
  topics: {
    event: '`hook_event_name`: `PreToolUse`, `PostToolUse`, `UserPromptSubmit`, `Stop` …',
    session: '`session_id`, `cwd`',
    tool: '`tool_name` and `tool_input`: `Bash`, `apply_patch`, `mcp__server__tool`',
    file: 'in the patch, in `command` of `tool_input`',
    result: '`tool_response`; also after failed tools',
    deny: '`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"…"}}`, or exit code 2 with the reason on stderr',
    ask: 'not possible: Codex rejects the answer',
    permission: '`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"…"}}}`, or `allow`',
    rewrite: '`hookSpecificOutput.updatedInput` with `"permissionDecision":"allow"`, which replaces all arguments',
    feedback: 'the reason replaces the result',
    redact: '`{"decision":"block","reason":"…"}`: the reason is the new result',
    context: '`hookSpecificOutput.additionalContext`, with `hookEventName` next to it',
    prompt: '`{"decision":"block","reason":"…"}`, or exit code 2 with the reason on stderr',
    newPrompt: 'not possible',
    goOn: '`{"decision":"block","reason":"…"}`: the reason is the next prompt',
    stop: '`{"continue":false,"stopReason":"…"}`, not before a tool',
    user: '`systemMessage`, which the model does not read',
    text: 'context on `UserPromptSubmit`, `SessionStart` and `SubagentStart`; a failure on `Stop`; otherwise no effect',
    failure: 'the hook has failed, and its output is ignored',
    otherCode: 'the hook has failed',
    directory: 'the working directory of the event',
    project: 'the directory in which it runs',
    order: 'side by side',
    copies: 'runs twice',
  },
  blocks: ['BeforeTool', 'AfterTool', 'BeforeAgent', 'AfterAgent', 'PermissionRequest', 'SubagentStop'],
  redacts: ['AfterTool'],
  otherCodesDeny: false,
  decisions: ['block'],
  words: (
    'hook_event_name session_id transcript_path turn_id model permission_mode tool_name tool_input tool_response tool_use_id prompt ' +
    'stop_hook_active last_assistant_message agent_id agent_type agent_transcript_path source trigger decision reason continue ' +
    'stopReason suppressOutput systemMessage hookSpecificOutput hookEventName permissionDecision permissionDecisionReason ' +
    'updatedInput additionalContext behavior command PLUGIN_ROOT PLUGIN_DATA CLAUDE_PLUGIN_ROOT CLAUDE_PLUGIN_DATA'
  ).split(' '),
  tools: namesIn(codexTools),
};

export const codexMigration: HookMigration = {
  agent,
  read: (hooks) => hooks.map(readHook),
  write: (hooks) => writeGroups(hooks, writing),
  contract,
};

function readHook(hook: HookDefinition): ReadHook {
  const { eventName, timeoutMs, onError, description } = hook;
  const { runs, plugin, matcher } = codexHookData(hook);
  const read = readMatcher(patternOfNames(matcher, hook.matcher), eventName, spelling);
  if ('cannot' in read) return read;
  const { text, env, here } = runs.kind === 'command' ? withoutExports(runs.text) : { text: '', env: {}, here: [] };
  const command = here.reduce((shell, variable) => renamedVariable(shell, variable, projectVariable), text);
  const root = plugin === undefined ? {} : { PLUGIN_ROOT: plugin.root };
  return {
    eventName,
    matcher: read.matcher,
    action: runs.kind === 'command' ? { kind: 'command', text: command } : { kind: 'other', type: runs.type },
    ...(here.length === 0 ? {} : { projectVariables: here }),
    env: { ...env, ...root },
    timeoutMs: Math.round(timeoutMs),
    onError,
    ...(description === undefined ? {} : { description }),
    ...(hook.async ? { async: true as const } : {}),
    ...(hook.recheck === undefined ? {} : { recheck: hook.recheck }),
    ...modeOf(hook),
    losses: read.losses,
  };
}

function keysOf(hook: PortableHook): WrittenEvent {
  const key = eventOf(hook);
  if (key === undefined) return noEvent(hook.eventName, agent);
  return key === 'PostToolUse' ? keyOfBothOutcomes(key, hook, agent) : { keys: [key], losses: [] };
}

function eventOf({ eventName }: Pick<PortableHook, 'eventName'>): CodexEvent | undefined {
  return codexEventNames.find((name) => codexEventFacts(name).eventName === eventName);
}

/** Writes names as a list, e.g. `Bash|apply_patch`. If a name contains another character, writes one regular expression. */
function matchersOf(globs: readonly string[], hook: PortableHook): GroupMatchers {
  const event = eventOf(hook);
  if (event !== undefined && codexEventFacts(event).subject === undefined) return ignoredMatcher(agent, event);
  if (globs.every((glob) => /^\w+$/.test(glob))) return { matchers: [globs.join('|')], losses: [] };
  return { matchers: [`^(${globs.map(regexOfGlob).join('|')})$`], losses: [] };
}

function entryOf(hook: PortableHook): Readonly<Record<string, unknown>> {
  const { timeoutMs, onError, description } = hook;
  const timeoutS = Math.min(timeoutMs / 1000, maxTimeoutS(hook));
  return {
    type: 'command',
    command: commandInProject(hook),
    ...(timeoutS === Math.min(codexDefaultTimeoutS, maxTimeoutS(hook)) ? {} : { timeout: timeoutS }),
    ...(description === undefined ? {} : { statusMessage: description }),
    ...(hook.async ? { async: true } : {}),
    ...(onError === 'block' ? { onError } : {}),
    ...(hook.recheck === undefined ? {} : { recheck: hook.recheck }),
    ...(hook.mode === undefined ? {} : { mode: hook.mode }),
  };
}

function maxTimeoutS(hook: PortableHook): number {
  const event = eventOf(hook);
  return (event === undefined ? undefined : codexEventFacts(event).maxTimeoutS) ?? Number.POSITIVE_INFINITY;
}

function ownLosses(hook: PortableHook): HookLoss[] {
  const limit = maxTimeoutS(hook);
  return [
    ...unsettable(hook),
    ...(hook.timeoutMs > limit * 1000 ? [{ field: 'timeout' as const, message: `${agent} ends the hook after at most ${limit} s.` }] : []),
    { field: 'action', message: `${agent} runs the hook only after its user has reviewed it with /hooks.` },
  ];
}
