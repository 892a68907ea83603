import {
  type ClaudeEvent,
  type ClaudeRuns,
  claudeDefaultTimeoutS,
  claudeEventFacts,
  claudeEvents,
  claudeHookData,
  claudeTools,
} from '@tenterhook/dialects/internal';
import type { HookDefinition } from '@tenterhook/protocol';
import type { HookContract } from '../contract.js';
import {
  type CommandVariables,
  isVariableName,
  portableCommand,
  projectVariable,
  shellWord,
  withExports,
  withoutExports,
} from '../portable/command-text.js';
import { hasStar, regexOfGlob } from '../portable/globs.js';
import { type MatcherSpelling, readMatcher } from '../portable/matchers.js';
import { type HookLoss, modeOf, type PortableAction, type PortableHook } from '../portable/portable-hook.js';
import { namesIn } from '../portable/tool-spelling.js';
import { commandOf, type GroupMatchers, type GroupWriting, patternOfNames, unsettable, writeGroups } from './command-groups.js';
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
    tool: '`tool_name` and `tool_input`: `Bash`, `Write`, `Edit`, `mcp__server__tool`',
    file: '`file_path` of `tool_input`, absolute',
    result: '`tool_response`; `error` on `PostToolUseFailure`, which is a separate event',
    deny: '`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"…"}}`, or exit code 2',
    ask: '`hookSpecificOutput.permissionDecision`: `ask`; `defer` leaves it to the agent',
    permission: '`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"…"}}}`, or `allow`',
    rewrite: '`hookSpecificOutput.updatedInput`, which replaces all arguments',
    feedback: 'the result stays, and the model reads the reason after it',
    redact: '`hookSpecificOutput.updatedToolOutput`',
    context: '`hookSpecificOutput.additionalContext`, with `hookEventName` next to it',
    prompt: '`{"decision":"block","reason":"…"}`, or exit code 2',
    newPrompt: 'not possible',
    goOn: '`{"decision":"block","reason":"…"}`: the reason is the next prompt',
    stop: '`{"continue":false,"stopReason":"…"}`',
    user: '`systemMessage`, which the model does not read',
    text: 'context on `UserPromptSubmit` and `SessionStart`, otherwise shown to the user',
    failure: 'the JSON is read, both deny and allow',
    otherCode: 'JSON is read; otherwise the hook has failed',
    directory: 'the working directory of the session',
    project: '`$CLAUDE_PROJECT_DIR`',
    order: 'side by side',
    copies: 'runs once',
  },
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

export const claudeCodeMigration: HookMigration = {
  agent,
  read: (hooks) => hooks.map(readHook),
  write: (hooks) => writeGroups(hooks, writing),
  contract,
};

function readHook(hook: HookDefinition): ReadHook {
  const { eventName, timeoutMs, onError, description } = hook;
  const { event, condition, matcher } = claudeHookData(hook);
  const names = literalStars(hook);
  if (names !== undefined) return { cannot: names };
  const read = readMatcher(patternOfNames(matcher, hook.matcher), eventName, spelling);
  if ('cannot' in read) return read;
  const { action, ...command } = actionOf(hook);
  return {
    eventName,
    ...outcomeOf(event),
    matcher: read.matcher,
    ...(condition === undefined ? {} : { condition: condition.text }),
    action,
    ...command,
    // Rounded, because in JavaScript 1.001 s times 1000 is 1000.9999999999999 ms.
    timeoutMs: Math.round(timeoutMs),
    onError,
    ...(description === undefined ? {} : { description }),
    ...(hook.async ? { async: true as const } : {}),
    ...(hook.once ? { once: true as const } : {}),
    ...(hook.recheck === undefined ? {} : { recheck: hook.recheck }),
    ...modeOf(hook),
    losses: [...read.losses, ...pluginLoss(command.env)],
  };
}

/** Other formats have no variable for the directory of a plugin, so its path is written into the command. */
function pluginLoss({ CLAUDE_PLUGIN_ROOT: root }: Readonly<Record<string, string>>): HookLoss[] {
  const message = `The directory of the plugin is written as a fixed path: ${root}.`;
  return root === undefined ? [] : [{ field: 'env', message }];
}

function outcomeOf(event: ClaudeEvent): Pick<PortableHook, 'outcome'> {
  if (event === 'PostToolUse') return { outcome: 'success' };
  return event === 'PostToolUseFailure' ? { outcome: 'failure' } : {};
}

/**
 * If the matcher is a list of names and a name contains `*`, returns why that name matches nothing: Claude Code compares the names
 * literally. Converting the `*` into a pattern was rejected: a hook that never runs in Claude Code would then run in the other
 * agent.
 */
