import type { Agent, AgentOptions } from '@tenterhook/agent';
import type { MessageBus } from '@tenterhook/bus';
import type { Explanation, FireOptions, HookEventHandler, HookSystemOptions, ListedHook } from '@tenterhook/engine';
import type {
  AggregatedHookResultOf,
  Diagnostic,
  Dialect,
  HookDefinition,
  HookEventName,
  HookExecutor,
  HookFieldsOf,
  HookSource,
} from '@tenterhook/protocol';
import type { AgentTool } from './settings/checks/unmatched-matchers.js';
import type { Extension } from './settings/extensions/extension.js';
import type { SettingsFile } from './settings/read/read-settings-file.js';
import type { SettingsListener } from './settings/watch/change-listeners.js';

export interface CreateHooksOptions extends Omit<HookSystemOptions, 'projectDir' | 'dialects' | 'environment'> {
  /** The project whose hooks run. @default the current directory */
  readonly projectDir?: string;
  /** @default all that this package knows */
  readonly dialects?: readonly Dialect[];
  /** Settings to use instead of those that would be discovered: one object, or files relative to the current directory. */
  readonly settings?: object | readonly (string | object)[];
  /** Read `settings` (or, without them, discover only) in this dialect. @default recognised by place and content */
  readonly dialect?: string;
  readonly extensions?: readonly Extension[];
  /** Hooks that are functions: a `HookEngine`, or `remoteHandlers(…)`. Each is a source of hooks and the executor of them. */
  readonly handlers?: readonly (HookSource & HookExecutor)[];
  /**
   * Read the settings again when one of the files that are looked for appears, changes or goes; `onChange` reports it. Keeps no process
   * alive, and ends with `dispose()`. @default false
   */
  readonly watch?: boolean | WatchOptions;
  /**
   * The tools that the agent has, MCP tools included: a hook whose matcher fits none is a diagnostic. A name, or for an MCP tool
   * `{ name, server }`; a name `server__tool` or `mcp__server__tool` is tried as it stands and as that server's tool. @default not checked
   */
  readonly toolNames?: readonly AgentTool[];
  /** Reject with a SettingsError when the settings have an error, instead of running what is left. @default false */
  readonly strict?: boolean;
}

export interface WatchOptions {
  /** Milliseconds between two looks at the files, 1 to 2147483647; a change counts when two looks in a row saw the same. @default 200 */
  readonly debounceMs?: number;
}

/** A hook system with settings: what an agent embeds. */
export interface Hooks {
  readonly bus: MessageBus;
  /**
   * The agent's side: an object whose methods run tools, call the model and work on prompts with these hooks around them. One for each session
   * or chat; it holds nothing and needs no disposal. Throws a TypeError for invalid options, and for a `sessionId` when `createHooks` has another.
   */
  agent(options?: AgentOptions): Agent;
  /**
   * Fires an event: runs its hooks, and resolves to what they decided and said together. `input` has the fields of the event; the base fields
   * (`session_id`, `cwd` …) are filled in. For an event without a hook to run, the result is there at once and nothing is allocated.
   *
   * Never rejects. An event that was not carried out (an invalid input, `timeoutMs`, `signal` …) is a result with `success: false`, the code in
   * `errors`, and the verdict of the hooks that had answered.
   */
  fire<Name extends HookEventName>(
    eventName: Name,
    input: HookFieldsOf<Name>,
    options?: FireOptions,
  ): Promise<AggregatedHookResultOf<Name>>;
  /** Whether any hook is configured for the event; a synchronous read. */
  has(eventName: HookEventName): boolean;
  /**
   * Every configured hook of the event, or of all events, with its state: `active`, or `off` with the reason. In plan order. Throws a TypeError
   * for an unknown event.
   */
  list(eventName?: HookEventName): ListedHook[];
  /** Fires events by methods of LLxprt's names, one an event, and events of any name by its `fire`. Always the same object. */
  getEventHandler(): HookEventHandler;
  /**
   * Why each hook of the event would or would not run for this input, which may lack fields. Nothing is run. Throws a TypeError for an unknown
   * event.
   */
  explain<Name extends HookEventName>(eventName: Name, input?: Partial<HookFieldsOf<Name>>): Explanation;
  /** What is wrong with the settings, and what to write instead. */
  readonly diagnostics: readonly Diagnostic[];
  /** Every settings file that was looked for, found or not. */
  readonly files: readonly SettingsFile[];
  /** Every configured hook, by event, in plan order of its sources. */
  readonly hooks: Readonly<Record<HookEventName, readonly HookDefinition[]>>;
  /** Hooks that are switched off as a whole, and by what. */
  readonly off: Readonly<Record<HookEventName, readonly { readonly hook: HookDefinition; readonly reason: string }[]>>;
  readonly extensions: {
    /** Adds an extension, or replaces the one of that name. */
    add(extension: Extension): Promise<void>;
    remove(name: string): Promise<void>;
  };
  /** Reads all settings anew and swaps the whole set; an event in flight keeps the set it started with. */
  reload(): Promise<void>;
  /**
   * Calls the listener whenever the settings were read again and the set was swapped: by `reload()`, for an extension, or because a watched
   * file has changed. An error of the listener is logged and has no other effect. Not called after `dispose()`. Returns a function that
   * removes the listener.
   */
  onChange(listener: SettingsListener): () => void;
  /** Cancels all running hooks and releases everything; closes the bus only if it was made here. Idempotent. */
  dispose(): Promise<void>;
  /** The same, at the end of a scope: `await using hooks = await createHooks()`. */
  [Symbol.asyncDispose](): Promise<void>;
}
