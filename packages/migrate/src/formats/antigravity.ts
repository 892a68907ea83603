import {
  type AntigravityEvent,
  antigravityDefaultTimeoutS,
  antigravityEventFacts,
  antigravityEventNames,
  antigravityHookData,
  antigravityTools,
  antigravityMcpTool as mcpTool,
} from '@tenterhook/dialects/internal';
import type { HookDefinition } from '@tenterhook/protocol';
import type { HookContract } from '../contract.js';
import { portableCommand, projectVariable, renamedVariable, shellWord, withoutExports } from '../portable/command-text.js';
import { type MatcherSpelling, readMatcher, writeMatcher } from '../portable/matchers.js';
import { type HookLoss, modeOf, type PortableHook } from '../portable/portable-hook.js';
import type { PatternText } from '../portable/read-tools.js';
import { namesIn } from '../portable/tool-spelling.js';
import { commandInProject, ignoredMatcher, patternOfNames, unsettable, wholeNames } from './command-groups.js';
import type { HookMigration, MigrationContext, ReadHook, WrittenHook } from './hook-migration.js';
import { keyOfBothOutcomes, lossesOf, noEvent, refusalOf, type Sayable, type WrittenEvent } from './unsupported.js';

const agent = 'Antigravity';
/** The named group of hooks without a name. */
const groupOfOthers = 'migrated';

const sayable: Sayable = { agent, fields: ['name', 'env', 'onError', 'recheck', 'mode', 'sequential'] };

const spelling: MatcherSpelling = {
  tools: { agent, table: antigravityTools, mcp: [{ start: 'mcp__', separator: '__' }] },
  values: { agent, words: {} },
};

const contract: HookContract = {
  topics: {
    event: 'not on stdin',
    session: '`conversationId`, `workspacePaths`',
    tool: '`toolCall` with `name` and `args`: `run_command`, `write_to_file`; `call_mcp_tool` for tools of MCP servers',
    file: '`TargetFile` or `AbsolutePath` of `toolCall.args`, absolute',
    result: 'only `error`, which is empty if the tool succeeded',
    deny: '`{"decision":"deny","reason":"…"}`, or any exit code except 0',
    ask: '`decision`: `ask` or `force_ask`',
    permission: 'not supported: there is no such event',
    rewrite: '`overwrite` next to `"decision":"allow"`, which replaces all arguments',
    feedback: 'not possible',
    redact: 'not possible',
    context: '`injectSteps` on `PreInvocation` and `SessionStart`',
    prompt: 'not possible',
    newPrompt: 'not possible',
    goOn: '`{"decision":"continue","reason":"…"}`',
    stop: '`{"terminationBehavior":"terminate"}` on `PostInvocation`',
    user: 'not possible',
    text: 'a deny before a tool, otherwise no effect',
    failure: 'a deny before a tool; otherwise the hook has failed',
    otherCode: 'a deny before a tool; otherwise the hook has failed',
    directory: "the project; for hooks of the user the folder of the user's settings",
    project: 'no variable',
    order: 'one after another',
    copies: 'runs twice',
  },
  blocks: ['BeforeTool', 'AfterAgent'],
  redacts: [],
  otherCodesDeny: false,
  decisions: ['allow', 'ask', 'continue', 'deny'],
  words: (
    'conversationId workspacePaths transcriptPath artifactDirectoryPath modelName toolCall args stepIdx error invocationNum ' +
    'initialNumSteps executionNum terminationReason fullyIdle decision reason overwrite permissionOverrides injectSteps userMessage ' +
    'ephemeralMessage terminationBehavior CommandLine TargetFile AbsolutePath CodeContent TargetContent ReplacementContent ' +
    'ANTIGRAVITY_CONVERSATION_ID'
  ).split(' '),
  tools: namesIn(antigravityTools),
};

export const antigravityMigration: HookMigration = {
  agent,
  read: (hooks, context) => hooks.map((hook) => readHook(hook, context)),
  write: (hooks) => hooks.map((hook) => writeHook(hook, hooks)),
  contract,
};

function readHook(hook: HookDefinition, { projectDir }: MigrationContext): ReadHook {
  const { eventName, timeoutMs, onError, cwd, action, name } = hook;
  const { matcher } = antigravityHookData(hook);
  const read = readMatcher(withServers(patternOfNames(matcher, hook.matcher)), eventName, spelling);
  if ('cannot' in read) return read;
  const { text, env, here } = withoutExports(action.kind === 'command' ? action.command : '');
  const named = here.reduce((shell, variable) => renamedVariable(shell, variable, projectVariable), text);
  const there = cwd === undefined || cwd === projectDir ? named : `cd ${shellWord(cwd)} && ${named}`;
  const { text: portable, ...known } = portableCommand(there, [projectVariable]);
  return {
    eventName,
    matcher: read.matcher,
    action: { kind: 'command', text: portable },
    ...known,
    ...(here.length === 0 ? {} : { projectVariables: here }),
    env,
    ...(name === undefined || name === groupOfOthers ? {} : { name }),
    timeoutMs: Math.round(timeoutMs),
    onError,
    sequential: true,
    ...(hook.recheck === undefined ? {} : { recheck: hook.recheck }),
    ...modeOf(hook),
    losses: [...read.losses, ...failureLosses(hook), ...newSessionLosses(hook)],
  };
}

