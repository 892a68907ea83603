import { basename, resolve } from 'node:path';
import { defaultDialects } from '@tenterhook/dialects';
import type { HookSystem } from '@tenterhook/engine';
import { containDialect, requireHttpOptions } from '@tenterhook/engine/internal';
import { type Diagnostic, type Dialect, formatDiagnostic, type ResponseError } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { OpenHooks } from '../../hooks.js';
import { openHooks } from '../../open/open-hooks.js';
import { dialectContext } from '../../settings/discover/dialect-context.js';
import { findDirectoryProblem } from '../../settings/discover/locations.js';
import type { Extension } from '../../settings/extensions/extension.js';
import type { AddedSettings } from '../../settings/load-settings.js';
import type { OpenTrust } from '../../trust/open-trust.js';
import type { TrustOptions } from '../../trust/trust-options.js';
import { type CommandContext, resolvePath } from '../context.js';
import { UsageError } from '../errors/exit-status.js';
import { findDialect } from './dialect-name.js';
import { type TrustFlags, trustOf } from './trust-flags.js';

/** The flags that select settings. They are the same for every command. */
export interface SettingsFlags extends TrustFlags {
  readonly settings?: readonly string[];
  readonly dialect?: string;
  readonly cwd?: string;
  /** Directories of extensions whose hooks are loaded as well. */
  readonly extension?: readonly string[];
  /** The tools of the agent. If the flag is absent, matchers are not compared with tools. */
  readonly tool?: readonly string[];
  /** Hosts with a private address that http hooks may call. */
  readonly allowPrivateAddress?: readonly string[];
  /** Settings in addition to those that are found. No flag of the command line sets them. */
  readonly guards?: readonly AddedSettings[];
}

export interface LoadedHooks {
  readonly hooks: OpenHooks;
  /** The dialect that the user named. */
  readonly dialect: Dialect | undefined;
  /** The dialect whose event names are accepted: the one that the user named, or else the only one that has settings. */
  readonly wording: Dialect | undefined;
  /** The dialects that have settings. */
  readonly formats: readonly Dialect[];
  readonly projectDir: string;
  /** A note for stderr, if the project directory was derived from the location of a settings file. */
  readonly note?: string;
}

/** Options of `loadHooks` that depend on the command, not on the flags of the user. */
export interface LoadOptions {
  /** Whether to check the scripts that hooks start, for commands that report problems of the settings. @default false */
  readonly checksScripts?: boolean;
  /** Whether outcomes contain the input that each hook read. @default false */
  readonly keepsInput?: boolean;
  /** Whether outcomes tell if a hook read its input. @default true */
  readonly watchesInput?: boolean;
  /** Decides which hooks of a repository run. @default the flags decide */
  readonly trust?: TrustOptions;
  /** Called with the decisions about the hooks of the project. */
  readonly onTrust?: (trust: OpenTrust) => void;
  /** Called with the system. */
  readonly onSystem?: (system: HookSystem) => void;
}

const dialects: readonly Dialect[] = defaultDialects().map(containDialect);

export async function loadHooks(
  flags: SettingsFlags,
  context: CommandContext,
  { checksScripts = false, keepsInput = false, watchesInput = true, trust, onTrust, onSystem }: LoadOptions = {},
): Promise<LoadedHooks> {
  const dialect = flags.dialect === undefined ? undefined : findDialect(flags.dialect, dialects);
  if (flags.tool?.includes('')) throw new UsageError('--tool must be the name of a tool, such as write_file or git__commit.');
  const { projectDir, note } = findProject(flags, context);
  requireDirectory(projectDir, 'Pass the project directory with --cwd.');
  const options = {
    projectDir,
    dialects,
    ...(dialect === undefined ? {} : { dialect: dialect.name }),
    ...(flags.settings === undefined ? {} : { settings: flags.settings.map((file) => resolvePath(context, file)) }),
    ...(flags.tool === undefined ? {} : { toolNames: flags.tool }),
    ...(flags.allowPrivateAddress === undefined ? {} : { http: { allowPrivateAddresses: checkedAddresses(flags.allowPrivateAddress) } }),
    ...(trust === undefined ? await trustOf(flags, projectDir, context) : { trust }),
    extensions: (flags.extension ?? []).map((directory) => extensionAt(directory, context)),
  };
  const hooks = await openHooks(options, {
    commandLine: true,
    checksScripts,
    keepsInput,
    watchesInput,
    env: context.env,
    ...omitUndefined({ onTrust, onSystem, guards: flags.guards }),
  });
  const formats = formatsOf(hooks);
  const wording = dialect ?? (formats.length === 1 ? formats[0] : undefined);
  return { hooks, dialect, wording, formats, projectDir, ...(note === undefined ? {} : { note }) };
}

/** Checks the values of --allow-private-address. The error of createHooks would not name this option. */
function checkedAddresses(given: readonly string[]): readonly string[] {
  try {
    requireHttpOptions({ allowPrivateAddresses: given });
  } catch (error) {
    throw new UsageError(`--allow-private-address: ${(error as Error).message}`);
  }
  return given;
}

