import type { HookSystem } from '@tenterhook/engine';
import type { PolicyFile } from '@tenterhook/trust';
import type { AddedSettings } from '../settings/load-settings.js';
import type { SettingsSource } from '../settings/settings-source.js';
import type { OpenTrust } from '../trust/open-trust.js';

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
