import type { HookDefinition } from '@tenterhook/protocol';
import type { AgentContract } from '../contract.js';
import type { HookLoss, PortableHook } from '../portable/portable-hook.js';

/** What the conversion may know about the machine. */
export interface MigrationContext {
  readonly projectDir: string;
  /** An absolute path; `''` if there is no home directory. */
  readonly home: string;
}

/** A hook in portable form, or a sentence that says why it cannot be converted. */
export type ReadHook = PortableHook | { readonly cannot: string };

/** Something to add to settings. Existing entries are not changed. */
export interface HookAddition {
  /** The path of the object or list to which `value` is added. Missing parts of the path are created. */
  readonly at: readonly string[];
  /**
   * The key of `value`, if `at` is the path of an object.
   * @default `at` is the path of a list, and `value` is added at its end
   */
  readonly key?: string;
  readonly value: Readonly<Record<string, unknown>>;
  /**
   * The name of a list in `value`. Consecutive additions that are equal except for this list become one addition with both lists.
   * @default additions stay separate
   */
  readonly joins?: string;
}

/** A hook as written in a format, or the reason why the format cannot express it. One portable hook may become several additions. */
export type WrittenHook =
  | { readonly additions: readonly HookAddition[]; readonly losses: readonly HookLoss[] }
  | { readonly cannot: string };

/** A setting that must be true for the hooks of a file to run. */
export interface HookSwitch {
  readonly path: readonly [string, ...string[]];
  readonly value: boolean;
}

/** Converts hooks between the settings of one dialect and the portable form, which no dialect owns. The functions are pure. */
export interface HookMigration extends AgentContract {
  /**
   * Converts hooks of the dialect's settings into portable form, in the given order. Leaves out hooks that were dropped with a diagnostic.
   */
  read(hooks: readonly HookDefinition[], context: MigrationContext): readonly ReadHook[];
  /**
   * Converts portable hooks into additions to the dialect's settings. Returns one result for each hook. `there` are the hooks that these
   * settings already contain.
   */
  write(hooks: readonly PortableHook[], there: readonly HookDefinition[]): readonly WrittenHook[];
  /** The setting that the hooks of a file need. @default none */
  readonly switch?: HookSwitch;
}
