import type { HookDefinition } from '@tenterhook/protocol';
import type { AgentContract } from '../contract.js';
import type { HookLoss, PortableHook } from '../portable/portable-hook.js';

/** What a dialect may know about the machine when it reads a hook from its settings. */
export interface MigrationContext {
  readonly projectDir: string;
  /** An absolute path; `''` without a home directory. */
  readonly home: string;
}

/** A hook in portable form, or a sentence that says why it has none. */
export type ReadHook = PortableHook | { readonly cannot: string };

/** Something to add to settings; existing entries stay unchanged. */
export interface HookAddition {
  /** The path of the object or list that it is added to; missing parts of the path are created. */
  readonly at: readonly string[];
  /** Its key, if `at` is an object. @default it is added at the end of a list */
  readonly key?: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** A list in `value`: consecutive additions to one place that differ only in this list become one. @default they stay separate */
  readonly joins?: string;
}

/** A hook as settings of the format, one addition for each resulting hook; or why the format cannot express it. */
export type WrittenHook =
  | { readonly additions: readonly HookAddition[]; readonly losses: readonly HookLoss[] }
  | { readonly cannot: string };

/** A switch without which the hooks of a file do not run. */
export interface HookSwitch {
  readonly path: readonly [string, ...string[]];
  readonly value: boolean;
}

/** How hooks are converted from the settings of one dialect to those of another. Pure, like every part of a dialect. */
export interface HookMigration extends AgentContract {
  /** All hooks of its settings in portable form, in the given order. Hooks that a diagnostic dropped are not included. */
  read(hooks: readonly HookDefinition[], context: MigrationContext): readonly ReadHook[];
  /** The reverse, hook by hook. `there` are the existing hooks of the target settings. */
  write(hooks: readonly PortableHook[], there: readonly HookDefinition[]): readonly WrittenHook[];
  /** @default its hooks need none */
  readonly switch?: HookSwitch;
}
