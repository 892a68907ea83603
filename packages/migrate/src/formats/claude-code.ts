import {
  type ClaudeEvent,
  type ClaudeRuns,
  claudeDefaultTimeoutS,
  claudeEventFacts,
  claudeEvents,
  claudeHookData,
  claudeMatches,
  claudeTools,
} from '@tenterhook/dialects/internal';
import type { HookDefinition } from '@tenterhook/protocol';
import type { HookContract } from '../contract.js';
import { topicsOf } from '../contract-topics.js';
import {
  type CommandVariables,
  isVariableName,
  portableCommand,
  projectVariable,
  shellWord,
  withExports,
  withoutExports,
} from '../portable/command-text.js';
import { globsOf, hasStar, regexOfGlob } from '../portable/globs.js';
import { type MatcherSpelling, readMatcher } from '../portable/matchers.js';
import type { HookLoss, PortableAction, PortableHook } from '../portable/portable-hook.js';
import type { PatternText } from '../portable/read-tools.js';
import { namesIn } from '../portable/tool-spelling.js';
import { commandOf, type GroupMatchers, type GroupWriting, writeGroups } from './command-groups.js';
import type { HookMigration, ReadHook } from './hook-migration.js';
import { noEvent, type WrittenEvent } from './unsupported.js';

const agent = 'Claude Code';
const names = Object.keys(claudeEvents) as ClaudeEvent[];

const projectDirVariable = 'CLAUDE_PROJECT_DIR';
const pluginRoot = 'CLAUDE_PLUGIN_ROOT';
const placeholder = /(\$\{(?:CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT)\})/;

const spelling: MatcherSpelling = {
  tools: { agent, table: claudeTools, mcp: [{ start: 'mcp__', separator: '__' }] },
  values: {
    agent,
    // Fields that hooks of Claude Code receive on stdin or print, and variables that they receive.
    words: {
      SessionStart: { compress: 'compact' },
      SessionEnd: { exit: 'other' },
      Notification: { ToolPermission: 'permission_prompt' },
    },
    more: {
      SessionStart: ['fork'],
      SessionEnd: ['resume'],
      Notification: ['idle_prompt', 'auth_success', 'elicitation_dialog', 'elicitation_complete', 'agent_needs_input', 'agent_completed'],
    },
  },
};

const writing: GroupWriting = {
  agent,
  fields: ['description', 'env', 'async', 'onError', 'recheck'],
  spelling,
  keysOf,
  matchersOf,
  entryOf,
  lossesOf: ownLosses,
};

const contract: HookContract = {
  topics: topicsOf('claude-code'),
  blocks: names.map(claudeEventFacts).flatMap(({ rejects, eventName }) => (rejects ? [eventName] : [])),
  redacts: [],
  otherCodesDeny: false,
  decisions: ['approve', 'block'],
  words: (
    'hook_event_name session_id transcript_path permission_mode tool_name tool_input tool_response tool_use_id prompt ' +
    'stop_hook_active last_assistant_message notification_type custom_instructions decision reason continue stopReason ' +
    'suppressOutput systemMessage hookSpecificOutput hookEventName permissionDecision permissionDecisionReason updatedInput ' +
    'updatedToolOutput updatedMCPToolOutput additionalContext file_path command CLAUDE_PLUGIN_ROOT CLAUDE_PLUGIN_DATA ' +
    'CLAUDE_ENV_FILE CLAUDE_CODE_REMOTE CLAUDE_CODE_SESSION_ID CLAUDE_EFFORT behavior CLAUDE_PROJECT_DIR'
  ).split(' '),
  tools: namesIn(claudeTools),
};

/** Converts hooks of Claude Code to and from portable form. */
export const claudeCodeMigration: HookMigration = {
  agent,
  read: (hooks) => hooks.map(readHook),
  write: (hooks) => writeGroups(hooks, writing),
  contract,
};

