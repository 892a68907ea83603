import type { HookDefinition } from '@tenterhook/protocol';
import type { AgentContract } from '../contract.js';
import type { HookLoss, PortableHook } from '../portable/portable-hook.js';

/** What the conversion may know about the machine. */
export interface MigrationContext {
  readonly projectDir: string;
  /** An absolute path, or `''` if there is no home directory. */
  readonly home: string;
}

export type ReadHook = PortableHook | { readonly cannot: string };

/** Something to add to settings. Existing entries are not changed. */
export interface HookAddition {
  /** The path of the object or list to which `value` is added. Missing parts of the path are created. */
  readonly at: readonly string[];
  /**
   * The key of `value`. Set if `at` is the path of an object.
   * @default `at` is the path of a list, and `value` is added at its end
   */
  readonly key?: string;
  readonly value: Readonly<Record<string, unknown>>;
  /**
   * The name of a list in `value`, e.g. `hooks`. Consecutive additions that differ only in this list become one addition, with the
   * items of both lists.
   * @default additions stay separate
   */
  readonly joins?: string;
}

/** A hook as a format writes it, or the reason why the format cannot express it. One portable hook may need several additions. */
export type WrittenHook =
  | { readonly additions: readonly HookAddition[]; readonly losses: readonly HookLoss[] }
  | { readonly cannot: string };

/** A setting that must have this value, or the hooks of a file do not run. */
export interface HookSwitch {
  readonly path: readonly [string, ...string[]];
  readonly value: boolean | number;
}

/** Converts hooks between the settings of one dialect and the portable form, which belongs to no dialect. The functions are pure. */
export interface HookMigration extends AgentContract {
  /**
   * Converts hooks of the dialect's settings into portable form, in the given order. Hooks that the dialect dropped with a
   * diagnostic are left out.
   */
  read(hooks: readonly HookDefinition[], context: MigrationContext): readonly ReadHook[];
  /**
   * Converts portable hooks into additions to the dialect's settings, one result for each hook. `there` are the hooks that these
   * settings already contain.
   */
  write(hooks: readonly PortableHook[], there: readonly HookDefinition[]): readonly WrittenHook[];
  /** The setting without which the hooks of a file do not run. @default none */
  readonly switch?: HookSwitch;
}
