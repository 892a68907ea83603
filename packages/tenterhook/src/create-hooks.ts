import { resolve } from 'node:path';
import type { MessageBus } from '@tenterhook/bus';
import { defaultDialects } from '@tenterhook/dialects';
import { type Explanation, type HookEventHandler, HookService, HookSystem, type HookSystemOptions } from '@tenterhook/engine';
import { containDialect } from '@tenterhook/engine/internal';
import {
  type Diagnostic,
  type Dialect,
  formatDiagnostic,
  type HookDefinition,
  type HookEventName,
  type HookExecutor,
  type HookSource,
} from '@tenterhook/protocol';
import { requireExtension, requireOptions, requireReadable } from './require-options.js';
import type { AgentTool } from './settings/checks/unmatched-matchers.js';
import { dialectContext } from './settings/discover/dialect-context.js';
import type { Extension } from './settings/extensions/extension.js';
import type { SettingsFile } from './settings/read/read-settings-file.js';
import { SettingsSource } from './settings/settings-source.js';
import { ChangeListeners, type SettingsListener } from './settings/watch/change-listeners.js';
import { watchFiles } from './settings/watch/watch-files.js';

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

const defaultDebounceMs = 200;

/** A hook system with settings: what an agent embeds. */
export interface Hooks {
  readonly bus: MessageBus;
  /** Whether any hook is configured for the event; a synchronous read. */
  has(eventName: string): boolean;
  getEventHandler(): HookEventHandler;
  /** Why each hook of the event would or would not run for this input. Nothing is run. */
  explain(eventName: string, input?: Readonly<Record<string, unknown>>): Explanation;
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
}

/** Finds the settings and creates a system that runs their hooks. Resolves when all sources are loaded (field failure 25). */
export function createHooks(options: CreateHooksOptions = {}): Promise<Hooks> {
  return openHooks(options);
}

/** What the command line adds to the options of a host. */
export interface CommandLineOptions {
  /** A command runs nothing that only an agent can run, and its diagnostics say so of such hooks. @default false */
  readonly commandLine?: boolean;
  /** The environment that settings are looked for in and that hooks get. @default the environment of this process */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** `createHooks` with what only the command line may set. */
export async function openHooks(options: CreateHooksOptions, { commandLine = false, env }: CommandLineOptions = {}): Promise<Hooks> {
  requireOptions(options);
  const {
    settings,
    extensions = [],
    handlers = [],
    strict = false,
    watch = false,
    toolNames,
    dialects: given = defaultDialects(),
    dialect,
    ...systemOptions
  } = options;
  const dialects = given.map(containDialect);
  if (dialect !== undefined && !dialects.some((candidate) => candidate.name === dialect)) {
    throw new TypeError(`There is no dialect "${dialect}"; known are ${dialects.map((candidate) => candidate.name).join(', ')}.`);
  }
  for (const [index, extension] of extensions.entries()) requireReadable(extension, `extensions[${index}]`, dialects);
  const projectDir = resolve(options.projectDir ?? '.');
  const source = new SettingsSource(
    {
      dialects,
      context: dialectContext(projectDir, env),
      ...(settings === undefined ? {} : { given: Array.isArray(settings) ? settings : [settings] }),
      ...(dialect === undefined ? {} : { dialect }),
      ...(toolNames === undefined ? {} : { toolNames }),
      isRunByHost: typesRunBy(options),
      isCommandLine: commandLine,
    },
    extensions,
  );
  await source.reload();
  const errors = source.diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  if (strict && errors.length > 0) throw new SettingsError(errors);

  const system = systemOf({
    ...systemOptions,
    ...(env === undefined ? {} : { environment: env }),
    projectDir,
    dialects,
    sources: [...handlers, source, ...(options.sources ?? [])],
    executors: [...handlers, ...(options.executors ?? [])],
  });
  // A bus of the caller has no service of ours yet; a private one has.
  if (options.bus !== undefined) new HookService({ bus: options.bus, system });

  // Subscribed after the system, so that it has swapped its set before listeners are called.
  const listeners = new ChangeListeners();
  source.changes$.subscribe((cause) => listeners.notify({ cause, diagnostics: system.diagnostics, files: source.files }));
  const fileWatch =
    watch === false
      ? undefined
      : watchFiles({
          loaded: () => source.stamps,
          reload: () => source.reload('watch'),
          debounceMs: (watch === true ? undefined : watch.debounceMs) ?? defaultDebounceMs,
        });

  return {
    bus: system.bus,
    has: (eventName) => system.has(eventName),
    getEventHandler: () => system.getEventHandler(),
    explain: (eventName, input) => system.explain(eventName, input),
    get diagnostics() {
      return system.diagnostics;
    },
    get files() {
      return source.files;
    },
    get hooks() {
      return system.hooks;
    },
    get off() {
      return system.off;
    },
    extensions: {
      add: async (extension) => {
        requireExtension(extension, 'the extension');
        requireReadable(extension, 'the extension', dialects);
        await source.setExtensions((known) => [...known.filter((other) => other.name !== extension.name), extension]);
      },
      remove: (name) => source.setExtensions((known) => known.filter((other) => other.name !== name)),
    },
    reload: () => source.reload(),
    onChange: (listener) => listeners.add(listener),
    dispose: () => {
      fileWatch?.stop();
      source.dispose();
      listeners.clear();
      return system.dispose();
    },
  };
}

/** The message of a wrong option names `createHooks`, also when the engine finds it. */
function systemOf(options: HookSystemOptions): HookSystem {
  try {
    return new HookSystem(options);
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith('"')) throw new TypeError(`createHooks: ${error.message}`);
    throw error;
  }
}

/** An executor of the host for such hooks runs those of every type. */
function typesRunBy({ callbacks, executors = [], handlers = [] }: CreateHooksOptions): (type: string) => boolean {
  if ([...handlers, ...executors].some(({ kind }) => kind === 'host')) return () => true;
  const types = Object.keys(callbacks ?? {});
  return (type) => types.includes(type);
}

/** Thrown by `createHooks({ strict: true })` when settings cannot be used as they are written. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly code = 'invalid_settings';
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join('\n'));
    this.diagnostics = diagnostics;
  }
}
