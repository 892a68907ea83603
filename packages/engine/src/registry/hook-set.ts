import type { Diagnostic, Dialect, HookDefinition, HookEventName } from '@tenterhook/protocol';

/** One complete set of hooks: data, never changed. A new one takes its place, and an event in flight keeps the one it began with. */
export interface HookSet {
  /** In plan order; those that sources brought come first. */
  readonly dialects: readonly Dialect[];
  /** In the order of their sources. */
  readonly hooks: Readonly<Record<HookEventName, readonly HookDefinition[]>>;
  /** Hooks that are switched off as a whole: no outcomes, but `explain` and `list` show them. */
  readonly off: Readonly<Record<HookEventName, readonly { readonly hook: HookDefinition; readonly reason: string }[]>>;
  readonly diagnostics: readonly Diagnostic[];
}
