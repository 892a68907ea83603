import type { Agent, AgentOptions } from '@tenterhook/agent';
import type { MessageBus } from '@tenterhook/bus';
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
   * Creates the agent's side: an object whose methods run tools, call the model and handle prompts, each with hooks before and after.
   * Create one for each session or chat. It holds no resources and needs no disposal. Throws a TypeError for invalid options, and for a
   * `sessionId` that differs from the one of `createHooks`.
   */
  agent(options?: AgentOptions): Agent;
  /**
   * Fires an event: runs its hooks and resolves to their merged result. `input` has the fields of the event; the base fields (`session_id`,
   * `cwd` …) are filled in. For an event without a hook to run, the result is returned at once and nothing is allocated.
   *
   * Never rejects. If an event was not carried out (invalid input, `timeoutMs`, `signal` …), the result has `success: false`, the code in
   * `errors`, and the verdict of the hooks that had answered.
   */
  fire<Name extends HookEventName>(
    eventName: Name,
    input: HookFieldsOf<Name>,
    options?: FireOptions,
  ): Promise<AggregatedHookResultOf<Name>>;
  /** Returns whether any hook is configured for the event. Does not wait for anything. */
  has(eventName: HookEventName): boolean;
  /**
   * Returns every configured hook of the event, or of all events, in plan order. Each has a state: `active`, or `off` with the reason.
   * Throws a TypeError for an unknown event.
   */
  list(eventName?: HookEventName): ListedHook[];
  /** Returns an object with one method for each event, named as in LLxprt; its `fire` fires any event. It is always the same object. */
  getEventHandler(): HookEventHandler;
  /**
   * Returns for each hook of the event why it would or would not run for this input. Fields of the input may be missing. Runs no hook.
   * Throws a TypeError for an unknown event.
   */
  explain<Name extends HookEventName>(eventName: Name, input?: Partial<HookFieldsOf<Name>>): Explanation;
  /** The problems of the settings. `formatDiagnostic()` formats a problem with its file and remedy; `message` contains neither. */
  readonly diagnostics: readonly Diagnostic[];
  /** Every file where settings were looked for, whether it exists or not. */
  readonly files: readonly SettingsFile[];
  /** Every configured hook by event, in the order of the plan and its sources. */
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
  /** Reads all settings again and replaces all hooks at once. An event that is being handled keeps the hooks with which it began. */
  reload(options?: ReloadOptions): Promise<void>;
  /**
   * Calls the listener whenever the settings were read again and the hooks were replaced: by `reload()`, for an extension, or because a
   * watched file changed. An error of the listener is logged and has no other effect. Not called after `dispose()`. Returns a function that
   * removes the listener.
   */
  onChange(listener: SettingsListener): () => void;
  /**
   * Calls the listener for each step of an event: when its hooks are planned, and when each is started and finished. Includes events that
   * other processes fire on the same bus. An error of the listener is logged and has no other effect. Ends with `dispose()`. Returns a
   * function that removes the listener.
   */
  onProgress(listener: (progress: HookExecutionProgress) => void): () => void;
  /**
   * Calls the listener for the response of each event: the result in `output`, or the `error`. The `correlationId` is the same as in the
   * event's progress. In all other respects it is like `onProgress`.
   */
  onResult(listener: (response: HookExecutionResponse) => void): () => void;
  /** Cancels all running hooks and releases everything. Closes the bus only if `createHooks` created it. Further calls have no effect. */
  dispose(): Promise<void>;
  /** Calls `dispose()` at the end of a scope: `await using hooks = await createHooks()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** `Hooks` without `agent()`, for the command line, which is bundled without the code that only an agent needs. */
export type OpenHooks = Omit<Hooks, 'agent'>;
