import type { SkipReason } from '../codes.js';
import type { HookEventName } from '../events/event-catalogue.js';
import type { HookWarning, RemoteEngineIdentity } from '../results/outcome.js';
import type { HookLevel } from './hook-level.js';

/** What a hook does when it runs. `kind` determines the executor. */
export type HookAction =
  /** A shell command or, with `args`, a program that runs without a shell. */
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly args?: readonly string[];
      /** Set if one process stays alive and answers many events, by lines of JSON. @default each event has a process of its own */
      readonly mode?: 'resident';
    }
  /** A function of this or another process. */
  | { readonly kind: 'call'; readonly handlerId: string }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly allowedEnvVars: readonly string[];
      /**
       * Whether requests to this machine (loopback addresses) are allowed. Set for formats whose hooks often send such requests.
       * @default they are refused, like requests to other private addresses
       */
      readonly callsThisMachine?: true;
    }
  /** An action that only the host can do, such as asking a model. A callback of the host runs it. */
  | { readonly kind: 'host'; readonly type: string; readonly data: Readonly<Record<string, unknown>> };

/** Why a hook never runs. The reason is known when the settings are read. Plans contain the hook, marked as skipped. */
export interface LoadSkip {
  readonly skipReason: SkipReason;
  /** A sentence for people, with file and line if they are known. */
  readonly reason: string;
  readonly warning?: HookWarning;
  /**
   * The verdict that the hook gives without running, on each event for which it would be selected.
   * @default no verdict, except that a hook with the `skipReason` `invalid` and `onError: 'block'` denies
   */
  readonly objects?: 'ask' | 'deny';
  /**
   * Whether the hook gives the verdict in `objects` on every event with this name. Set if the matcher or condition has changed
   * since the user trusted the hook: the new text does not show for which calls the trusted hook was meant.
   * @default only on events for which the hook would be selected
   */
  readonly onEveryEvent?: true;
}

/** Whether a hook is trusted, and a hash of what was checked. Only for hooks that may come with a repository. */
export interface HookTrust {
  /**
   * Whether the user trusts the hook:
   * - `trusted`: the hook runs.
   * - `new`: the hook comes with the project, and the user has not decided about it.
   * - `changed`: the hook, or a file that it runs or reads, has changed since the user trusted it. A hook in user settings is never
   *   `new`. If the user has not trusted such a hook in this project but it runs files of the project, it is `changed`, because
   *   these files differ from project to project.
   * - `denied`: the user does not want the hook to run.
   * - `refused`: the hook cannot be trusted in its present state, e.g. because of the owner of a file.
   */
  readonly state: 'trusted' | 'new' | 'changed' | 'denied' | 'refused';
  /** A hash of the hook and of all files in the project that it runs or reads, as 64 hexadecimal digits. */
  readonly pin: string;
}

/**
 * One configured hook. A definition never changes after its source has returned it, because an event in progress keeps its hooks
 * (decision 35).
 */
