import { commandHookData, type LlxprtMatcher, llxprtDefaultTimeoutMs, llxprtEvents } from '@tenterhook/dialects/internal';
import { canonicalTools } from '@tenterhook/dialects/parts';
import { eventEntry, type HookDefinition, type HookEventName, hookEventNames } from '@tenterhook/protocol';
import type { HookContract } from '../contract.js';
import { globsOf, regexOfGlob } from '../portable/globs.js';
import { canonicalSpelling, readMatcher } from '../portable/matchers.js';
import type { PortableHook } from '../portable/portable-hook.js';
import type { PatternText } from '../portable/read-tools.js';
import { namesIn } from '../portable/tool-spelling.js';
import { commandEntry, type GroupMatchers, type GroupWriting, readCommandHook, wholeNames, writeGroups } from './command-groups.js';
import type { HookMigration, ReadHook } from './hook-migration.js';
import { keyOfBothOutcomes, type WrittenEvent } from './unsupported.js';

const agent = 'LLxprt Code';

/** Decision 30: LLxprt sets all of them to the project directory. */
const projectVariables = ['LLXPRT_PROJECT_DIR', 'GEMINI_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'];

const spelling = canonicalSpelling(agent);

const writing: GroupWriting = {
  agent,
  fields: ['name', 'description', 'env', 'sequential', 'onError', 'recheck', 'mode'],
  spelling,
  keysOf,
  matchersOf: (globs, { eventName }) => (eventName === 'FileChanged' ? writeFileNames(globs) : wholeNames(globs)),
  entryOf: (hook) => commandEntry(hook, 'LLXPRT_PROJECT_DIR', llxprtDefaultTimeoutMs),
};

const contract: HookContract = {
  topics: {
    event: '`hook_event_name`: `BeforeTool`, `AfterTool`, `BeforeAgent`, `AfterAgent` …',
    session: '`session_id`, `cwd`',
    tool: '`tool_name` and `tool_input`: `run_shell_command`, `write_file`, `replace`, `mcp_server_tool`',
    file: '`path`, `file_path` or `absolute_path` of `tool_input`',
    result: '`tool_response`: `llmContent`, `returnDisplay`, `error`; also after failed tools',
    deny: '`{"decision":"deny","reason":"…"}`, or exit code 2',
    ask: '`{"decision":"ask"}`',
    permission: '`{"decision":"deny","reason":"…"}`, or `allow`',
    rewrite: '`hookSpecificOutput.tool_input`, merged into the arguments',
    feedback: 'the result stays, and the model reads the reason after it',
    redact: 'not possible',
    context: '`hookSpecificOutput.additionalContext`',
    prompt: '`{"decision":"deny"}`, or exit code 2',
    newPrompt: 'not possible',
    goOn: '`{"decision":"deny","reason":"…"}`: the reason is the next prompt',
    stop: '`{"continue":false,"stopReason":"…"}`',
    user: '`systemMessage`, which the model reads too',
    text: 'a `systemMessage`',
    failure: 'the hook has failed, and its output is ignored',
    otherCode: 'the hook has failed',
    directory: 'the working directory of the event',
    project: '`$LLXPRT_PROJECT_DIR`, `$GEMINI_PROJECT_DIR`, `$CLAUDE_PROJECT_DIR`',
    order: 'side by side, or in a chain if a group is `sequential`',
    copies: 'runs once, unless its name or its environment differs',
  },
  blocks: hookEventNames.filter((eventName) => eventEntry(eventName).may.block !== false),
  redacts: [],
  otherCodesDeny: false,
  decisions: ['allow', 'approve', 'ask', 'block', 'deny'],
  words: (
    'hook_event_name session_id transcript_path timestamp tool_name tool_input tool_response llmContent returnDisplay mcp_context ' +
    'prompt prompt_response stop_hook_active llm_request llm_response notification_type decision reason continue stopReason ' +
    'suppressOutput systemMessage hookSpecificOutput hookEventName permissionDecision permissionDecisionReason additionalContext ' +
    'toolConfig path file_path absolute_path dir_path command LLXPRT_PROJECT_DIR GEMINI_PROJECT_DIR CLAUDE_PROJECT_DIR'
  ).split(' '),
  tools: namesIn(canonicalTools),
};

export const llxprtMigration: HookMigration = {
  agent,
  read: (hooks) => hooks.map(readHook),
  write: (hooks) => writeGroups(hooks, writing),
  switch: { path: ['tools', 'enableHooks'], value: true },
  contract,
};

function readHook(hook: HookDefinition): ReadHook {
  const pattern = patternOf(commandHookData<LlxprtMatcher>(hook).matcher, hook.eventName);
  return readCommandHook(hook, readMatcher(pattern, hook.eventName, spelling), projectVariables);
}

function patternOf(matcher: LlxprtMatcher, eventName: HookEventName): PatternText | undefined {
  if (matcher.kind === 'all') return undefined;
  const { kind, text, test } = matcher;
  const globs = kind === 'regex' ? globsOf(text, false) : text.includes('?') ? undefined : text.split('|');
  return { text, globs: globs !== undefined && eventName === 'FileChanged' ? readFileNames(globs) : globs, fits: test };
}

function keysOf(hook: PortableHook): WrittenEvent {
  const { eventName } = hook;
  if (eventName === 'AfterTool') return keyOfBothOutcomes(eventName, hook, agent);
  if (llxprtEvents.includes(eventName)) return { keys: [eventName], losses: [] };
  const message = `${agent} itself never fires ${eventName}. The hook runs only in agents that fire this event for hooks of the format.`;
  return { keys: [eventName], losses: [{ field: 'event', message }] };
}

/** Matches everything before the file name in a path. */
const folders = '(.*/|.*\\\\)?';

/** Writes file names or whole paths as a matcher. LLxprt compares the matcher with the path. */
function writeFileNames(globs: readonly string[]): GroupMatchers {
  return { matchers: [`^${folders}(${globs.map(regexOfGlob).join('|')})$`], losses: [] };
}

/** Reads a matcher of file names. A name without a folder matches in every folder, so a leading `*` with its slash is removed. */
function readFileNames(globs: readonly string[]): readonly string[] {
  return [...new Set(globs.map((glob) => /^\*[/\\]([^/\\*]+)$/.exec(glob)?.[1] ?? glob))];
}
