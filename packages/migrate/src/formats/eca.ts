import {
  type EcaHookData,
  type EcaType,
  ecaDefaultTimeoutMs,
  ecaHookData,
  ecaTools,
  ecaTypeEntry,
  ecaTypeOfEvent,
  ecaTypes,
} from '@tenterhook/dialects/internal';
import type { HookDefinition } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { HookContract } from '../contract.js';
import { isVariableName, projectVariable, renamedVariable, shellPath, shellWord, withoutExports } from '../portable/command-text.js';
import { globsOf, regexOfGlob } from '../portable/globs.js';
import { type MatcherSpelling, readMatcher, writeMatcher } from '../portable/matchers.js';
import { type HookLoss, modeOf, type PortableHook } from '../portable/portable-hook.js';
import type { PatternText } from '../portable/read-tools.js';
import { namesIn } from '../portable/tool-spelling.js';
import { commandInProject } from './command-groups.js';
import type { HookMigration, MigrationContext, ReadHook, WrittenHook } from './hook-migration.js';
import { lossesOf, noEvent, noEventOfFailures, refusalOf, type Sayable } from './unsupported.js';

const agent = 'ECA';

const ownTools = namesIn(ecaTools);

const sayable: Sayable = { agent, fields: ['name', 'description', 'env', 'sequential', 'onError', 'hidden', 'recheck', 'mode'] };

const contract: HookContract = {
  topics: {
    event: '`hook_type`: `preToolCall`, `postToolCall`, `preRequest`, `postRequest` …',
    session: '`chat_id`, `workspaces`',
    tool: '`server`, `tool_name` and `tool_input`: `eca` and `shell_command`, `write_file`, `edit_file`; the server of an MCP tool',
    file: '`path` of `tool_input`',
    result: '`tool_response` and `error`. The hook runs after failed tools only with `runOnError`',
    deny: '`{"approval":"deny","additionalContext":"…"}`, or exit code 2',
    ask: '`{"approval":"ask"}`',
    permission: 'not supported: there is no such event',
    rewrite: '`updatedInput`, merged into the arguments',
    feedback: 'the result stays, and the model reads the reason after it',
    redact: '`replacedOutput`',
    context: '`additionalContext`',
    prompt: '`{"continue":false,"stopReason":"…"}`, or exit code 2',
    newPrompt: '`replacedPrompt`',
    goOn: '`{"followUp":"…"}`, or exit code 2',
    stop: '`{"continue":false,"stopReason":"…"}`',
    user: '`systemMessage`',
    text: 'context for the model',
    failure: 'the hook has failed, and its output is ignored',
    otherCode: 'the hook has failed',
    directory: 'the first workspace folder',
    project: 'the directory in which it runs',
    order: 'in a chain, in the order of their keys',
    copies: 'runs twice',
  },
  blocks: (Object.keys(ecaTypes) as EcaType[]).map(ecaTypeEntry).flatMap(({ rejects, eventName }) => (rejects ? [eventName] : [])),
  redacts: [],
  otherCodesDeny: false,
  decisions: [],
  words: (
    'hook_name hook_type workspaces db_cache_path chat_id agent behavior resumed approval server tool_name tool_input ' +
    'tool_response tool_call_id error prompt response follow_up_active triggered custom_instructions compact_summary parent_chat_id ' +
    'eca_executable additionalContext replacedPrompt replacedOutput updatedInput followUp systemMessage continue stopReason suppressOutput ' +
    'path command'
  ).split(' '),
  tools: ownTools,
};

/** Converts hooks of ECA to and from portable form. In ECA's matchers its own tools have a server name too; `server` is this name. */
export function ecaMigration(server: string): HookMigration {
  const spelling: MatcherSpelling = {
    tools: {
      agent,
      table: ecaTools,
      ownStart: `${server}__`,
      mcp: [
        { start: '', separator: '__' },
        { start: 'mcp__', separator: '__' },
      ],
    },
    values: { agent, words: {} },
  };
  return {
    agent,
    read: (hooks, context) => hooks.map((hook) => readHook(hook, hooks, spelling, context)),
    write: (hooks, there) => writeHooks(hooks, there, spelling),
    contract,
  };
}

