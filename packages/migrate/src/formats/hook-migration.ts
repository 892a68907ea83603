import type { HookDefinition } from '@tenterhook/protocol';
import type { AgentContract } from '../contract.js';
import type { HookLoss, PortableHook } from '../portable/portable-hook.js';

/** What a dialect may know of the machine when it takes a hook out of its settings. */
export interface MigrationContext {
  readonly projectDir: string;
  /** An absolute path; `''` where there is none. */
  readonly home: string;
}

/** A hook in portable words, or a sentence that says why it has none. */
export type ReadHook = PortableHook | { readonly cannot: string };

/** Something to add to settings; nothing that is there changes. */
export interface HookAddition {
  /** The object or list that it goes into, from the top of the settings; what is missing of it is made. */
  readonly at: readonly string[];
  /** Its key, where `at` is an object. @default it goes to the end of a list */
  readonly key?: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** A list in `value`: additions to one place that follow each other and differ in nothing else become one. @default they stay apart */
  readonly joins?: string;
}

/** A hook as settings of the format, one addition for each hook that they will hold; or why the format cannot have it. */
export type WrittenHook =
  | { readonly additions: readonly HookAddition[]; readonly losses: readonly HookLoss[] }
  | { readonly cannot: string };

/** A switch without which the hooks of a file do not run. */
export interface HookSwitch {
  readonly path: readonly [string, ...string[]];
  readonly value: boolean;
}

/** How hooks come out of the settings of one dialect and go into those of another; pure, like all of a dialect. */
export interface HookMigration extends AgentContract {
  /** All hooks of its settings in portable words, in the order given. Those that were dropped by a diagnostic are not among them. */
  read(hooks: readonly HookDefinition[], context: MigrationContext): readonly ReadHook[];
  /** The same backwards, each by itself. `there` are the hooks of the settings that they go into. */
  write(hooks: readonly PortableHook[], there: readonly HookDefinition[]): readonly WrittenHook[];
  /** @default its hooks need none */
  readonly switch?: HookSwitch;
}
