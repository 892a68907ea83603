import { resolve } from 'node:path';
import { EventRecords } from '@tenterhook/bus/internal';
import { defaultDialects } from '@tenterhook/dialects';
import { HookService, HookSystem, type HookSystemOptions } from '@tenterhook/engine';
import { containDialect } from '@tenterhook/engine/internal';
import type { Dialect } from '@tenterhook/protocol';
import { ContainedTracing } from '@tenterhook/protocol/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import { describeValue, suggestName } from '@tenterhook/runtime/text';
import type { PolicyFile } from '@tenterhook/trust';
import { cancellable, type ReloadOptions, requireSignalOption } from './cancellation.js';
import type { CreateHooksOptions } from './create-hooks-options.js';
import { EventWatches } from './event-watches.js';
import type { OpenHooks } from './hooks.js';
import { describeService } from './inspect/describe-service.js';
import { type Inspection, openInspection } from './inspect/open-inspection.js';
import { type OpenRecorder, openRecorder, openRequestedRecorder } from './record/open-recorder.js';
import { requireOptions } from './require-options.js';
import { nameOfTool } from './settings/checks/unmatched-matchers.js';
import { dialectContext } from './settings/discover/dialect-context.js';
import type { Extension } from './settings/extensions/extension.js';
import { requireExtension, requireReadable } from './settings/extensions/require-extension.js';
import type { AddedSettings } from './settings/load-settings.js';
import { SettingsError } from './settings/settings-error.js';
import { SettingsSource } from './settings/settings-source.js';
import { ChangeListeners } from './settings/watch/change-listeners.js';
import { watchFiles } from './settings/watch/watch-files.js';
import { type OpenTrust, openTrust } from './trust/open-trust.js';
import { defaultTrust, noteAboutDefault } from './trust/trust-options.js';

const defaultDebounceMs = 200;

/** Options that a caller of `createHooks` cannot set: those of the command line, and those of tests. */
export interface InternalOptions {
  /**
   * The directory against which relative paths of the options are resolved. The current directory may have changed when settings are read
   * again. @default the current directory
   */
  readonly currentDir?: string | undefined;
  /** Whether this is the command line. It cannot run hooks that need an agent, and its diagnostics mention this. @default false */
  readonly commandLine?: boolean;
  /** Whether to check the scripts that commands start, and report those that cannot be started. @default false */
  readonly checksScripts?: boolean;
  /** Receives the decisions about the hooks of the project, and the functions that only the command line needs. @default not called */
  readonly onTrust?: (trust: OpenTrust) => void;
  /** Receives the system, for questions that only the inspector asks. @default not called */
  readonly onSystem?: (system: HookSystem) => void;
  /** Receives the settings as a source of hooks. @default not called */
  readonly onSource?: (source: SettingsSource) => void;
  /** Whether outcomes of commands contain the beginning of the command's input. */
  readonly keepsInput?: boolean;
  /** Whether outcomes of commands tell if their input was read. @default true for the command line */
  readonly watchesInput?: boolean;
  /**
   * The environment variables. They determine where settings are looked for, and hooks receive them. @default the environment of this
   * process
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The policy of the administrator. @default the file of this system */
  readonly policy?: PolicyFile;
  /** Settings in addition to those that are found or passed. @default none */
  readonly guards?: readonly AddedSettings[];
  /** Whether to look for settings files. @default true, unless the option `settings` is passed */
  readonly discovers?: boolean;
}