function formatsOf({ files }: OpenHooks): readonly Dialect[] {
  const names = new Set(files.filter(({ state }) => state !== 'missing').map(({ dialect }) => dialect));
  return dialects.filter(({ name }) => names.has(name));
}

/**
 * Returns advice, beginning with a blank, if no settings file was found. Returns `''` if a settings file, or a file with a similar name,
 * was found.
 */
export function firstSteps({ files, diagnostics }: OpenHooks): string {
  return files.some(({ state }) => state !== 'missing') || diagnostics.some(({ code }) => code === 'unread_file')
    ? ''
    : ' To begin, run tenterhook init: it writes a first settings file and a guard.';
}

/**
 * Returns advice, beginning with a blank, if the event name belongs to a dialect that the user did not name. Otherwise returns `''`. `named`
 * is how the user names a dialect.
 */
export function formatDialectHint(eventName: string, named = '--dialect'): string {
  const having = dialects.filter(({ events = {} }) => Object.hasOwn(events, eventName));
  return having.length === 0 ? '' : ` Write that, or add ${having.map(({ name }) => `${named} ${name}`).join(' or ')}.`;
}

export function timeoutUnitOf(name: string): 'ms' | 's' {
  return dialects.find((dialect) => dialect.name === name)?.timeoutUnit ?? 'ms';
}

function requireDirectory(path: string, remedy: string): void {
  const problem = findDirectoryProblem(path);
  if (problem !== undefined) throw new UsageError(`${path} ${problem}. ${remedy}`);
}

/** Returns the extension in a directory. It has the name of the directory, as in agents. */
function extensionAt(given: string, context: CommandContext): Extension {
  const remedy = 'Pass the directory of an extension with --extension.';
  // An empty value may come from an unset variable. It is refused, because as a path it would mean the current directory.
  if (given === '') throw new UsageError(`--extension is empty. ${remedy}`);
  const directory = resolvePath(context, given);
  requireDirectory(directory, remedy);
  return { name: basename(directory), directory };
}

/**
 * Finds the project directory:
 * - `--cwd`, if given;
 * - the project of the settings file, if exactly one file is given: in its commands, `$…_PROJECT_DIR` means that project;
 * - otherwise the current directory.
 */
function findProject({ cwd, settings }: SettingsFlags, context: CommandContext): { projectDir: string; note?: string } {
  if (cwd !== undefined) return { projectDir: resolvePath(context, cwd) };
  const [file, ...others] = settings ?? [];
  const current = context.cwd;
  if (file === undefined || others.length > 0) return { projectDir: current };
  const seen = dialectContext(current, context.env);
  const claims = dialects.map((dialect) => dialect.claims?.(resolve(current, file), seen)?.projectDir);
  const claimed = claims.find((found) => found !== undefined);
  if (claimed === undefined || claimed === current) return { projectDir: current };
  return {
    projectDir: claimed,
    note: `The project directory is ${claimed}, because the settings file is in it. To use another, pass --cwd.`,
  };
}

/**
 * Returns an error if a file or extension that the user named cannot be used. A discovered file causes no error, because the other files
 * can still be used.
 */
export function findUnusableSettings(hooks: OpenHooks, flags: SettingsFlags): ResponseError | undefined {
  const unusable = hooks.diagnostics.filter((diagnostic) => isUnusableFile(diagnostic) && wasNamed(diagnostic, flags));
  if (unusable.length === 0) return undefined;
  return {
    code: 'invalid_settings',
    message: unusable.map(formatDiagnostic).join('\n'),
    details: { diagnostics: unusable, issues: unusable.map(({ path = '', message }) => ({ path, message })) },
  };
}

/**
 * Tests whether the user named the file. The source of a discovered file is one word, such as `project`. The source of an extension
 * contains a colon.
 */
function wasNamed({ source = '' }: Diagnostic, { settings }: SettingsFlags): boolean {
  return settings !== undefined || source.includes(':');
}

/** Tests for a problem that makes the whole file unusable. If only one hook is invalid, the other hooks of the file still run. */
function isUnusableFile({ code, severity }: Diagnostic): boolean {
  return severity === 'error' && ['unreadable_file', 'invalid_json', 'invalid_document'].includes(code);
}

/** Returns a note about hooks that are switched off, with the reasons. Undefined if there are none. */
export function formatSwitchedOffNote(off: readonly { readonly reason: string }[]): string | undefined {
  const count = countSwitchedOff(off);
  return count === undefined ? undefined : `${count} ${[...new Set(off.map((entry) => entry.reason))].join(' ')}`;
}

/** Returns the note without the reasons, for a command that prints the reasons as diagnostics. */
export function countSwitchedOff(off: readonly unknown[]): string | undefined {
  return off.length === 0 ? undefined : `note: ${off.length} hook${off.length === 1 ? ' is' : 's are'} switched off.`;
}
