import type { MessageBus } from '@tenterhook/bus';
import type { CircuitBreakerOptions, HookLimits, HostCallback, HttpOptions, TrustCheck } from '@tenterhook/engine';
import type { Dialect, HookExecutor, HookSource } from '@tenterhook/protocol';
import type { AgentTool } from './settings/checks/unmatched-matchers.js';
import type { Extension } from './settings/extensions/extension.js';

/** The options of `createHooks()`; all are optional. The first six are those that most agents need. */
export interface CreateHooksOptions {
  /** The project whose hooks run, and `*_PROJECT_DIR` in their environment. Relative to the current directory. @default the current directory */
  readonly projectDir?: string;
  /**
   * `session_id` of every event. Leave it out if the program has several chats, and pass it to `hooks.agent()` for each of them. @default that of
   * each request, or a generated one
   */
  readonly sessionId?: string;
  /**
   * Settings to use instead of those that would be discovered: one object, or an array of objects and of files relative to the current directory.
   * `{}`: no hooks. @default the settings files of the project, the user and the system
   */
  readonly settings?: object | readonly (string | object)[];
  /** Hooks that are functions: a `HookEngine`, or `remoteHandlers(…)`. Each is the source and the executor of its hooks. @default none */
  readonly handlers?: readonly (HookSource & HookExecutor)[];
  /**
   * The tools of the agent, including MCP tools: a hook whose matcher matches none of them is a diagnostic. A name, or for an MCP tool `{ name,
   * server }`; a name `server__tool` or `mcp__server__tool` is tried unchanged and as that server's tool. @default not checked
   */
  readonly toolNames?: readonly AgentTool[];
  /**
   * Read the settings again when one of their files is created, changed or removed; `onChange` reports it. Does not keep the process alive, and ends
   * with `dispose()`. @default false
   */
  readonly watch?: boolean | WatchOptions;

  /** Read `settings` in this dialect; without `settings`, discover only files of this dialect. @default recognised by location and content */
  readonly dialect?: string;
  /** The formats that can be read, with their options: `[claudeCode({ tools })]`. Hooks run in this order. @default all dialects of this package */
  readonly dialects?: readonly Dialect[];
  /** The extensions of the agent, whose hooks run with those of the settings. @default none */
  readonly extensions?: readonly Extension[];
  /** Reject with a SettingsError when the settings have an error, instead of running the valid hooks. At the first load only. @default false */
  readonly strict?: boolean;

  /** The bus to fire on and to answer on. `dispose()` does not close it. @default a private bus */
  readonly bus?: MessageBus;
  /**
   * Functions for hooks that only the host can run, by type: asking a model (`prompt`, `agent`), calling a tool (`mcp_tool`). A hook of another type
   * does not run, and is a diagnostic. @default none
   */
  readonly callbacks?: Readonly<Record<string, HostCallback>>;
  /** Which hooks may run. Called for each hook whenever hooks are loaded; a hook that is not trusted is skipped. @default every source is trusted */
  readonly isTrusted?: TrustCheck;

  /** How many hooks run at the same time, and how much of their output is kept. @default those of `HookLimits` */
  readonly limits?: Partial<HookLimits>;
  /** Where hooks of the kind `http` may send requests. @default only the public internet */
  readonly http?: HttpOptions;
  /**
   * Pauses a hook that keeps failing. Until it is tried again its outcome is `skipped: circuit-open`, or a deny if its `onError` is `block`.
   * @default off
   */
  readonly circuitBreaker?: CircuitBreakerOptions;
  /** What few agents need. */
  readonly advanced?: AdvancedOptions;
}

/** Options of `createHooks()` that few agents need. */
export interface AdvancedOptions {
  /** Working directory of the hooks, unless a request has a `cwd`. Made absolute. @default projectDir */
  readonly cwd?: string;
  /** `transcript_path` of every event, unless a request has one. @default '' */
  readonly transcriptPath?: string;
  /** Hooks that do not come from settings. @default none */
  readonly sources?: readonly HookSource[];
  /**
   * What runs hooks of other kinds. Of several with the same kind, the last counts; one of the kind `command`, `http` or `host` replaces the
   * built-in one. @default none
   */
  readonly executors?: readonly HookExecutor[];
}

/** How settings files are watched. */
export interface WatchOptions {
  /**
   * Milliseconds between two checks of the files, 1 to 2147483647; a change counts when two consecutive checks see the same state. @default
   * 200
   */
  readonly debounceMs?: number;
}
