import type { SkipReason } from '../codes.js';
import type { HookEventName } from '../events/event-catalogue.js';
import type { HookWarning } from '../results/outcome.js';
import type { HookLevel } from './hook-level.js';

/** What a hook does when it runs. `kind` names the executor. */
export type HookAction =
  /** A shell command or, with `args`, a program that runs without a shell. */
  | { readonly kind: 'command'; readonly command: string; readonly args?: readonly string[] }
  /** A function of this or another process. */
  | { readonly kind: 'call'; readonly handlerId: string }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly allowedEnvVars: readonly string[];
    }
  /** Something only the host can do, such as asking a model. A callback of the host runs it. */
  | { readonly kind: 'host'; readonly type: string; readonly data: Readonly<Record<string, unknown>> };

/** Why a hook never runs, if this is known when the settings are read. The hook is still in every plan of its event, with this reason. */
export interface LoadSkip {
  readonly skipReason: SkipReason;
  /** A sentence for people, with file and line if known. */
  readonly reason: string;
  readonly warning?: HookWarning;
  /**
   * The verdict that the hook gives without running, on each event for which it would be selected. @default no verdict, except that a hook
   * with the `skipReason` `invalid` and `onError: 'block'` denies
   */
  readonly objects?: 'ask' | 'deny';
  /**
   * With `objects`: the verdict is given on every event of this kind, because the matcher or the condition is a part of what has changed.
   * @default only on events for which the hook would be selected
   */
  readonly onEveryEvent?: true;
}

/** Whether a hook that may come with a repository is trusted, and a hash of what was checked. */
export interface HookTrust {
  /**
   * `trusted`: the hook runs. `new`: the user has not decided about it in this project. `changed`: it was trusted, but it or a file that it
   * runs or reads has changed since. `denied`: the user does not want it to run. `refused`: it cannot be trusted in its present state, for
   * example because of the owner of a file.
   */
  readonly state: 'trusted' | 'new' | 'changed' | 'denied' | 'refused';
  /** A hash of the hook and of all files that it runs or reads in the project, as 64 hexadecimal digits. */
  readonly pin: string;
}

/**
 * One configured hook. (What seed 000 calls `HookDefinition` is a matcher with its hooks, which is called a hook group here.) Immutable
 * once its source has returned it, because an event in flight keeps the set that it started with (decision 35).
 */
export interface HookDefinition {
  /** `<dialect>/<source>/<event>/<name, else group.index>`. Unique, and unchanged as long as the settings do not change. */
  readonly id: string;
  readonly dialect: string;
  /**
   * Where the hook comes from: `project`, `local`, `user`, `system`, `managed`, `extension:<name>`, `plugin:<name>`, `settings`,
   * `settings:<n>` or `handler`.
   */
  readonly source: string;
  /**
   * The level that is responsible for the hook. Every hook from settings has one. @default the level of `source`. A source with an unknown
   * name was registered by the program, and its hooks are `managed`
   */
  readonly level?: HookLevel;
  /**
   * The source that owns the code of the hook, if it is not `source`. For example, a user's hook may run a script of the project. The host
   * must then trust both sources. @default source
   */
  readonly codeSource?: string;
  readonly eventName: HookEventName;
  /** The event as the dialect spells it. */
  readonly dialectEvent: string;
  readonly name?: string;
  readonly description?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Where in the document, for example `hooks.BeforeTool[1].hooks[0]`. */
  readonly path?: string;
  /** The matcher as written, for `list` and `explain`. */
  readonly matcher?: string;
  /** A condition in addition to the matcher, as written. */
  readonly condition?: string;
  /** Timeout in milliseconds, from the start of the process. */
  readonly timeoutMs: number;
  /** Timeout of the whole run in milliseconds, if the run consists of several parts that have `timeoutMs` each. @default timeoutMs */
  readonly longestMs?: number;
  /**
   * What happens after a failure, a timeout or an unreadable answer, or if the hook was never started: nothing (`continue`), or a deny
   * (`block`).
   */
  readonly onError: 'continue' | 'block';
  /** The event starts the hook and does not wait for it. Its outcome is `detached`. */
  readonly async?: boolean;
  /**
   * Whether the hook may detach itself with a line that it prints (`detachesOnAsyncLine`). Only its settings can allow this. Otherwise a
   * guard that prints text which it received could be detached by that text. @default it may not
   */
  readonly mayDetach?: true;
  /**
   * The hook runs once per session, whatever its outcome. After that it is `skipped` with the reason `once`. @default it runs whenever it
   * is selected
   */
  readonly once?: true;
  /**
   * Set if the settings of the hook ask not to show its runs in the chat. Progress messages about it have `hidden: true`, so that a chat
   * can leave them out. Nothing else changes. @default its runs are shown
   */
  readonly hidden?: true;
  /**
   * With `false`, the hook is not asked again if another hook rewrites the input after it. For hooks that never object, such as loggers.
   * @default it is asked again
   */
  readonly recheck?: false;
  readonly action: HookAction;
  /**
   * The `kind` of the executor that runs this hook, if several executors run the same kind of action. @default the kind of its invocation
   */
  readonly executor?: string;
  /** If several hooks of one dialect and event have the same key, only one runs (decision 22). If absent, the hook is never a duplicate. */
  readonly dedupeKey?: string;
  readonly skip?: LoadSkip;
  /** Absent for a hook that does not come with a repository and runs nothing of it. */
  readonly trust?: HookTrust;
  /** Data of the dialect: compiled matchers, flags, environment. */
  readonly dialectData: unknown;
}

/**
 * Makes the id of a hook: `<dialect>/<source>/<event>/<name, else group.index>` (design §4.5). A `/` in a part is escaped, because it could
 * make two ids equal.
 */
export function hookIdOf(dialect: string, source: string, eventName: string, last: string): string {
  return [dialect, source, eventName, last].map((part) => part.replaceAll('/', '%2F')).join('/');
}
