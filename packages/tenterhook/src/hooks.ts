import type { Agent, AgentOptions } from '@tenterhook/agent';
import type { BusStream, EventRecord, MessageBus } from '@tenterhook/bus';
import type { Explanation, HookEventHandler, ListedHook } from '@tenterhook/engine';
import type {
  AggregatedHookResultOf,
  Diagnostic,
  FireOptions,
  HookDefinition,
  HookEventName,
  HookExecutionProgress,
  HookExecutionResponse,
  HookFieldsOf,
  HookTracing,
} from '@tenterhook/protocol';
import type { ReloadOptions } from './cancellation.js';
import type { Extension } from './settings/extensions/extension.js';
import type { SettingsFile } from './settings/read/read-settings-file.js';
import type { SettingsListener } from './settings/watch/change-listeners.js';
import type { HooksTrust } from './trust/trust-options.js';

/** A hook system with its settings: the object that an agent embeds. */
export interface Hooks {
  /** The bus that carries all messages. */
  readonly bus: MessageBus;
  /**
   * Creates an object whose methods run tools, call the model and handle prompts, each with the hooks before and after it. Create one for
   * each session or chat. It needs no disposal. Throws a TypeError for invalid options, and for a `sessionId` that differs from that of
   * `createHooks`.
   */
  agent(options?: AgentOptions): Agent;
  /**
   * Fires an event: runs its hooks and resolves to their merged result. `input` has the fields of the event. The base fields (`session_id`,
   * `cwd` …) are filled in. If the event has no hook to run, the result is returned at once and nothing is allocated.
   *
   * Never rejects. If an event fails (invalid input, `timeoutMs`, `signal` …), the result has `success: false` and the code in `errors`. It
   * also has the verdict of the hooks that had answered.
   */
  fire<Name extends HookEventName>(
    eventName: Name,
    input: HookFieldsOf<Name>,
    options?: FireOptions,
  ): Promise<AggregatedHookResultOf<Name>>;
  /** Returns whether any hook is configured for the event. Does not wait for anything. */
  has(eventName: HookEventName): boolean;
  /**
   * Returns the configured hooks of the event, or of all events, in the order in which they run. Each has the state `active`, or `off` with
   * the reason. Throws a TypeError for an unknown event.
   */
  list(eventName?: HookEventName): ListedHook[];
  /**
   * Returns an object with one method for each event, named as in LLxprt. Its method `fire` fires any event. Always returns the same
   * object.
   */
  getEventHandler(): HookEventHandler;
  /**
   * Returns for each hook of the event why it would or would not run for this input. Runs no hook. Fields of the input may be missing.
   * Throws a TypeError for an unknown event.
   */
  explain<Name extends HookEventName>(eventName: Name, input?: Partial<HookFieldsOf<Name>>): Explanation;
  /** The problems of the settings. `message` has neither the file nor the remedy; `formatDiagnostic()` adds both. */
  readonly diagnostics: readonly Diagnostic[];
  /** Every file where settings were looked for, whether it exists or not. */
  readonly files: readonly SettingsFile[];
  /** The option `tracing`. Clients and agents of these hooks use it too. */
  readonly tracing?: HookTracing | undefined;
  /** Every configured hook by event, in the order of the plan. */
  readonly hooks: Readonly<Record<HookEventName, readonly HookDefinition[]>>;
  /** The hooks by event that are switched off by a setting, each with the reason. */
  readonly off: Readonly<Record<HookEventName, readonly { readonly hook: HookDefinition; readonly reason: string }[]>>;
  /** Adds and removes extensions at run time. Both methods read all settings again. */
  readonly extensions: {
    /** Adds an extension, or replaces the one with the same name. Resolves when the settings have been read again. */
    add(extension: Extension, options?: ReloadOptions): Promise<void>;
    /** Removes the extension with this name. Resolves when the settings have been read again. */
    remove(name: string, options?: ReloadOptions): Promise<void>;
  };
  /** The decisions about the hooks of the project. There are none with `trust: 'all'`. */
  readonly trust: HooksTrust;
  /** Reads all settings again, and then replaces all hooks at once. An event in progress keeps the hooks with which it began. */
  reload(options?: ReloadOptions): Promise<void>;
  /**
   * Calls the listener after the settings were read again and the hooks were replaced, because of `reload()`, a changed extension or a
   * changed file. An error of the listener is logged. Ends with `dispose()`. Returns a function that removes the listener.
   */
  onChange(listener: SettingsListener): () => void;
  /**
   * Calls the listener for each step of an event: its hooks are planned, a hook is started, a hook has finished. Includes events that other
   * processes fire on the same bus. An error of the listener is logged. Ends with `dispose()`. Returns a function that removes the
   * listener.
   */
  onProgress(listener: (progress: HookExecutionProgress) => void): () => void;
  /**
   * Calls the listener for the response of each event: the result in `output`, or the `error`. The response has the same `correlationId` as
   * the progress of its event. An error of the listener is logged. Ends with `dispose()`. Returns a function that removes the listener.
   */
  onResult(listener: (response: HookExecutionResponse) => void): () => void;
  /**
   * One record for each event: its request, progress and response. If the event has background hooks, the record is emitted when the last
   * of them has ended. Includes events that other processes fire on the same bus. Subscribers are called in a later turn of the event loop.
   * If more than 1024 records wait for a slow subscriber, the oldest are dropped. Completes after `dispose()`.
   *
   * An observable; `for await (const record of hooks.events$)` reads it in a loop. Without a subscriber it costs nothing.
   */
  readonly events$: BusStream<EventRecord>;
  /** Whether `dispose()` was called. */
  readonly isDisposed: boolean;
  /** Cancels all running hooks and releases everything. Closes the bus only if `createHooks` created it. Further calls have no effect. */
  dispose(): Promise<void>;
  /** Calls `dispose()` at the end of a scope: `await using hooks = await createHooks()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** `Hooks` without `agent()`, for the command line. It is bundled without the code that only an agent needs. */
export type OpenHooks = Omit<Hooks, 'agent'>;
