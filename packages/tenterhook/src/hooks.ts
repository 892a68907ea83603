import type { Agent, AgentOptions } from '@tenterhook/agent';
import type { MessageBus } from '@tenterhook/bus';
import type { Explanation, FireOptions, HookEventHandler, ListedHook } from '@tenterhook/engine';
import type {
  AggregatedHookResultOf,
  Diagnostic,
  HookDefinition,
  HookEventName,
  HookExecutionProgress,
  HookExecutionResponse,
  HookFieldsOf,
} from '@tenterhook/protocol';
import type { Extension } from './settings/extensions/extension.js';
import type { SettingsFile } from './settings/read/read-settings-file.js';
import type { SettingsListener } from './settings/watch/change-listeners.js';

/** A hook system with settings: what an agent embeds. */
export interface Hooks {
  /** The bus that carries all messages. */
  readonly bus: MessageBus;
  /**
   * The agent's side: an object whose methods run tools, call the model and work on prompts, with these hooks around them. Create one for
   * each session or chat; it holds no resources and needs no disposal. Throws a TypeError for invalid options, and for a `sessionId` when
   * `createHooks` has another.
   */
  agent(options?: AgentOptions): Agent;
  /**
   * Fires an event: runs its hooks, and resolves to their merged result. `input` has the fields of the event; the base fields
   * (`session_id`, `cwd` …) are filled in. For an event without a hook to run, the result is available at once and nothing is allocated.
   *
   * Never rejects. An event that was not carried out (an invalid input, `timeoutMs`, `signal` …) is a result with `success: false`, the
   * code in `errors`, and the verdict of the hooks that had answered.
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
  /** Fires events with one method for each event, named as in LLxprt, and any event with its `fire`. Always the same object. */
  getEventHandler(): HookEventHandler;
  /**
   * Why each hook of the event would or would not run for this input, which may lack fields. Nothing is run. Throws a TypeError for an unknown
   * event.
   */
  explain<Name extends HookEventName>(eventName: Name, input?: Partial<HookFieldsOf<Name>>): Explanation;
  /** The problems of the settings. `formatDiagnostic()` makes a line of one, with its file and its remedy; `message` alone has neither. */
  readonly diagnostics: readonly Diagnostic[];
  /** Every settings file that was looked for, found or not. */
  readonly files: readonly SettingsFile[];
  /** Every configured hook, by event, in plan order of its sources. */
  readonly hooks: Readonly<Record<HookEventName, readonly HookDefinition[]>>;
  /** Hooks that are switched off as a whole, and the reason. */
  readonly off: Readonly<Record<HookEventName, readonly { readonly hook: HookDefinition; readonly reason: string }[]>>;
  /** Adds and removes extensions at run time. Both read all settings again. */
  readonly extensions: {
    /** Adds an extension, or replaces the one of that name. */
    add(extension: Extension): Promise<void>;
    /** Removes the extension of that name. Resolves when the settings have been read again. */
    remove(name: string): Promise<void>;
  };
  /** Reads all settings again and replaces the whole set; an event in flight keeps the set it started with. */
  reload(): Promise<void>;
  /**
   * Calls the listener whenever the settings were read again and the set was swapped: by `reload()`, for an extension, or because a watched
   * file has changed. An error of the listener is logged and has no other effect. Not called after `dispose()`. Returns a function that
   * removes the listener.
   */
  onChange(listener: SettingsListener): () => void;
  /**
   * Calls the listener for each step of an event: which hooks are planned, started, finished. Every event on the bus counts, also one that another
   * process fires. An error of the listener is logged and has no other effect. Ends with `dispose()`. Returns a function that removes the listener.
   */
  onProgress(listener: (progress: HookExecutionProgress) => void): () => void;
  /** The same for the response of each event: the result in `output`, or the `error`. Its `correlationId` is that of the progress. */
  onResult(listener: (response: HookExecutionResponse) => void): () => void;
  /** Cancels all running hooks and releases everything; closes the bus only if it was made here. Idempotent. */
  dispose(): Promise<void>;
  /** The same, at the end of a scope: `await using hooks = await createHooks()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The same without the agent's side, for the command line: it is not bundled with what only an agent needs. */
export type OpenHooks = Omit<Hooks, 'agent'>;