/** Implements `createHooks`, without `agent()` and with the options of the command line. */
export async function openHooks(
  options: CreateHooksOptions,
  {
    commandLine = false,
    checksScripts = false,
    keepsInput = false,
    watchesInput = commandLine,
    onTrust,
    onSource,
    onSystem,
    env,
    currentDir = '.',
    policy,
    guards,
    discovers,
  }: InternalOptions = {},
): Promise<OpenHooks> {
  requireOptions(options);
  const {
    settings,
    extensions = [],
    handlers = [],
    strict = false,
    signal,
    watch = false,
    toolNames,
    dialects: given = defaultDialects(),
    dialect,
    advanced: { sources = [], executors = [], ...fields } = {},
    trust: trusting = defaultTrust(options),
    record,
    inspect,
    ...systemOptions
  } = options;
  const dialects = given.map(containDialect);
  if (dialect !== undefined) requireLoaded(dialect, dialects);
  for (const [index, extension] of extensions.entries())
    requireReadable(extension, { caller: 'createHooks', path: `extensions[${index}]` }, dialects);
  const projectDir = resolve(currentDir, options.projectDir ?? '.');
  const inCurrentDir = (given: string | object) => (typeof given === 'string' ? resolve(currentDir, given) : given);
  const context = dialectContext(projectDir, env);
  const trust = openTrust(trusting, {
    context,
    dialects,
    cwd: resolve(currentDir, fields.cwd ?? projectDir),
    isDiscovered: (name) => settings === undefined && (dialect ?? name) === name,
    decidedAt: commandLine ? 'terminal' : 'host',
    ...(policy === undefined ? {} : { policy }),
  });
  onTrust?.(trust);
  const source = new SettingsSource(
    {
      dialects,
      context: { ...context, ...(toolNames === undefined ? {} : { toolNames: toolNames.map(nameOfTool) }) },
      ...(settings === undefined ? {} : { given: (Array.isArray(settings) ? settings : [settings]).map(inCurrentDir) }),
      ...(dialect === undefined ? {} : { dialect }),
      ...(toolNames === undefined ? {} : { toolNames }),
      ...(options.http?.allowPrivateAddresses === undefined ? {} : { allowedAddresses: options.http.allowPrivateAddresses }),
      ...(options.http?.env === undefined ? {} : { headerVariables: options.http.env }),
      policy: trust.policy,
      openOwners: trust.openOwners,
      isRunByHost: typesRunBy(options),
      isCommandLine: commandLine,
      checksScripts,
      ...omitUndefined({ guards, discovers }),
    },
    extensions,
    (hooks) => [...trust.load(hooks), ...noteAboutDefault(hooks, options)],
  );
  onSource?.(source);
  let inspection: Inspection | undefined;
  try {
    await cancellable({ caller: 'createHooks', undone: 'The settings were not read to the end' }, signal, () => source.reload());
    const errors = source.diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
    if (strict && errors.length > 0) throw new SettingsError(errors);
    // The command line fires events by hand, so the variable is meant for the agent that started it.
    if (!commandLine) inspection = await openInspection(inspect, { bus: options.bus, env: env ?? process.env, projectDir, currentDir });
  } catch (error) {
    source.dispose();
    trust.dispose();
    trust.removeCopies();
    throw error;
  }

  const bus = inspection?.bus ?? options.bus;
  let system: HookSystem;
  try {
    system = systemOf({
      ...systemOptions,
      ...omitUndefined({ bus }),
      ...fields,
      ...(env === undefined ? {} : { environment: env }),
      watchesInput,
      keepsInput,
      tellsInput: inspection?.tellsInput === true,
      ...(trust.gate === undefined ? {} : { trust: trust.gate }),
      projectDir,
      dialects,
      sources: [...handlers, source, ...sources],
      executors: [...handlers, ...executors],
    });
  } catch (error) {
    await inspection?.close();
    throw error;
  }
  // A private bus already has a hook service. The bus of a caller needs one.
  if (bus !== undefined) new HookService({ bus, system });

  const description = () => describeService({ hooks: system.list(), files: source.files, diagnostics: system.diagnostics });
  inspection?.answer({ system, describe: description });
  onSystem?.(system);

  let recorder: OpenRecorder | undefined;
  try {
    const recorded = { bus: system.bus, projectDir, currentDir, about: description };
    if (record !== undefined) recorder = await openRecorder(record, recorded);
    // The command line fires events by hand. A recording of the agent that started it would be spoiled or refused.
    else if (!commandLine) recorder = await openRequestedRecorder(env ?? process.env, recorded);
  } catch (error) {
    source.dispose();
    trust.dispose();
    await system.dispose();
    await inspection?.close();
    trust.removeCopies();
    throw error;
  }

  const { tracing } = options;
  const reported = tracing === undefined ? undefined : new ContainedTracing(tracing);
  reported?.settings(system.diagnostics);
  // The system subscribed before this listener, so it has already replaced its hooks when the listeners are called.
  const listeners = new ChangeListeners();
  source.changes$.subscribe((cause) => {
    reported?.settings(system.diagnostics);
    listeners.notify({ cause, diagnostics: system.diagnostics, files: source.files });
  });
  const fileWatch =
    watch === false
      ? undefined
      : watchFiles({
          loaded: () => source.stamps,
          reload: () => source.reload('watch'),
          debounceMs: (watch === true ? undefined : watch.debounceMs) ?? defaultDebounceMs,
        });

  const watches = new EventWatches(system.bus);
  // Created at its first use, because it loads RxJS.
  let records: EventRecords | undefined;
  const dispose = () => {
    fileWatch?.stop();
    trust.dispose();
    source.dispose();
    listeners.clear();
    // The watches are removed last, because they also receive the events that end while the system is disposed.
    return system.dispose().finally(async () => {
      await recorder?.close();
      watches.clear();
      records?.close();
      await inspection?.close();
      trust.removeCopies();
    });
  };

  return {
    bus: system.bus,
    fire: (eventName, input, options) => system.fire(eventName, input, options),
    has: (eventName) => system.has(eventName),
    list: (eventName) => system.list(eventName),
    getEventHandler: () => system.getEventHandler(),
    explain: (eventName, input) => system.explain(eventName, input),
    get isDisposed() {
      return system.isDisposed;
    },
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
      add: async (extension, options) => {
        requireExtension(extension, { caller: 'extensions.add' });
        requireReadable(extension, { caller: 'extensions.add' }, dialects);
        const withIt = (known: readonly Extension[]) => [...known.filter((other) => other.name !== extension.name), extension];
        await reading('extensions.add', options, () => source.setExtensions(withIt));
      },
      remove: (name, options) =>
        reading('extensions.remove', options, () => source.setExtensions((known) => known.filter((other) => other.name !== name))),
    },
    trust: trust.api,
    reload: (options) => reading('reload', options, () => source.reload()),
    onChange: (listener) => listeners.add(listener),
    onProgress: (listener) => watches.add('HOOK_EXECUTION_PROGRESS', listener),
    onResult: (listener) => watches.add('HOOK_EXECUTION_RESPONSE', listener),
    ...omitUndefined({ tracing }),
    get events$() {
      records ??= new EventRecords(system.bus);
      return records.stream;
    },
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

/**
 * Waits until the settings are read, or the signal aborts. An abort does not stop the reading, because other callers may wait for it too.
 */
async function reading(caller: string, options: ReloadOptions | undefined, read: () => Promise<void>): Promise<void> {
  if (options === undefined) return read();
  requireSignalOption(caller, options);
  await cancellable({ caller, undone: 'The settings were not read to the end' }, options.signal, read);
}

function requireLoaded(dialect: string, dialects: readonly Dialect[]): void {
  const names = dialects.map(({ name }) => name);
  if (names.includes(dialect)) return;
  // The user probably means the dialect whose name begins with this word: people write `claude` for `claude-code`.
  const meant = names.find((name) => name.startsWith(`${dialect}-`)) ?? dialect;
  const remedy = suggestName(meant, names, `Loaded dialects: ${names.join(', ') || 'none'}.`);
  throw new TypeError(`createHooks: "dialect" is ${describeValue(dialect)}, which is not loaded. ${remedy}`);
}

/**
 * Creates the system. The constructor throws a TypeError only for an invalid option. The message of the error is changed so that it names
 * `createHooks`.
 */
function systemOf(options: HookSystemOptions): HookSystem {
  try {
    return new HookSystem(options);
  } catch (error) {
    if (error instanceof TypeError) throw new TypeError(`createHooks: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Returns a function that tests whether hooks of a type, e.g. `prompt`, can be run. An executor of the kind `host` runs every type. */
function typesRunBy({ callbacks, advanced, handlers = [] }: CreateHooksOptions): (type: string) => boolean {
  if ([...handlers, ...(advanced?.executors ?? [])].some(({ kind }) => kind === 'host')) return () => true;
  const types = Object.keys(callbacks ?? {});
  return (type) => types.includes(type);
}
