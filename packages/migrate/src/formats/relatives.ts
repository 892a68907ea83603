import { type RelativeProduct, relativeHookData, relativeProducts } from '@tenterhook/dialects/internal';
import { eventEntry, type HookDefinition, type HookEventName } from '@tenterhook/protocol';
import type { HookContract } from '../contract.js';
import { isVariableName, portableCommand, withExports, withoutExports } from '../portable/command-text.js';
import { regexOfGlob } from '../portable/globs.js';
import { type MatcherSpelling, readMatcher } from '../portable/matchers.js';
import { type HookLoss, modeOf, type PortableField, type PortableHook } from '../portable/portable-hook.js';
import type { PatternText } from '../portable/read-tools.js';
import { namesIn } from '../portable/tool-spelling.js';
import { commandOf, type GroupMatchers, ignoredMatcher, patternOfNames, unsettable, wholeNames, writeGroups } from './command-groups.js';
import type { HookMigration, ReadHook } from './hook-migration.js';
import { keyOfBothOutcomes, noEvent, type WrittenEvent } from './unsupported.js';

function migrationOf(product: RelativeProduct): HookMigration {
  const { agent, version } = product;
  const spelling: MatcherSpelling = {
    tools: { agent, table: product.tools, mcp: [{ start: 'mcp__', separator: '__' }] },
    values: { agent, words: { SessionStart: { compress: 'compact', fork: 'resume' }, SessionEnd: { exit: 'other' } } },
  };
  return {
    agent,
    read: (hooks) => hooks.map((hook) => readHook(hook, product, spelling)),
    write: (hooks) =>
      writeGroups(hooks, {
        agent,
        fields: fieldsOf(product),
        spelling,
        keysOf: (hook) => keysOf(hook, product),
        matchersOf: (globs, hook) => matchersOf(globs, hook, product),
        entryOf: (hook) => entryOf(hook, product),
        lossesOf: (hook) => (product.hasEnv ? [] : unsettable(hook)),
      }),
    ...(version === undefined ? {} : { switch: { path: ['version'] as const, value: version } }),
    contract: contractOf(product),
  };
}

function fieldsOf({ hookFields, hasEnv }: RelativeProduct): readonly PortableField[] {
  const own: readonly PortableField[] = ['name', 'description', 'async'];
  return [...own.filter((field) => hookFields.includes(field)), ...(hasEnv ? (['env'] as const) : []), 'onError', 'recheck', 'mode'];
}

function readHook(hook: HookDefinition, product: RelativeProduct, spelling: MatcherSpelling): ReadHook {
  const { eventName, timeoutMs, onError, name, description } = hook;
  const { event, runs, matcher, env: given, loopLimit } = relativeHookData(hook);
  const pattern = patternOf(patternOfNames(matcher, hook.matcher), hook.matcher, product);
  if (pattern !== undefined && 'cannot' in pattern) return pattern;
  const read = readMatcher(pattern, eventName, spelling);
  if ('cannot' in read) return read;
  const command = runs.kind === 'command' && runs.command.kind === 'shell' ? runs.command.text : undefined;
  const { text, env } = withoutExports(command ?? '');
  const { text: portable, ...known } = portableCommand(text, [...projectVariablesOf(product), 'LLXPRT_PROJECT_DIR']);
  const { result } = product.events[event] ?? {};
  const limit: HookLoss[] =
    loopLimit === Number.POSITIVE_INFINITY || eventName !== 'AfterAgent'
      ? []
      : [{ field: 'event', message: `The hook made the agent continue at most ${loopLimit} times in a row ("loop_limit").` }];
  return {
    eventName,
    ...(result === undefined ? {} : { outcome: result }),
    matcher: read.matcher,
    action:
      command === undefined
        ? { kind: 'other', type: runs.kind === 'host' ? runs.type : 'powershell' }
        : { kind: 'command', text: portable },
    ...known,
    env: { ...env, ...given },
    timeoutMs: Math.round(timeoutMs),
    onError,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(hook.async ? { async: true as const } : {}),
    ...(hook.recheck === undefined ? {} : { recheck: hook.recheck }),
    ...modeOf(hook),
    losses: [...read.losses, ...limit],
  };
}

/** The variables whose value is the directory of the project. */
function projectVariablesOf({ variableNames }: RelativeProduct): readonly string[] {
  return variableNames.filter((name) => name.endsWith('_PROJECT_DIR'));
}

