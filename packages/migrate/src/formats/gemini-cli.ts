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
import { topicsOf } from '../contract-topics.js';
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

/** The variables that Gemini CLI sets to the project directory. */
const projectVariables = ['GEMINI_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'];

const spelling = canonicalSpelling(agent);

const writing: GroupWriting = {
  agent,
  fields: ['name', 'description', 'env', 'sequential', 'onError', 'recheck'],
  spelling,
  keysOf,
  matchersOf,
  entryOf: (hook) => commandEntry(hook, 'GEMINI_PROJECT_DIR', geminiDefaultTimeoutMs),
};

const contract: HookContract = {
  topics: topicsOf('gemini-cli'),
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

/** Converts hooks of Gemini CLI to and from portable form. */
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
 * Puts the variables of a command in quotes. Gemini CLI replaces these variables by a path in quotes. In other agents the shell replaces
 * the variables, and without quotes it would split a path at its spaces.
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

/** Writes a separate group for each value, because Gemini CLI would compare `a|b` as one literal text. */
function matchersOf(globs: readonly string[], { eventName }: PortableHook): GroupMatchers {
  const { subject } = geminiEvent(eventName);
  if (subject === 'tool_name') return wholeNames(globs);
  if (subject !== undefined) return { matchers: globs, losses: [] };
  const message = `${agent} ignores matchers on ${eventName}: the hook runs every time.`;
  return { matchers: [undefined], losses: [{ field: 'matcher', message }] };
}
