import { ecaDefaultTimeoutMs, ecaHookData, ecaTools, ecaTypeEntry, ecaTypeOfEvent } from '@tenterhook/dialects/internal';
import type { HookDefinition } from '@tenterhook/protocol';
import { projectVariable, renamedVariable } from '../portable/command-text.js';
import { isVariableName, withExports, withoutExports } from '../portable/exported-environment.js';
import { regexOfGlob } from '../portable/glob-text.js';
import { globsOf } from '../portable/globs.js';
import { type MatcherSpelling, readMatcher, writeMatcher } from '../portable/matchers.js';
import type { PortableHook } from '../portable/portable-hook.js';
import { contract } from './eca-contract.js';
import { hookKeys } from './eca-hook-keys.js';
import { actionText } from './eca-script-text.js';
import { noEvent, noEventOfFailures } from './event-key.js';
import type { HookMigration, MigrationContext, ReadHook, WrittenHook } from './hook-migration.js';
import { lossesOf, refusalOf, type Sayable } from './unsupported-fields.js';

const agent = 'ECA';

const sayable: Sayable = { agent, fields: ['name', 'env', 'sequential', 'onError', 'hidden'] };

/** Hooks of ECA, to and from other formats. `server` is the server of the host's own tools. */
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
  const { type, matches, runOnError } = ecaHookData(hook);
  const pattern = matches === undefined || text === undefined ? undefined : { text, globs: globsOf(text, true), fits: matches };
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
    ...(name === undefined ? {} : { name }),
    ...(isAlone ? {} : { sequential: true as const }),
    ...(hidden ? { hidden } : {}),
    losses: [...read.losses, ...action.losses],
  };
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
  // ECA's hooks run after tools that worked, unless they say otherwise.
  if (hook.outcome === 'failure') return noEventOfFailures(agent);
  const isOfTool = ecaTypeEntry(type).ofTool === true;
  const written = isOfTool ? writeMatcher(hook, spelling) : { globs: undefined, losses: [] };
  if ('cannot' in written) return written;
  const isWidened = !isOfTool && hook.matcher.kind !== 'everything';
  const message = `${type} has no matcher: the hook runs every time.`;
  const bad = Object.keys(hook.env).filter((name) => !isVariableName(name));
  return {
    additions: [{ at: ['hooks'], key, value: hookValue(hook, type, written.globs) }],
    losses: [
      ...written.losses,
      ...(isWidened ? [{ field: 'matcher' as const, message }] : []),
      ...(bad.length === 0 ? [] : [{ field: 'env' as const, message: `No shell can set ${bad.join(', ')}.` }]),
      ...lossesOf(hook, sayable, 0),
    ],
  };
}

function hookValue(hook: PortableHook, type: string, globs: readonly string[] | undefined): Readonly<Record<string, unknown>> {
  const { timeoutMs, onError, hidden, outcome } = hook;
  return {
    type,
    ...(globs === undefined ? {} : { matcher: globs.map(regexOfGlob).join('|') }),
    ...(hidden ? { visible: false } : {}),
    ...(type === 'postToolCall' && outcome === undefined ? { runOnError: true } : {}),
    ...(onError === 'block' ? { onError } : {}),
    actions: [{ type: 'shell', shell: shellText(hook), ...(timeoutMs === ecaDefaultTimeoutMs ? {} : { timeout: timeoutMs }) }],
  };
}

/** ECA sets no variable to the project's directory: the hook starts there. */
function shellText({ action, env, projectVariables }: PortableHook): string {
  const text = action.kind === 'command' ? action.text : '';
  const own = projectVariables?.[0] ?? projectVariable;
  const named = renamedVariable(text, projectVariable, own);
  const isNamed = projectVariables !== undefined || named.includes(`$${own}`) || named.includes(`\${${own}`);
  const settable = Object.fromEntries(Object.entries(env).filter(([name]) => isVariableName(name)));
  return withExports(named, settable, isNamed ? [own] : []);
}