function readHook(hook: HookDefinition): ReadHook {
  const { eventName, timeoutMs, onError, description } = hook;
  const { event, condition } = claudeHookData(hook);
  const names = literalStars(hook);
  if (names !== undefined) return { cannot: names };
  const read = readMatcher(patternOf(hook), eventName, spelling);
  if ('cannot' in read) return read;
  const { action, ...command } = actionOf(hook);
  return {
    eventName,
    ...outcomeOf(event),
    matcher: read.matcher,
    ...(condition === undefined ? {} : { condition: condition.text }),
    action,
    ...command,
    // Rounded, because 1.001 s times 1000 is 1000.9999999999999.
    timeoutMs: Math.round(timeoutMs),
    onError,
    ...(description === undefined ? {} : { description }),
    ...(hook.async ? { async: true as const } : {}),
    ...(hook.once ? { once: true as const } : {}),
    ...(hook.recheck === undefined ? {} : { recheck: hook.recheck }),
    losses: [...read.losses, ...pluginLoss(command.env)],
  };
}

/** Returns a loss if the hook is from a plugin. Other formats have no variable for the directory of a plugin. */
function pluginLoss({ CLAUDE_PLUGIN_ROOT: root }: Readonly<Record<string, string>>): HookLoss[] {
  const message = `The directory of the plugin is written as a fixed path: ${root}.`;
  return root === undefined ? [] : [{ field: 'env', message }];
}

function outcomeOf(event: ClaudeEvent): Pick<PortableHook, 'outcome'> {
  if (event === 'PostToolUse') return { outcome: 'success' };
  return event === 'PostToolUseFailure' ? { outcome: 'failure' } : {};
}

/**
 * Returns why a matcher that lists names with `*` matches nothing: Claude Code compares such names literally. The matcher is not
 * converted into a pattern. Otherwise a hook that never runs in Claude Code would run in the other agent.
 */
function literalStars(hook: HookDefinition): string | undefined {
  const { matcher, event } = claudeHookData(hook);
  const stars = matcher.kind === 'names' ? matcher.names.filter(hasStar) : [];
  if (stars.length === 0) return undefined;
  const said = stars.map((name) => JSON.stringify(name)).join(', ');
  const list = `Its matcher ${JSON.stringify(hook.matcher)} is a list of names, not a pattern`;
  return `${list}: on ${event}, ${agent} compares ${said} literally. Write the names, or no matcher for all of them.`;
}

function patternOf(hook: HookDefinition): PatternText | undefined {
  const { matcher } = claudeHookData(hook);
  const { matcher: text = '' } = hook;
  if (matcher.kind === 'all') return undefined;
  const globs = matcher.kind === 'names' ? matcher.names : globsOf(text, false);
  return { text, globs, fits: (name) => claudeMatches(matcher, name) };
}

function actionOf(hook: HookDefinition): { readonly action: PortableAction } & Omit<CommandText, 'text'> {
  const { runs, plugin } = claudeHookData(hook);
  if (runs.kind === 'host') return { action: { kind: 'other', type: runs.type }, env: {} };
  if (runs.kind === 'http') return { action: { kind: 'other', type: 'http' }, env: {} };
  if (runs.command.kind === 'program' && hook.action.kind === 'command' && hook.action.args === undefined) {
    return { action: { kind: 'other', type: 'command for PowerShell' }, env: {} };
  }
  const { text, env: own, here } = runs.command.kind === 'shell' ? withoutExports(runs.command.text) : { text: '', env: {}, here: [] };
  // `here` are variables that the command sets to its working directory. No agent has a setting for them, so their assignments stay in
  // the command.
  const isPlain = here.length === 0;
  const command = isPlain && runs.command.kind === 'shell' ? { kind: 'shell' as const, text } : runs.command;
  const { text: portable, env, ...known } = commandText(command, plugin?.root);
  return { action: { kind: 'command', text: portable }, env: { ...(isPlain ? own : {}), ...env }, ...known };
}