/** A matcher that fits the tool with which Antigravity calls MCP servers is for all of their tools. */
function withServers(pattern: PatternText | undefined): PatternText | undefined {
  if (pattern === undefined || !pattern.fits(mcpTool) || pattern.globs?.includes('*') === true) return pattern;
  const { globs } = pattern;
  return {
    ...pattern,
    globs: globs === undefined ? undefined : [...globs.filter((glob) => glob !== mcpTool), 'mcp__*__*'],
    fits: (name) => pattern.fits(name) || name.startsWith('mcp__'),
  };
}

function failureLosses({ eventName, onError }: HookDefinition): HookLoss[] {
  if (eventName !== 'BeforeTool' || onError === 'block') return [];
  const message =
    'In Antigravity a call is denied if the hook fails, times out, or prints anything but a valid answer. Elsewhere set the field with which a failure denies.';
  return [{ field: 'onError', message }];
}

function newSessionLosses({ eventName }: HookDefinition): HookLoss[] {
  if (eventName !== 'SessionStart') return [];
  return [{ field: 'event', message: `${agent} runs the hook only for new conversations. Elsewhere it also runs when one is resumed.` }];
}

function writeHook(hook: PortableHook, all: readonly PortableHook[]): WrittenHook {
  const refusal = refusalOf(hook, sayable);
  if (refusal !== undefined) return { cannot: refusal };
  const event = eventOf(hook);
  if (event === undefined) return noEvent(hook.eventName, agent);
  const key = keyOf(event, hook);
  if ('cannot' in key) return key;
  const isMatched = antigravityEventFacts(event).ofTool === true;
  const written = isMatched ? writeMatcher(hook, spelling) : { globs: undefined, losses: [] };
  if ('cannot' in written) return written;
  const widened = !isMatched && hook.matcher.kind !== 'everything' ? ignoredMatcher(agent, event).losses : [];
  const { globs, losses: ofServers } = throughMcpTool(written.globs);
  const { matchers, losses } = globs === undefined ? { matchers: [undefined], losses: [] } : wholeNames(globs);
  const at = [hook.name ?? groupOfOthers, event];
  const entry = entryOf(hook);
  const others = all.filter((other) => other !== hook && other.eventName === hook.eventName).length;
  return {
    additions: isMatched
      ? matchers.map((matcher) => ({ at, value: { ...(matcher === undefined ? {} : { matcher }), hooks: [entry] }, joins: 'hooks' }))
      : [{ at, value: entry }],
    losses: [
      ...key.losses,
      ...written.losses,
      ...ofServers,
      ...losses,
      ...widened,
      ...sessionLosses(hook),
      ...answerLosses(hook),
      ...lossesOf(hook, sayable, others),
      ...unsettable(hook),
    ],
  };
}

/**
 * Replaces the names of tools of MCP servers by that of the tool with which Antigravity calls all of them. Tenterhook knows the other names
 * too, but in Antigravity itself the hook would never run.
 */
function throughMcpTool(globs: readonly string[] | undefined): {
  readonly globs: readonly string[] | undefined;
  readonly losses: HookLoss[];
} {
  const ofServers = globs?.filter((glob) => glob.startsWith('mcp__')) ?? [];
  if (globs === undefined || ofServers.length === 0) return { globs, losses: [] };
  const message = `${agent} calls the tools of all MCP servers with ${mcpTool}, so the hook also runs for other servers and tools. Compare toolCall.args.ServerName and toolCall.args.ToolName in the hook.`;
  return {
    globs: [...globs.filter((glob) => !ofServers.includes(glob)), mcpTool],
    losses: ofServers.every((glob) => glob === 'mcp__*__*') ? [] : [{ field: 'matcher', message }],
  };
}

function eventOf({ eventName }: PortableHook): AntigravityEvent | undefined {
  return antigravityEventNames.find((event) => antigravityEventFacts(event).eventName === eventName);
}

function keyOf(event: AntigravityEvent, hook: PortableHook): WrittenEvent {
  return hook.eventName === 'AfterTool' ? keyOfBothOutcomes(event, hook, agent) : { keys: [event], losses: [] };
}

function sessionLosses({ eventName }: PortableHook): HookLoss[] {
  return eventName === 'SessionStart' ? [{ field: 'event', message: `${agent} runs the hook only for new conversations.` }] : [];
}

function answerLosses({ eventName }: PortableHook): HookLoss[] {
  if (eventName !== 'BeforeTool') return [];
  const message = `${agent} denies a call if the hook fails, times out, or prints anything but a valid answer, also {}. Print nothing for no decision.`;
  return [{ field: 'onError', message }];
}

function entryOf(hook: PortableHook): Readonly<Record<string, unknown>> {
  const { timeoutMs, onError } = hook;
  return {
    type: 'command',
    command: commandInProject(hook),
    ...(timeoutMs === antigravityDefaultTimeoutS * 1000 ? {} : { timeout: timeoutMs / 1000 }),
    ...(onError === 'block' ? { onError } : {}),
    ...(hook.recheck === undefined ? {} : { recheck: hook.recheck }),
    ...(hook.mode === undefined ? {} : { mode: hook.mode }),
  };
}
