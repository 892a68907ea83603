import { commandHookData, matchesName, type NameMatcher } from '@tenterhook/dialects/internal';
import type { HookDefinition } from '@tenterhook/protocol';
import { isVariableName, portableCommand, projectVariable, renamedVariable, withExports } from '../portable/command-text.js';
import { globsOf, regexOfGlob } from '../portable/globs.js';
import { type MatcherSpelling, type ReadMatcher, writeMatcher } from '../portable/matchers.js';
import { type HookLoss, modeOf, type PortableHook } from '../portable/portable-hook.js';
import type { PatternText } from '../portable/read-tools.js';
import type { WrittenHook } from './hook-migration.js';
import type { WrittenEvent } from './unsupported.js';
import { lossesOf, refusalOf, type Sayable } from './unsupported.js';

/** The matchers that together select the calls for a hook. Each matcher needs a hook group of its own. */
export interface GroupMatchers {
  readonly matchers: readonly (string | undefined)[];
  readonly losses: readonly HookLoss[];
}

/** How hooks are written in a format that groups commands under one matcher. */
export interface GroupWriting extends Sayable {
  readonly spelling: MatcherSpelling;
  keysOf(hook: PortableHook): WrittenEvent;
  /** Returns the matchers for these names. In `globs`, `*` matches any text. */
  matchersOf(globs: readonly string[], hook: PortableHook): GroupMatchers;
  entryOf(hook: PortableHook): Readonly<Record<string, unknown>>;
  /** Returns what a hook loses in this format only. @default nothing */
  lossesOf?(hook: PortableHook): readonly HookLoss[];
}

/**
 * Converts a command hook into portable form. Each format has its own matcher language, so the caller passes the function that
 * reads a matcher.
 */
export function readCommandHook(
  hook: HookDefinition,
  read: ReadMatcher,
  variables: readonly string[],
): PortableHook | { readonly cannot: string } {
  if ('cannot' in read) return read;
  const { eventName, timeoutMs, onError, name, description, action } = hook;
  const { env, sequential } = commandHookData<unknown>(hook);
  const { text, ...known } = portableCommand(action.kind === 'command' ? action.command : '', variables);
  return {
    eventName,
    matcher: read.matcher,
    action: { kind: 'command', text },
    env,
    ...known,
    timeoutMs,
    onError,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(sequential ? { sequential: true as const } : {}),
    ...(hook.recheck === undefined ? {} : { recheck: hook.recheck }),
    ...modeOf(hook),
    losses: read.losses,
  };
}

/** Converts a portable hook into an entry of settings in which hooks have names, and timeouts in milliseconds. */
export function commandEntry(hook: PortableHook, variable: string, defaultTimeoutMs: number): Readonly<Record<string, unknown>> {
  const { name, description, timeoutMs, env, onError } = hook;
  return {
    type: 'command',
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    command: commandOf(hook, variable),
    ...(timeoutMs === defaultTimeoutMs ? {} : { timeout: timeoutMs }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(onError === 'block' ? { onError } : {}),
    ...(hook.recheck === undefined ? {} : { recheck: hook.recheck }),
    ...(hook.mode === undefined ? {} : { mode: hook.mode }),
  };
}

export function commandOf({ action }: PortableHook, variable: string): string {
  return renamedVariable(action.kind === 'command' ? action.text : '', projectVariable, variable);
}

export function writeGroups(hooks: readonly PortableHook[], format: GroupWriting): WrittenHook[] {
  return hooks.map((hook) => {
    const others = hooks.filter((other) => other !== hook && other.eventName === hook.eventName).length;
    return writeGroup(hook, format, others);
  });
}

function writeGroup(hook: PortableHook, format: GroupWriting, others: number): WrittenHook {
  const refusal = refusalOf(hook, format);
  if (refusal !== undefined) return { cannot: refusal };
  const event = format.keysOf(hook);
  if ('cannot' in event) return event;
  const written = writeMatcher(hook, format.spelling);
  if ('cannot' in written) return written;
  const { matchers, losses } = written.globs === undefined ? { matchers: [undefined], losses: [] } : format.matchersOf(written.globs, hook);
  const sequential = hook.sequential && format.fields.includes('sequential') ? { sequential: true } : {};
  const entry = format.entryOf(hook);
  const groups = matchers.map((matcher) => ({ ...(matcher === undefined ? {} : { matcher }), ...sequential, hooks: [entry] }));
  return {
    additions: event.keys.flatMap((key) => groups.map((value) => ({ at: ['hooks', key], value, joins: 'hooks' }))),
    losses: [...event.losses, ...written.losses, ...losses, ...lossesOf(hook, format, others), ...(format.lossesOf?.(hook) ?? [])],
  };
}

/**
 * Returns a matcher that is a list of names or a regular expression as a pattern, or undefined if it matches everything. `isAnchored`: the
 * regular expression must match the whole name.
 */
export function patternOfNames(matcher: NameMatcher, text = '', isAnchored = false): PatternText | undefined {
  if (matcher.kind === 'all') return undefined;
  const globs = matcher.kind === 'names' ? matcher.names : globsOf(text, isAnchored);
  return { text, globs, fits: (name) => matchesName(matcher, name) };
}

/** Returns the loss for variables that a shell cannot set. */
export function unsettable({ env }: PortableHook): HookLoss[] {
  const bad = Object.keys(env).filter((name) => !isVariableName(name));
  return bad.length === 0 ? [] : [{ field: 'env', message: `A shell cannot set ${bad.join(', ')}.` }];
}

/** Returns the loss of a matcher on an event that has nothing to match. */
export function ignoredMatcher(agent: string, event: string): GroupMatchers {
  const message = `${agent} ignores matchers on ${event}: the hook runs every time.`;
  return { matchers: [undefined], losses: [{ field: 'matcher', message }] };
}

/** Returns a matcher that matches only whole names. Some formats search for the matcher anywhere in the name. */
export function wholeNames(globs: readonly string[]): GroupMatchers {
  const texts = globs.map(regexOfGlob);
  return { matchers: [texts.length === 1 ? `^${texts[0]}$` : `^(${texts.join('|')})$`], losses: [] };
}

/**
 * Returns a command for an agent that has no variable for the project directory but starts hooks in it. The command sets the
 * variable to its working directory.
 */
export function commandInProject({ action, env, projectVariables }: PortableHook): string {
  const text = action.kind === 'command' ? action.text : '';
  const own = projectVariables?.[0] ?? projectVariable;
  const named = renamedVariable(text, projectVariable, own);
  const isNamed = projectVariables !== undefined || named.includes(`$${own}`) || named.includes(`\${${own}`);
  const settable = Object.fromEntries(Object.entries(env).filter(([name]) => isVariableName(name)));
  return withExports(named, settable, isNamed ? [own] : []);
}
