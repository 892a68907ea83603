import type { MessageBus } from '@tenterhook/bus';
import type { CircuitBreakerOptions, HookLimits, HostCallback, HttpOptions, SpawnerKind, TrustCheck } from '@tenterhook/engine';
import type { Dialect, HookExecutor, HookSource, HookTracing } from '@tenterhook/protocol';
import type { InspectOptions } from './inspect/inspect-options.js';
import type { HooksRecordOptions } from './record/record-options.js';
import type { AgentTool } from './settings/checks/unmatched-matchers.js';
import type { Extension } from './settings/extensions/extension.js';
import type { TrustMode, TrustOptions } from './trust/trust-options.js';

/** The options of `createHooks()`. All are optional. Most agents need only the first six. */
export interface CreateHooksOptions {
  /**
   * The directory of the project whose hooks run. Hooks receive it as `*_PROJECT_DIR` in their environment. A relative path is resolved
   * against the current directory. @default the current directory
   */
  readonly projectDir?: string;
  /**
   * The `session_id` of every event. In a program with several chats, omit it here and pass it to `hooks.agent()` for each chat.
   * @default the session id in each request, or a generated one
   */
  readonly sessionId?: string;
  /**
   * Settings to use instead of the discovered ones: one object, or an array of objects and file names. File names are relative to the
   * current directory. `{}` means no hooks. @default the settings files of the project, the user and the system
   */
  readonly settings?: object | readonly (string | object)[];
  /**
   * Hooks that are functions. Each entry supplies hooks and runs them: a `HookEngine`, or the result of `remoteHandlers(…)`.
   * @default none
   */
  readonly handlers?: readonly (HookSource & HookExecutor)[];
  /**
   * The tools of the agent, including MCP tools. A matcher that matches none of them is reported as a diagnostic. Each entry is the name of
   * a tool, e.g. `read_file`. For an MCP tool, it is `{ name, server }`, or a name such as `server__tool` or `mcp__server__tool`.
   * @default matchers are not checked
   */
  readonly toolNames?: readonly AgentTool[];
  /**
   * Whether to read the settings again when one of their files is created, changed or removed. `onChange` reports each reading. Watching
   * does not keep the process alive, and ends with `dispose()`. @default false
   */
  readonly watch?: boolean | WatchOptions;

  /**
   * The dialect of `settings`. Without `settings`, only files of this dialect are discovered. @default determined from the location and the
   * content of the settings
   */
  readonly dialect?: string;
  /**
   * The supported dialects, with their options: `[claudeCode({ tools })]`. Hooks run in the order of this list. @default all dialects of
   * this package
   */
  readonly dialects?: readonly Dialect[];
  /** The extensions of the agent. Their hooks run together with the hooks of the settings. @default none */
  readonly extensions?: readonly Extension[];
  /**
   * Whether to reject with a SettingsError if the settings have an error. Otherwise the valid hooks run. Applies only to the first load.
   * @default false
   */
  readonly strict?: boolean;
  /**
   * Stops waiting for settings, for example on a network folder that does not answer. `createHooks` then rejects with a TenterhookError
   * (`cancelled`) and leaves nothing open. Has no effect after `createHooks` has resolved. @default none
   */
  readonly signal?: AbortSignal | undefined;

  /** The bus on which events are fired and answered. `dispose()` does not close it. @default a private bus */
  readonly bus?: MessageBus;
  /**
   * Functions that run the types of hooks that need the agent: `prompt` and `agent` ask a model, `mcp_tool` calls a tool. A hook whose type
   * is missing here does not run, and is reported as a diagnostic. @default none
   */
  readonly callbacks?: Readonly<Record<string, HostCallback>>;
  /**
   * Decides which hooks may run. Called for each hook whenever hooks are loaded. A hook that is not trusted is skipped. @default every hook
   * may run
   */
  readonly isTrusted?: TrustCheck;
  /**
   * Which hooks that come from a repository may run. These are the hooks in the repository's settings, and hooks of the user that run its
   * files. `store`: the ones that the user has accepted run, until their files change. `none`: none of them run. `all`: all of them run. An
   * object has further options, such as `ask`.
   * @default 'store'; with `isTrusted` 'all'
   */
  readonly trust?: TrustMode | TrustOptions;

  /** How many hooks run at the same time, and how much of their output is kept. @default the defaults of `HookLimits` */
  readonly limits?: Partial<HookLimits>;
  /**
   * How the processes of hooks are started. `auto`: on Linux, resident bash shells (lanes) start the shell commands that give the same result
   * there, which blocks this process for a shorter time; other hooks are started directly. `lanes`: the same, with a process warning if this
   * machine cannot use lanes. `direct`: this process starts each one. See docs/lanes.md for the differences.
   * @default the environment variable `TENTERHOOK_SPAWNER`, else 'auto'
   */
  readonly spawner?: SpawnerKind;
  /** Where hooks of the kind `http` may send requests, and what they may send. @default any public address */
  readonly http?: HttpOptions;
  /**
   * Pauses a hook that keeps failing. While it is paused its outcome is `skipped: circuit-open`, or a deny if its `onError` is `block`.
   * @default off
   */
  readonly circuitBreaker?: CircuitBreakerOptions;
  /**
   * Records all messages of the bus to a file: `{ file: 'run.bus.jsonl' }`. An existing file is an error. `dispose()` completes the
   * recording. @default the environment variable `TENTERHOOK_RECORD`, else no recording
   */
  readonly record?: HooksRecordOptions;
  /**
   * Whether other processes of the same user can attach, such as `tenterhook record --attach <pid>`. They see all messages, and can also fire
   * events and answer them. The socket keeps the process alive until `dispose()`. If you pass `bus`, also pass the socket of its hub:
   * `{ socket }`. @default the environment variable `TENTERHOOK_INSPECT`, else false
   */
  readonly inspect?: boolean | InspectOptions;
  /**
   * Records events and hooks in a tracing system: `otel()` of `@tenterhook/otel` for OpenTelemetry. An error in it is logged and changes
   * nothing else. @default nothing is recorded
   */
  readonly tracing?: HookTracing | undefined;
  /** Options that few agents need. */
  readonly advanced?: AdvancedOptions;
}

/** Options of `createHooks()` that few agents need. */
export interface AdvancedOptions {
  /**
   * The working directory of the hooks. A `cwd` in a request overrides it. A relative path is resolved against the current directory.
   * @default projectDir
   */
  readonly cwd?: string;
  /** The `transcript_path` of every event. A value in a request overrides it. @default '' */
  readonly transcriptPath?: string;
  /** Sources of hooks that do not come from settings. @default none */
  readonly sources?: readonly HookSource[];
  /**
   * Executors for further kinds of hooks. If several have the same kind, the last one is used. An executor of the kind `command`, `http` or
   * `host` replaces the built-in one. @default none
   */
  readonly executors?: readonly HookExecutor[];
}

/** How settings files are watched. */
export interface WatchOptions {
  /**
   * Milliseconds between two checks of the files, from 1 to 2147483647. A change is applied when two checks in a row see the same state.
   * @default 200
   */
  readonly debounceMs?: number;
}
