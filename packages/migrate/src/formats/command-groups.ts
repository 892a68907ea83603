import { commandHookData } from '@tenterhook/dialects/internal';
import type { HookDefinition } from '@tenterhook/protocol';
import { portableCommand, projectVariable, renamedVariable } from '../portable/command-text.js';
import { regexOfGlob } from '../portable/globs.js';
import { type MatcherSpelling, type ReadMatcher, writeMatcher } from '../portable/matchers.js';
import type { HookLoss, PortableHook } from '../portable/portable-hook.js';
import type { WrittenHook } from './hook-migration.js';
import type { WrittenEvent } from './unsupported.js';
import { lossesOf, refusalOf, type Sayable } from './unsupported.js';

/** The matchers that together select the calls for a hook. Each matcher becomes a hook group. */
export interface GroupMatchers {
  readonly matchers: readonly (string | undefined)[];
  readonly losses: readonly HookLoss[];
}

/** How hooks are written in a format that groups commands under a common matcher. */
export interface GroupWriting extends Sayable {
  readonly spelling: MatcherSpelling;
  keysOf(hook: PortableHook): WrittenEvent;
  /** Returns the matchers for these names. In `globs`, `*` means any text. */
  matchersOf(globs: readonly string[], hook: PortableHook): GroupMatchers;
  entryOf(hook: PortableHook): Readonly<Record<string, unknown>>;
  /** Returns what a hook loses in this format only. @default nothing */
  lossesOf?(hook: PortableHook): readonly HookLoss[];
}

/** Converts a command hook into portable form. `read` converts its matcher, because each format has its own matcher language. */
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
    losses: read.losses,
  };
}

/** Converts a portable hook into an entry of a format in which hooks have names, and timeouts in milliseconds. */
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
  };
}

/** Returns the command with the dialect's own variable for the project directory. */
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

/** Returns a matcher that matches only whole names, for formats that search for the matcher in the name. */
export function wholeNames(globs: readonly string[]): GroupMatchers {
  const texts = globs.map(regexOfGlob);
  return { matchers: [texts.length === 1 ? `^${texts[0]}$` : `^(${texts.join('|')})$`], losses: [] };
}