function literalStars(hook: HookDefinition): string | undefined {
  const { matcher, event } = claudeHookData(hook);
  const stars = matcher.kind === 'names' ? matcher.names.filter(hasStar) : [];
  if (stars.length === 0) return undefined;
  const said = stars.map((name) => JSON.stringify(name)).join(', ');
  const list = `Its matcher ${JSON.stringify(hook.matcher)} is a list of names, not a pattern`;
  return `${list}: on ${event}, ${agent} compares ${said} literally. Write the names, or no matcher for all of them.`;
}

function actionOf(hook: HookDefinition): { readonly action: PortableAction } & Omit<CommandText, 'text'> {
  const { runs, plugin } = claudeHookData(hook);
  if (runs.kind === 'host') return { action: { kind: 'other', type: runs.type }, env: {} };
  if (runs.kind === 'http') return { action: { kind: 'other', type: 'http' }, env: {} };
  if (runs.command.kind === 'program' && hook.action.kind === 'command' && hook.action.args === undefined) {
    return { action: { kind: 'other', type: 'command for PowerShell' }, env: {} };
  }
  const { text, env: own, here } = runs.command.kind === 'shell' ? withoutExports(runs.command.text) : { text: '', env: {}, here: [] };
  // `here` lists the variables that the command sets to its working directory. No agent has a setting for this, so these
  // assignments stay in the command.
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

/** Writes names as a list, e.g. `Read|Write`. If a name contains `*`, it writes one regular expression. */
function matchersOf(globs: readonly string[], { eventName }: PortableHook): GroupMatchers {
  const isList = names.some((name) => claudeEvents[name].eventName === eventName && claudeEventFacts(name).isList === true);
  if (isList || globs.every((glob) => /^[\w -]+$/.test(glob))) return { matchers: [globs.join('|')], losses: [] };
  const texts = globs.map(regexOfGlob);
  // All tools of a server are written as in Claude Code's documentation: `mcp__server__.*`. A `^` is not needed, because only names
  // of this server contain the prefix.
  const isServer = texts.length === 1 && globs.every((glob) => glob.startsWith('mcp__') && glob.endsWith('*'));
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
    ...(hook.mode === undefined || isCold(hook) ? {} : { mode: hook.mode }),
  };
}

/** Whether the hook receives a file of its event, so that one process cannot answer many events. */
function isCold({ eventName }: PortableHook): boolean {
  return names.some((name) => claudeEvents[name].eventName === eventName && claudeEventFacts(name).givesEnvFile === true);
}

function ownLosses(hook: PortableHook): HookLoss[] {
  const { eventName, onError, async } = hook;
  const ignoring = names.filter((name) => claudeEvents[name].eventName === eventName && claudeEventFacts(name).ignoresFailures === true);
  const where = async ? 'an asynchronous hook' : ignoring.join(', ');
  const message = `A failure of the hook no longer blocks: on ${where} "onFailure" has no effect.`;
  return [
    ...unsettable(hook),
    ...(hook.mode !== undefined && isCold(hook)
      ? [
          {
            field: 'mode' as const,
            message: `Each event has a process of its own: on ${eventName}, CLAUDE_ENV_FILE is another file each time.`,
          },
        ]
      : []),
    ...(onError === 'block' && where !== '' ? [{ field: 'onError' as const, message }] : []),
  ];
}

interface CommandText extends CommandVariables {
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Converts a command into portable text. `root` is the directory of the plugin. Other agents set no variable for it, so the
 * portable hook sets the variable itself.
 */
function commandText(command: Extract<ClaudeRuns, { kind: 'command' }>['command'], root: string | undefined): CommandText {
  const text = command.kind === 'shell' ? command.text : [command.file, ...command.args].map(wordWithPlaceholders).join(' ');
  const isOfPlugin = root !== undefined && new RegExp(`\\b${pluginRoot}\\b`).test(text);
  return { ...portableCommand(text, [projectDirVariable, projectVariable]), env: isOfPlugin ? { [pluginRoot]: root } : {} };
}

/**
 * Converts an argument of a command without a shell into a word for a shell. Each `${NAME}` is put in double quotes, so that the
 * shell does not split its value.
 */
function wordWithPlaceholders(word: string): string {
  const parts = word.split(placeholder).filter((part) => part !== '');
  return parts.length === 0 ? "''" : parts.map((part) => (placeholder.test(part) ? `"${part}"` : shellWord(part))).join('');
}
