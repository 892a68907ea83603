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
      /**
       * Set for formats whose hooks often send requests to this machine (loopback addresses), so these are allowed. @default they are
       * refused, like requests to other private addresses
       */
      readonly callsThisMachine?: true;
    }
  /** An action that only the host can do, such as asking a model. The host's callback runs it. */
  | { readonly kind: 'host'; readonly type: string; readonly data: Readonly<Record<string, unknown>> };

/** Why a hook never runs, if this is known when the settings are read. Plans contain the hook, marked as skipped. */
export interface LoadSkip {
  readonly skipReason: SkipReason;
  /** A sentence for people, with file and line if known. */
  readonly reason: string;
  readonly warning?: HookWarning;
  /**
   * A verdict in place of the hook's answer. The hook gives this verdict without running, on each event for which the hook would be
   * selected.
   * @default no verdict, except that a hook with the `skipReason` `invalid` and `onError: 'block'` denies
   */
  readonly objects?: 'ask' | 'deny';
  /**
   * With `objects`: the hook gives its verdict on every event with this name. Set if the matcher or condition has changed since the user
   * trusted the hook. The new matcher or condition does not show for which calls the trusted hook was meant.
   * @default only on events for which the hook would be selected
   */
  readonly onEveryEvent?: true;
}

/** Whether a hook is trusted, and a hash of what was checked. Only for hooks that may come with a repository. */
export interface HookTrust {
  /**
   * Whether the user trusts the hook.
   * - `trusted`: the hook runs.
   * - `new`: the hook comes with the project, and the user has not decided about it.
   * - `changed`: the hook, or a file that it runs or reads, has changed since the user trusted it. A hook in user settings is never `new`. If
   *   it runs files of a project in which the user has not trusted it, it is `changed`, because these files differ from project to project.
   * - `denied`: the user does not want the hook to run.
   * - `refused`: the hook cannot be trusted in its present state, for example because of the owner of a file.
   */
  readonly state: 'trusted' | 'new' | 'changed' | 'denied' | 'refused';
  /** A hash of the hook and of all files in the project that it runs or reads, as 64 hexadecimal digits. */
  readonly pin: string;
}

/**
 * One configured hook. A definition never changes after its source has returned it, because an event that is being processed keeps its
 * hooks (decision 35).
 */
export interface HookDefinition {
  /**
   * `<dialect>/<source>/<event>/<name>`. If the hook has no name, `<group>.<index>` takes its place. The id is unique. It stays the same
   * as long as the settings do not change.
   */
  readonly id: string;
  readonly dialect: string;
  /**
   * Where the hook comes from: `project`, `local`, `user`, `system`, `managed`, `extension:<name>`, `plugin:<name>`, `settings`,
   * `settings:<n>` or `handler`.
   */
  readonly source: string;
  /**
   * Who is responsible for the hook, such as `user`. Every hook from settings has this field.
   * @default the level that `source` names, or `managed` if a program registered the source
   */
  readonly level?: HookLevel;
  /**
   * The source of the code that the hook runs, if it differs from `source`. For example, a user's hook may run a script of the project.
   * The host must then trust both sources.
   * @default source
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
  /** A condition that must hold in addition to the matcher, as written. */
  readonly condition?: string;
  /** Timeout in milliseconds, from the start of the process. */
  readonly timeoutMs: number;
  /** Timeout of the whole run in milliseconds, if the run has several parts with `timeoutMs` each. @default timeoutMs */
  readonly longestMs?: number;
  /** What happens if the hook fails, times out, prints an invalid answer or cannot be started: nothing (`continue`) or a deny (`block`). */
  readonly onError: 'continue' | 'block';
  /** True if the event starts the hook and does not wait for its end. The outcome of the hook is `detached`. */
  readonly async?: boolean;
  /**
   * Set if the hook wakes the agent when it ends with exit code 2 after its event. Only for hooks with `async`.
   * @default it does not wake the agent
   */
  readonly rewake?: true;
  /**
   * Whether the hook may detach itself with a line that it prints (`detachesOnAsyncLine`). Only its settings can allow this. Otherwise an
   * attacker could detach a guard that prints what it receives, by putting such a line into the input.
   * @default it may not
   */
  readonly mayDetach?: true;
  /**
   * Set if the hook runs at most once per session, whatever its outcome. Later it is `skipped` with the reason `once`.
   * @default it runs whenever it is selected
   */
  readonly once?: true;
  /** Set if the settings ask not to show the hook's runs in the chat. Its progress messages then have `hidden: true`. @default shown */
  readonly hidden?: true;
  /**
   * With `false`, the hook is not asked again after another hook has rewritten the input. For hooks that never deny, such as loggers.
   * @default it is asked again
   */
  readonly recheck?: false;
  readonly action: HookAction;
  /**
   * The `kind` of the executor that runs this hook, if several executors run the same kind of action.
   * @default the kind of its invocation
   */
  readonly executor?: string;
  /** Of several hooks of one dialect and event with the same key, only one runs (decision 22). Without a key, every hook runs. */
  readonly dedupeKey?: string;
  readonly skip?: LoadSkip;
  /** Absent for a hook that neither comes with a repository nor runs a file of one. */
  readonly trust?: HookTrust;
  /** Data of the dialect: compiled matchers, flags, environment. */
  readonly dialectData: unknown;
}

/**
 * Returns the id of a hook: `<dialect>/<source>/<event>/<last>`. Escapes each `/` in a part. Otherwise two hooks could have the same id.
 */
export function hookIdOf(dialect: string, source: string, eventName: string, last: string): string {
  return [dialect, source, eventName, last].map((part) => part.replaceAll('/', '%2F')).join('/');
}