const mcpPrefix = 'mcp:';

/** Reads a matcher of an agent that writes the server of a tool after its name. All tools of one server, or of any, can be converted. */
function patternOf(
  pattern: PatternText | undefined,
  text: string | undefined,
  { mcpAfterTool }: RelativeProduct,
): PatternText | { readonly cannot: string } | undefined {
  if (pattern === undefined || text === undefined || !mcpAfterTool) return pattern;
  if (text === `${mcpPrefix}*`) return { text, globs: ['mcp__*__*'], fits: (name) => name.startsWith('mcp__') };
  const [, server] = /^(?:mcp:|\^)?\.\*_([\w-]+)\$$/.exec(text) ?? [];
  if (server !== undefined) return { text, globs: [`mcp__${server}__*`], fits: (name) => name.startsWith(`mcp__${server}__`) };
  if (text.startsWith(mcpPrefix))
    return { cannot: `Its matcher ${JSON.stringify(text)} is compared with names that other formats do not have.` };
  return pattern;
}

function keysOf(hook: PortableHook, { agent, events }: RelativeProduct): WrittenEvent {
  const keys = Object.keys(events).filter((event) => events[event]?.eventName === hook.eventName);
  const fitting = keys.filter(
    (key) => hook.outcome === undefined || events[key]?.result === undefined || events[key]?.result === hook.outcome,
  );
  const [first] = keys;
  if (first === undefined) return noEvent(hook.eventName, agent);
  if (hook.eventName !== 'AfterTool' || keys.some((key) => events[key]?.result === 'failure')) return { keys: fitting, losses: [] };
  if (events[first]?.result === undefined) return keyOfBothOutcomes(first, hook, agent);
  if (fitting.length === 0) return { cannot: `The hook runs only after failed tools, and ${agent} has no event for failed tools.` };
  if (hook.outcome === 'success') return { keys: fitting, losses: [] };
  return {
    keys: fitting,
    losses: [{ field: 'event', message: `The hook no longer runs after failed tools: ${agent} has no event for them.` }],
  };
}

function matchersOf(globs: readonly string[], hook: PortableHook, product: RelativeProduct): GroupMatchers {
  const { agent, events, matcher, mcpAfterTool } = product;
  const [event] = Object.keys(events).filter((name) => events[name]?.eventName === hook.eventName);
  if (event !== undefined && events[event]?.subject === undefined) return ignoredMatcher(agent, event);
  if (matcher === 'names') {
    if (globs.every((glob) => /^[\w-]+$/.test(glob))) return { matchers: [globs.join('|')], losses: [] };
    return { matchers: [`^(${globs.map(regexOfGlob).join('|')})$`], losses: [] };
  }
  if (!mcpAfterTool || eventEntry(hook.eventName).matcherField !== 'tool_name') return wholeNames(globs);
  const isOfServer = (glob: string) => glob.startsWith('mcp__');
  const own = globs.filter((glob) => !isOfServer(glob));
  const ofServers = globs.filter(isOfServer).map((glob) => {
    const [, server = '*', tool = '*'] = /^mcp__(.*?)__(.*)$/.exec(glob) ?? [];
    return server === '*' && tool === '*' ? `${mcpPrefix}*` : `^${regexOfGlob(tool)}_${regexOfGlob(server)}$`;
  });
  const named = own.length === 0 ? [] : wholeNames(own).matchers;
  return { matchers: [...named, ...ofServers], losses: [] };
}

function entryOf(hook: PortableHook, product: RelativeProduct): Readonly<Record<string, unknown>> {
  const { timeoutMs, env, onError, name, description } = hook;
  const { timeout, hookFields, hasEnv, projectVariable } = product;
  const has = (field: string) => hookFields.includes(field);
  const written = timeout.unit === 's' ? timeoutMs / 1000 : timeoutMs;
  const settable = Object.fromEntries(Object.entries(env).filter(([variable]) => isVariableName(variable)));
  const command = commandOf(hook, projectVariable);
  return {
    type: 'command',
    ...(name === undefined || !has('name') ? {} : { name }),
    ...(description === undefined || !has('description') ? {} : { description }),
    command: hasEnv ? command : withExports(command, settable),
    ...(written === timeout.fallback ? {} : { timeout: written }),
    ...(hasEnv && Object.keys(env).length > 0 ? { env } : {}),
    ...(hook.async && has('async') ? { async: true } : {}),
    ...(onError === 'block' ? { onError } : {}),
    ...(hook.recheck === undefined ? {} : { recheck: hook.recheck }),
    ...(hook.mode === undefined ? {} : { mode: hook.mode }),
  };
}