export interface HookDefinition {
  /**
   * `<dialect>/<source>/<event>/<name>`. If the hook has no name, `<group>.<index>` replaces it. The id is unique. It stays the
   * same as long as the settings do not change.
   */
  readonly id: string;
  readonly dialect: string;
  /**
   * Where the hook comes from: `project`, `local`, `user`, `system`, `managed`, `extension:<name>`, `plugin:<name>`, `settings`,
   * `settings:<n>` or `handler`.
   */
  readonly source: string;
  /**
   * The level that is responsible for the hook, such as `user`. Every hook from settings has this field.
   * @default the level that `source` names, or `managed` if a program registered the source
   */
  readonly level?: HookLevel;
  /**
   * The source of the code that the hook runs, if it differs from `source`. For example, a user's hook may run a script of the
   * project. The host must then trust both sources.
   * @default source
   */
  readonly codeSource?: string;
  readonly eventName: HookEventName;
  /** The event in the spelling of the dialect. */
  readonly dialectEvent: string;
  readonly name?: string;
  readonly description?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The path of the hook in the document, e.g. `hooks.BeforeTool[1].hooks[0]`. */
  readonly path?: string;
  /** The matcher as written, for `list` and `explain`. */
  readonly matcher?: string;
  /** The further condition of the hook, as written. The hook runs only if both the matcher and the condition match. */
  readonly condition?: string;
  /** Timeout in milliseconds, from the start of the process. */
  readonly timeoutMs: number;
  /** Timeout of the whole run in milliseconds. Set if the run has several parts with `timeoutMs` each. @default timeoutMs */
  readonly longestMs?: number;
  /**
   * What happens if the hook fails, times out, prints an invalid answer or cannot be started: nothing (`continue`) or a deny
   * (`block`).
   */
  readonly onError: 'continue' | 'block';
  /**
   * Set if the agent of the format denies when a command cannot be started, is ended by a signal, or exits with a code that means failure. A
   * resident hook that ends without an answer is meant too. A timeout and an answer that cannot be read are not meant.
   * @default `onError` decides
   */
  readonly deniesOnCrash?: true;
  /**
   * Set if the agent of the format denies when the hook exceeds its timeout. The end of the time of the event is meant too.
   * @default `onError` decides
   */
  readonly deniesOnTimeout?: true;
  /**
   * What the user can do while the hook is paused because it fails again and again (`circuit_open`), as sentences.
   * @default to fix the hook
   */
  readonly remedy?: string;
  /** True if the event starts the hook but does not wait for its end. The outcome of the hook is then `detached`. */
  readonly async?: boolean;
  /**
   * Set if the hook wakes the agent when it ends with exit code 2 after its event. Only for hooks with `async`.
   * @default the hook does not wake the agent
   */
  readonly rewake?: true;
  /**
   * Whether the hook may detach itself with a line that it prints (`detachesOnAsyncLine`). Only the settings of the hook can allow
   * this. Otherwise an attacker could put such a line into the input, and detach a guard that prints its input.
   * @default the hook may not detach itself
   */
  readonly mayDetach?: true;
  /**
   * Set if the hook runs at most once per session, whatever its outcome is. Later it is `skipped` with the reason `once`.
   * @default the hook runs whenever it is selected
   */
  readonly once?: true;
  /**
   * Set if the settings ask not to show the hook's runs in the chat. The progress messages of the hook then have `hidden: true`.
   * @default shown
   */
  readonly hidden?: true;
  /**
   * With `false`, the hook is not asked again after another hook has rewritten the input. This is for hooks that never deny, such
   * as loggers.
   * @default the hook is asked again
   */
  readonly recheck?: false;
  readonly action: HookAction;
  /** The absolute path of the directory in which the command starts. @default the working directory of the event */
  readonly cwd?: string;
  /** The engine in another process that has the handler. @default the hook runs in this process */
  readonly engine?: RemoteEngineIdentity;
  /**
   * The `kind` of the executor that runs this hook. Needed if several executors run the same kind of action.
   * @default the kind of its invocation
   */
  readonly executor?: string;
  /**
   * Makes hooks duplicates: of several hooks of one dialect and event with the same key, only one runs (decision 22). A hook
   * without a key is never a duplicate.
   */
  readonly dedupeKey?: string;
  readonly skip?: LoadSkip;
  /** The trust of the user. Missing if the hook does not come with a repository and runs no file of a repository. */
  readonly trust?: HookTrust;
  /** Data of the dialect, e.g. compiled matchers, flags, environment. */
  readonly dialectData: unknown;
}

/**
 * Returns the id of a hook: `<dialect>/<source>/<event>/<last>`. Each `/` in a part is escaped, because otherwise two hooks could
 * have the same id.
 */
export function hookIdOf(dialect: string, source: string, eventName: string, last: string): string {
  return [dialect, source, eventName, last].map((part) => part.replaceAll('/', '%2F')).join('/');
}
