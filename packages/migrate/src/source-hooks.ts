import { type Dialect, type HookDefinition, type HookEventName, hookEventNames } from '@tenterhook/protocol';
import type { HookMigration } from './formats/hook-migration.js';
import type { PortableHook } from './portable/portable-hook.js';

/** The hooks of settings by event, as in the result of `createHooks()`. `off` are the hooks that a setting switches off. */
export interface HooksByEvent {
  readonly hooks: Readonly<Record<HookEventName, readonly HookDefinition[]>>;
  readonly off: Readonly<Record<HookEventName, readonly { readonly hook: HookDefinition; readonly reason: string }[]>>;
}

export interface SourceHook {
  /** The definitions of the hook. There are two if one hook in the target does the work of both. */
  readonly definitions: readonly [HookDefinition, ...HookDefinition[]];
  readonly portable: PortableHook | { readonly cannot: string };
  /** Why the hook does not run in its original settings. */
  readonly off?: string;
}

export function sourceHooks(
  { hooks, off }: HooksByEvent,
  dialect: Dialect,
  migration: HookMigration,
  projectDir: string,
  home: string,
): SourceHook[] {
  const reasons = new Map(hookEventNames.flatMap((name) => off[name].map(({ hook, reason }) => [hook, reason] as const)));
  const all = hookEventNames.flatMap((name) => inOrder([...hooks[name], ...off[name].map(({ hook }) => hook)], dialect));
  const readable = all.filter((hook) => refusal(hook) === undefined);
  const read = migration.read(readable, { projectDir, home });
  const portables = new Map(readable.map((hook, index) => [hook, read[index]]));
  const sources = all.map((hook): SourceHook => {
    const reason = reasons.get(hook);
    const portable = portables.get(hook) ?? { cannot: refusal(hook) ?? 'The hook could not be read.' };
    return { definitions: [hook], portable, ...(reason === undefined ? {} : { off: reason }) };
  });
  return joinOutcomes(sources);
}

function inOrder(hooks: readonly HookDefinition[], dialect: Dialect): readonly HookDefinition[] {
  const ordered = dialect.layOut(hooks).flatMap((stage) => stage.hooks);
  return ordered.length === hooks.length ? ordered : hooks;
}

/**
 * Returns why a hook is not converted: it is disabled, or it is an invalid command. Invalid hooks of other kinds, such as prompts
 * for a model, are refused later with a more exact reason.
 */
function refusal({ skip, action }: HookDefinition): string | undefined {
  if (skip?.skipReason === 'invalid' && action.kind === 'command') return `The hook does not run in its original settings: ${skip.reason}`;
  return skip?.skipReason === 'disabled' ? `The hook is disabled: ${skip.reason}` : undefined;
}

/** Joins two hooks that are equal, except that one runs after successful tools and the other after failed tools. */
function joinOutcomes(sources: readonly SourceHook[]): SourceHook[] {
  const joined: SourceHook[] = [];
  for (const source of sources) {
    const at = joined.findIndex((other) => isOtherHalf(other, source));
    const other = joined[at];
    if (other === undefined || 'cannot' in other.portable) joined.push(source);
    else {
      const { outcome: _both, ...portable } = other.portable;
      joined[at] = { ...other, definitions: [...other.definitions, ...source.definitions], portable };
    }
  }
  return joined;
}

function isOtherHalf(one: SourceHook, other: SourceHook): boolean {
  if ('cannot' in one.portable || 'cannot' in other.portable) return false;
  const { outcome: a, ...rest } = one.portable;
  const { outcome: b, ...others } = other.portable;
  const sameFile = one.definitions[0].file === other.definitions[0].file;
  return sameFile && a !== undefined && b !== undefined && a !== b && JSON.stringify(rest) === JSON.stringify(others);
}