function contractOf(product: RelativeProduct): HookContract {
  const { events, tools, asks, mergesInput, startsInProject, dropsCopies, projectVariable, variableNames, mcpAfterTool } = product;
  const eventsOf = (test: (event: RelativeProduct['events'][string]) => boolean): HookEventName[] => [
    ...new Set(Object.values(events).flatMap((event) => (test(event) ? [event.eventName] : []))),
  ];
  const has = (eventName: HookEventName) => eventsOf(({ eventName: own }) => own === eventName).length > 0;
  const shell = tools.shell?.names[0] ?? '';
  const texts = Object.entries(events).flatMap(([event, { takesText }]) => (takesText ? [`\`${event}\``] : []));
  const isOfAuggie = mcpAfterTool === true;
  const after = Object.keys(events).some((event) => events[event]?.result === 'failure');
  return {
    topics: {
      event: '`hook_event_name`: `PreToolUse`, `PostToolUse`, `Stop` …',
      session: isOfAuggie ? '`conversation_id`, `workspace_roots`' : '`session_id`',
      tool: `\`tool_name\` and \`tool_input\`: \`${shell}\`, \`${tools.write?.names[0]}\`, ${isOfAuggie ? '`tool_server`' : '`mcp__server__tool`'}`,
      file: `\`${tools.write?.keys?.file?.[0]}\` of \`tool_input\`, absolute`,
      result: isOfAuggie ? '`tool_output`, `tool_error`' : `\`tool_response\`${after ? '; `error` on `PostToolUseFailure`' : ''}`,
      deny: '`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"…"}}`, or exit code 2',
      ask: asks ? '`permissionDecision`: `ask`' : 'not documented',
      permission: has('PermissionRequest') ? '`decision`: `block` or `approve`' : 'not supported: there is no such event',
      rewrite: `\`hookSpecificOutput.updatedInput\`, which ${mergesInput ? 'is merged into the arguments' : 'replaces all arguments'}`,
      feedback: 'the model reads the reason beside the result',
      redact: 'not possible',
      context: '`hookSpecificOutput.additionalContext`, with `hookEventName` next to it',
      prompt: eventsOf(({ rejects }) => rejects === true).includes('BeforeAgent')
        ? '`{"decision":"block","reason":"…"}`, or exit code 2'
        : 'not possible',
      newPrompt: 'not possible',
      goOn: isOfAuggie ? '`hookSpecificOutput.decision`: `block`' : '`{"decision":"block","reason":"…"}`: the reason is the next prompt',
      stop: '`{"continue":false,"stopReason":"…"}`',
      user: '`systemMessage`, which the model does not read',
      text: texts.length === 0 ? 'no effect' : `context on ${texts.join(' and ')}; otherwise no effect`,
      failure: 'the hook has failed, and its output is ignored',
      otherCode: 'the hook has failed',
      directory: startsInProject ? 'the project' : 'the working directory of the event',
      project: `\`$${projectVariable}\``,
      order: 'side by side',
      copies: dropsCopies ? 'runs once' : 'runs twice',
    },
    blocks: eventsOf(({ rejects }) => rejects === true),
    redacts: [],
    otherCodesDeny: false,
    decisions: ['approve', 'block', 'deny'],
    words: [...commonWords, ...variableNames],
    tools: namesIn(tools),
  };
}

const commonWords =
  'hook_event_name session_id transcript_path cwd permission_mode tool_name tool_input tool_response tool_use_id prompt stop_hook_active last_assistant_message source trigger decision reason continue stopReason suppressOutput systemMessage hookSpecificOutput hookEventName permissionDecision permissionDecisionReason updatedInput additionalContext command'.split(
    ' ',
  );

/** How hooks of each relative of Claude Code are converted, by the name of the dialect. */
export const relativeMigrations: Readonly<Record<string, HookMigration>> = Object.fromEntries(
  Object.values(relativeProducts).map((product): [string, HookMigration] => [product.name, migrationOf(product)]),
);