function readHook(hook: HookDefinition, all: readonly HookDefinition[], spelling: MatcherSpelling, context: MigrationContext): ReadHook {
  const { eventName, matcher: text, timeoutMs, onError, name, hidden } = hook;
  const { type, runOnError } = ecaHookData(hook);
  const pattern = text === undefined ? undefined : patternOf(ecaHookData(hook), text, spelling);
  if (pattern !== undefined && 'cannot' in pattern) return pattern;
  const read = readMatcher(pattern, eventName, spelling);
  if ('cannot' in read) return read;
  const action = actionText(hook, context);
  const command = action.isShell ? withoutExports(action.text) : { text: action.text, env: {}, here: [] };
  const renamed = command.here.reduce((shell, variable) => renamedVariable(shell, variable, projectVariable), command.text);
  const isAlone = all.every((other) => other === hook || other.eventName !== eventName);
  return {
    eventName,
    ...(type === 'postToolCall' && !runOnError ? { outcome: 'success' as const } : {}),
    matcher: read.matcher,
    action: { kind: 'command', text: renamed },
    env: command.env,
    ...(command.here.length === 0 ? {} : { projectVariables: command.here }),
    timeoutMs,
    onError,
    ...omitUndefined({ name, description: hook.description }),
    ...(isAlone ? {} : { sequential: true as const }),
    ...(hidden ? { hidden } : {}),
    ...(hook.recheck === undefined ? {} : { recheck: hook.recheck }),
    ...modeOf(hook),
    losses: [...read.losses, ...action.losses],
  };
}

/** Returns the matcher as a pattern, or undefined if the hook runs every time. */
function patternOf(
  { matches, selectors, trigger }: EcaHookData,
  text: string,
  { tools: { ownStart = '' } }: MatcherSpelling,
): PatternText | { readonly cannot: string } | undefined {
  if (trigger !== undefined) return { text, globs: [trigger], fits: (value) => value === trigger };
  if (selectors === undefined) return matches === undefined ? undefined : { text, globs: globsOf(text, true), fits: matches };
  if (selectors.some(({ args }) => args.length > 0)) {
    return { cannot: 'The hook compares arguments with "argsMatchers"; without them it would run for calls that it is not meant for.' };
  }
  // A name with a server, e.g. `github__search`, is a tool. A name without a server is one of ECA's own tools, or a server.
  const globs = selectors.flatMap(({ name }) => {
    if (name.includes('__')) return [name];
    return ownTools.includes(name) ? [`${ownStart}${name}`] : [`${name}__*`];
  });
  const fits = (tool: string) => globs.some((glob) => tool === glob || (glob.endsWith('*') && tool.startsWith(glob.slice(0, -1))));
  return { text, globs, fits };
}

function writeHooks(hooks: readonly PortableHook[], there: readonly HookDefinition[], spelling: MatcherSpelling): WrittenHook[] {
  const keyless = hooks.map((hook) => ({ hook, type: ecaTypeOfEvent(hook.eventName) ?? '' }));
  const keys = hookKeys(
    keyless,
    there.map((hook) => ecaHookData(hook).key),
  );
  return hooks.map((hook, index) => writeHook(hook, keys[index] as string, spelling));
}

function writeHook(hook: PortableHook, key: string, spelling: MatcherSpelling): WrittenHook {
  const refusal = refusalOf(hook, sayable);
  if (refusal !== undefined) return { cannot: refusal };
  const type = ecaTypeOfEvent(hook.eventName);
  if (type === undefined) return noEvent(hook.eventName, agent);
  // ECA runs a hook only after tools that succeeded or, with `runOnError`, after all tools. It has no setting for failed tools
  // only.
  if (hook.outcome === 'failure') return noEventOfFailures(agent);
  const { ofTool, triggers } = ecaTypeEntry(type);
  const isTrigger = triggers !== undefined;
  const isMatched = ofTool === true || isTrigger;
  const written = isMatched ? writeMatcher(hook, spelling) : { globs: undefined, losses: [] };
  if ('cannot' in written) return written;
  const isWidened = !isMatched && hook.matcher.kind !== 'everything';
  const message = `${type} does not support matchers: the hook runs every time.`;
  const isJoined = isTrigger && (written.globs?.length ?? 0) > 1;
  const ofTriggers = `A matcher of ${type} can name only one trigger: the hook runs on every compaction.`;
  const bad = Object.keys(hook.env).filter((name) => !isVariableName(name));
  return {
    additions: [{ at: ['hooks'], key, value: hookValue(hook, type, matcherText(written.globs, isTrigger)) }],
    losses: [
      ...written.losses,
      ...(isWidened ? [{ field: 'matcher' as const, message }] : []),
      ...(isJoined ? [{ field: 'matcher' as const, message: ofTriggers }] : []),
      ...(bad.length === 0 ? [] : [{ field: 'env' as const, message: `A shell cannot set ${bad.join(', ')}.` }]),
      ...lossesOf(hook, sayable, 0),
    ],
  };
}

