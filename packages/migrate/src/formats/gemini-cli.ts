import {
  type GeminiMatcher,
  geminiDefaultTimeoutMs,
  geminiEvent,
  geminiHookData,
  geminiMatches,
  isGeminiEvent,
} from '@tenterhook/dialects/internal';
import { canonicalTools } from '@tenterhook/dialects/parts';
import type { HookDefinition } from '@tenterhook/protocol';
import type { HookContract } from '../contract.js';
import { projectVariable, quotedVariables } from '../portable/command-text.js';
import { globsOf } from '../portable/globs.js';
import { canonicalSpelling, readMatcher } from '../portable/matchers.js';
import type { PortableHook } from '../portable/portable-hook.js';
import type { PatternText } from '../portable/read-tools.js';
import { namesIn } from '../portable/tool-spelling.js';
import { commandEntry, type GroupMatchers, type GroupWriting, readCommandHook, wholeNames, writeGroups } from './command-groups.js';
import type { HookMigration, ReadHook } from './hook-migration.js';
import { keyOfBothOutcomes, noEvent, type WrittenEvent } from './unsupported.js';

const agent = 'Gemini CLI';

const projectVariables = ['GEMINI_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'];

const spelling = canonicalSpelling(agent);

const writing: GroupWriting = {
  agent,
  fields: ['name', 'description', 'env', 'sequential', 'onError', 'recheck', 'mode'],
  spelling,
  keysOf,
  matchersOf,
  entryOf: (hook) => commandEntry(hook, 'GEMINI_PROJECT_DIR', geminiDefaultTimeoutMs),
};

const contract: HookContract = {
  topics: {
    event: '`hook_event_name`: `BeforeTool`, `AfterTool`, `BeforeAgent`, `AfterAgent` …',
    session: '`session_id`, `cwd`',
    tool: '`tool_name` and `tool_input`: `run_shell_command`, `write_file`, `replace`, `mcp_server_tool`',
    file: '`file_path` or `absolute_path` of `tool_input`',
    result: '`tool_response`: `llmContent`, `returnDisplay`, `error`; also after failed tools',
    deny: '`{"decision":"deny","reason":"…"}`, or exit code 2',
    ask: '`{"decision":"ask"}`',
    permission: 'not supported: there is no such event',
    rewrite: '`hookSpecificOutput.tool_input`, merged into the arguments',
    feedback: 'the reason replaces the result',
    redact: '`{"decision":"deny","reason":"…"}`: the reason is the new result',
    context: '`hookSpecificOutput.additionalContext`',
    prompt: '`{"decision":"deny"}`, or exit code 2',
    newPrompt: 'not possible',
    goOn: '`{"decision":"deny","reason":"…"}`: the reason is the next prompt',
    stop: '`{"continue":false,"stopReason":"…"}`',
    user: '`systemMessage`, which the model reads too',
    text: 'a `systemMessage`; JSON on stderr is read if stdout is blank',
    failure: 'the JSON is read, both deny and allow',
    otherCode: 'JSON is read; text denies; no output is a failure',
    directory: 'the working directory of the event',
    project: '`$GEMINI_PROJECT_DIR`, `$CLAUDE_PROJECT_DIR`',
    order: 'side by side, or in a chain if a group is `sequential`',
    copies: 'runs once, unless its name differs',
  },
  blocks: ['BeforeTool', 'AfterTool', 'BeforeAgent', 'AfterAgent', 'BeforeModel', 'AfterModel'],
  redacts: ['AfterTool'],
  otherCodesDeny: true,
  decisions: ['allow', 'approve', 'ask', 'block', 'deny'],
  words: (
    'hook_event_name session_id transcript_path timestamp tool_name tool_input tool_response llmContent returnDisplay mcp_context ' +
    'original_request_name prompt prompt_response stop_hook_active llm_request llm_response notification_type decision reason ' +
    'continue stopReason suppressOutput systemMessage hookSpecificOutput hookEventName additionalContext tailToolCallRequest ' +
    'clearContext toolConfig file_path absolute_path dir_path command GEMINI_CWD GEMINI_PLANS_DIR GEMINI_SESSION_ID ' +
    'GEMINI_PROJECT_DIR CLAUDE_PROJECT_DIR'
  ).split(' '),
  tools: namesIn(canonicalTools),
};

export const geminiCliMigration: HookMigration = {
  agent,
  read: (hooks) => hooks.map(readHook),
  write: (hooks) => writeGroups(hooks, writing),
  contract,
};

function readHook(hook: HookDefinition): ReadHook {
  const pattern = patternOf(geminiHookData(hook).matcher);
  const read = readCommandHook(hook, readMatcher(pattern, hook.eventName, spelling), projectVariables);
  return 'cannot' in read ? read : withQuotes(read);
}

/**
 * Puts the variables of a command in quotes. Gemini CLI replaces these variables by a path in quotes. In other agents the shell
 * replaces them, and without quotes it would split a path at spaces.
 */
function withQuotes(hook: PortableHook): PortableHook {
  const { action, projectVariables: own, losses } = hook;
  if (action.kind !== 'command' || own === undefined) return hook;
  const text = quotedVariables(action.text, [projectVariable]);
  if (text !== undefined) return { ...hook, action: { kind: 'command', text } };
  const names = own.map((name) => `$${name}`).join(', ');
  const message = `${agent} inserts the value of ${names} as one word. In other agents the shell splits the value at white space. Write the variable in quotes.`;
  return { ...hook, losses: [...losses, { field: 'action', message }] };
}

function patternOf(matcher: GeminiMatcher): PatternText | undefined {
  if (matcher.kind === 'all') return undefined;
  const { text } = matcher;
  return { text, globs: matcher.kind === 'regex' ? globsOf(text, false) : [text], fits: (name) => geminiMatches(matcher, name) };
}

function keysOf(hook: PortableHook): WrittenEvent {
  const { eventName } = hook;
  if (!isGeminiEvent(eventName)) return noEvent(eventName, agent);
  return eventName === 'AfterTool' ? keyOfBothOutcomes(eventName, hook, agent) : { keys: [eventName], losses: [] };
}

/** Writes a separate group for each value. On these events Gemini CLI compares a matcher such as `a|b` as literal text. */
function matchersOf(globs: readonly string[], { eventName }: PortableHook): GroupMatchers {
  const { subject } = geminiEvent(eventName);
  if (subject === 'tool_name') return wholeNames(globs);
  if (subject !== undefined) return { matchers: globs, losses: [] };
  const message = `${agent} ignores matchers on ${eventName}: the hook runs every time.`;
  return { matchers: [undefined], losses: [{ field: 'matcher', message }] };
}
