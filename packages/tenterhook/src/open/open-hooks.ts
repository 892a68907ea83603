import { resolve } from 'node:path';
import { defaultDialects } from '@tenterhook/dialects';
import { HookService, HookSystem, type HookSystemOptions } from '@tenterhook/engine';
import { containDialect } from '@tenterhook/engine/internal';
import type { Dialect } from '@tenterhook/protocol';
import { ContainedTracing } from '@tenterhook/protocol/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import { describeValue, suggestName } from '@tenterhook/runtime/text';
import { cancellable } from '../cancellation.js';
import type { CreateHooksOptions } from '../create-hooks-options.js';
import type { OpenHooks } from '../hooks.js';
import { describeService } from '../inspect/describe-service.js';
import { openInspection } from '../inspect/open-inspection.js';
import { openRecorder, openRequestedRecorder } from '../record/open-recorder.js';
import { nameOfTool } from '../settings/checks/unmatched-matchers.js';
import { dialectContext } from '../settings/discover/dialect-context.js';
import { requireReadable } from '../settings/extensions/require-extension.js';
import { SettingsError } from '../settings/settings-error.js';
import { SettingsSource } from '../settings/settings-source.js';
import { ChangeListeners } from '../settings/watch/change-listeners.js';
import { watchFiles } from '../settings/watch/watch-files.js';
import { openTrust } from '../trust/open-trust.js';
import { defaultTrust, noteAboutDefault } from '../trust/trust-options.js';
import { EventWatches } from './event-watches.js';
import { hooksOf } from './hooks-object.js';
import type { InternalOptions } from './internal-options.js';
import { closeParts, type OpenedParts } from './opened-parts.js';
import { requireOptions } from './require-options.js';

const defaultDebounceMs = 200;

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
  const parts: OpenedParts = { trust, source };
  try {
    await cancellable({ caller: 'createHooks', undone: 'The settings were not read to the end' }, signal, () => source.reload());
    const errors = source.diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
    if (strict && errors.length > 0) throw new SettingsError(errors);
    // The command line fires events by hand, so the variable is meant for the agent that started it.
    if (!commandLine)
      parts.inspection = await openInspection(inspect, { bus: options.bus, env: env ?? process.env, projectDir, currentDir });
    const { inspection } = parts;
    const bus = inspection?.bus ?? options.bus;
    const system = systemOf({
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
    parts.system = system;
    // A private bus already has a hook service. The bus of a caller needs one.
    if (bus !== undefined) new HookService({ bus, system });

    const description = () => describeService({ hooks: system.list(), files: source.files, diagnostics: system.diagnostics });
    inspection?.answer({ system, describe: description });
    onSystem?.(system);

    const recorded = { bus: system.bus, projectDir, currentDir, about: description };
    if (record !== undefined) parts.recorder = await openRecorder(record, recorded);
    // The command line fires events by hand. A recording of the agent that started it would be spoiled or refused.
    else if (!commandLine) parts.recorder = await openRequestedRecorder(env ?? process.env, recorded);

    const { tracing } = options;
    const reported = tracing === undefined ? undefined : new ContainedTracing(tracing);
    reported?.settings(system.diagnostics);
    // The system subscribed before this listener, so it has already replaced its hooks when the listeners are called.
    const listeners = new ChangeListeners();
    source.changes$.subscribe((cause) => {
      reported?.settings(system.diagnostics);
      listeners.notify({ cause, diagnostics: system.diagnostics, files: source.files });
    });
    if (watch !== false)
      parts.fileWatch = watchFiles({
        loaded: () => source.stamps,
        reload: () => source.reload('watch'),
        debounceMs: (watch === true ? undefined : watch.debounceMs) ?? defaultDebounceMs,
      });
    return hooksOf(Object.assign(parts, { system, listeners, watches: new EventWatches(system.bus) }), dialects, tracing);
  } catch (error) {
    // The first error is the reason. Errors of closing would hide it.
    await closeParts(parts).catch(() => {});
    throw error;
  }
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