/** Returns the matcher in ECA's spelling. For a compaction, ECA's matcher can name only one trigger. */
function matcherText(globs: readonly string[] | undefined, isTrigger: boolean): string | undefined {
  if (!isTrigger) return globs?.map(regexOfGlob).join('|');
  return globs?.length === 1 ? globs[0] : undefined;
}

function hookValue(hook: PortableHook, type: string, matcher: string | undefined): Readonly<Record<string, unknown>> {
  const { timeoutMs, onError, hidden, outcome } = hook;
  return {
    type,
    ...omitUndefined({ description: hook.description, matcher }),
    ...(hidden ? { visible: false } : {}),
    ...(type === 'postToolCall' && outcome === undefined ? { runOnError: true } : {}),
    ...(onError === 'block' ? { onError } : {}),
    ...(hook.recheck === undefined ? {} : { recheck: hook.recheck }),
    ...(hook.mode === undefined ? {} : { mode: hook.mode }),
    actions: [{ type: 'shell', shell: commandInProject(hook), ...(timeoutMs === ecaDefaultTimeoutMs ? {} : { timeout: timeoutMs }) }],
  };
}

interface ActionText {
  readonly text: string;
  /** Whether `text` is a command. If false, `text` is the path of a script. */
  readonly isShell: boolean;
  readonly losses: readonly HookLoss[];
}

/**
 * Converts an action into the text of a command. For an action that names a script file, the text is the path of the script, with
 * `bash` before it if the script is not executable.
 */
function actionText(hook: HookDefinition, { projectDir, home }: MigrationContext): ActionText {
  const written = hook.action.kind === 'command' ? hook.action.command : '';
  const { command } = ecaHookData(hook);
  if (command.kind === 'shell' && command.text === written) return { text: written, isShell: true, losses: [] };
  const path = pathText(written, projectDir, home);
  if (command.kind === 'program' && command.file === written) return { text: path, isShell: false, losses: [] };
  const message = `The file ${written} does not exist yet. The converted hook runs it with bash, so the first line of the file will have no effect.`;
  const losses: HookLoss[] = command.kind === 'shell' ? [{ field: 'action', message }] : [];
  return { text: `bash ${path}`, isShell: false, losses };
}

/**
 * Writes the path of a file relative to the project or the home directory if the file is in one of them. The command then also
 * works on other machines.
 */
function pathText(file: string, projectDir: string, home: string): string {
  const within = (folder: string) => folder !== '' && file.startsWith(`${folder}/`);
  if (within(projectDir)) return shellPath(projectVariable, file.slice(projectDir.length));
  return within(home) ? shellPath('HOME', file.slice(home.length)) : shellWord(file);
}

/** A hook that has no key yet. `type` is the name of its event in ECA. */
interface Keyless {
  readonly hook: PortableHook;
  readonly type: string;
}

/**
 * Returns a key for each hook: its name, or else its type and a number. Keys in `taken` are not used. ECA runs hooks in the order
 * of their keys. If this order is not the order of the hooks, a number precedes each key: `1-format`, `2-check`.
 */
function hookKeys(hooks: readonly Keyless[], taken: readonly string[]): readonly string[] {
  const natural = hooks.map(({ hook, type }, index) => {
    const before = hooks.slice(0, index).filter((other) => other.type === type && other.hook.name === undefined).length;
    return hook.name ?? `${type}-${before + 1}`;
  });
  const numbered = natural.map((key, index) => {
    const { type } = hooks[index] as Keyless;
    const chain = hooks.flatMap((other, place) => (other.type === type ? [place] : []));
    const isChain = chain.some((place) => hooks[place]?.hook.sequential === true);
    if (!isChain || isInOrder(chain.map((place) => natural[place] as string))) return key;
    return `${String(chain.indexOf(index) + 1).padStart(String(chain.length).length, '0')}-${key}`;
  });
  const used = new Set(taken);
  return numbered.map((key) => {
    const free = freeKey(key, used);
    used.add(free);
    return free;
  });
}

function freeKey(key: string, used: ReadonlySet<string>): string {
  if (!used.has(key)) return key;
  let number = 2;
  while (used.has(`${key}-${number}`)) number += 1;
  return `${key}-${number}`;
}

/** Tests whether the keys are in the order in which ECA runs hooks: by code units (decision 54). */
function isInOrder(keys: readonly string[]): boolean {
  return keys.every((key, index) => index === 0 || (keys[index - 1] as string) <= key);
}