function keysOf({ eventName, outcome }: PortableHook): WrittenEvent {
  const keys = names.filter((name) => claudeEvents[name].eventName === eventName);
  if (keys.length === 0) return noEvent(eventName, agent);
  return { keys: keys.filter((key) => outcome === undefined || outcomeOf(key).outcome === outcome), losses: [] };
}

/** Writes names as a list, or as one regular expression if a name contains `*`. */
function matchersOf(globs: readonly string[], { eventName }: PortableHook): GroupMatchers {
  const isList = names.some((name) => claudeEvents[name].eventName === eventName && claudeEventFacts(name).isList === true);
  if (isList || globs.every((glob) => /^[\w -]+$/.test(glob))) return { matchers: [globs.join('|')], losses: [] };
  const texts = globs.map(regexOfGlob);
  // All tools of a server are written as in Claude Code's documentation: `mcp__server__.*`. No `^` is needed, because no other name
  // contains the prefix.
  const isServer = texts.length === 1 && globs.every((glob) => glob.startsWith('mcp__') && hasStar(glob));
  return { matchers: [isServer ? (texts[0] as string) : `^(${texts.join('|')})$`], losses: [] };
}

function entryOf(hook: PortableHook): Readonly<Record<string, unknown>> {
  const { eventName, timeoutMs, env, onError, description } = hook;
  const event = names.find((name) => claudeEvents[name].eventName === eventName) as ClaudeEvent;
  const settable = Object.fromEntries(Object.entries(env).filter(([name]) => isVariableName(name)));
  return {
    type: 'command',
    command: withExports(commandOf(hook, projectDirVariable), settable),
    ...(timeoutMs === claudeDefaultTimeoutS('command', event) * 1000 ? {} : { timeout: timeoutMs / 1000 }),
    ...(description === undefined ? {} : { statusMessage: description }),
    ...(hook.async ? { async: true } : {}),
    ...(onError === 'block' ? { onFailure: onError } : {}),
    ...(hook.recheck === undefined ? {} : { recheck: hook.recheck }),
  };
}

function ownLosses({ eventName, env, onError, async }: PortableHook): HookLoss[] {
  const bad = Object.keys(env).filter((name) => !isVariableName(name));
  const ignoring = names.filter((name) => claudeEvents[name].eventName === eventName && claudeEventFacts(name).ignoresFailures === true);
  const where = async ? 'an asynchronous hook' : ignoring.join(', ');
  const message = `A failure of the hook no longer blocks: on ${where} "onFailure" has no effect.`;
  return [
    ...(bad.length === 0 ? [] : [{ field: 'env' as const, message: `A shell cannot set ${bad.join(', ')}.` }]),
    ...(onError === 'block' && where !== '' ? [{ field: 'onError' as const, message }] : []),
  ];
}

/** The text of a command in portable form. */
interface CommandText extends CommandVariables {
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Converts a command into portable text. `root` is the directory of the plugin. Only Claude Code sets a variable for this directory, so
 * the portable hook sets the variable itself.
 */
function commandText(command: Extract<ClaudeRuns, { kind: 'command' }>['command'], root: string | undefined): CommandText {
  const text = command.kind === 'shell' ? command.text : [command.file, ...command.args].map(wordWithPlaceholders).join(' ');
  const isOfPlugin = root !== undefined && new RegExp(`\\b${pluginRoot}\\b`).test(text);
  return { ...portableCommand(text, [projectDirVariable, projectVariable]), env: isOfPlugin ? { [pluginRoot]: root } : {} };
}

/**
 * Converts an argument of a command without a shell into a word for a shell. `${NAME}` in it is put in double quotes, so that the shell
 * does not split its value.
 */
function wordWithPlaceholders(word: string): string {
  const parts = word.split(placeholder).filter((part) => part !== '');
  return parts.length === 0 ? "''" : parts.map((part) => (placeholder.test(part) ? `"${part}"` : shellWord(part))).join('');
}
