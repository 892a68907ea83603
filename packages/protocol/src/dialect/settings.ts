import type { Diagnostic } from '../hooks/diagnostic.js';
import type { HookDefinition } from '../hooks/hook-definition.js';

/** A path where a dialect looks for a settings file. `list` and `explain` also show the path of a missing file. */
export interface SettingsLocation {
  readonly source: string;
  readonly file: string;
  /**
   * The folder of `file`, if every file in it whose name ends in `.json` is read, in the order of their names. `file` is then where new
   * hooks are written.
   * @default only `file` is read
   */
  readonly folder?: string;
}

/** A file that exists and looks like a settings file but is not read. */
export interface SettingsLookalike {
  readonly file: string;
  /** The source of the file `insteadOf`, which is read instead. */
  readonly source: string;
  readonly insteadOf: string;
  /** What the user should do. @default move the content to `insteadOf` */
  readonly remedy?: string;
}

/**
 * Counts and limits what a dialect reads from settings that may come with a repository. Without limits, such settings could slow
 * down or crash the agent that opens the repository. Above a limit the methods throw an error, and the dialect must not catch it.
 * The document is then not used, and a diagnostic reports it.
 */
export interface ReadingBudget {
  /** Counts a hook, an invalid group, a group without hooks, or an unknown event name. */
  countHook(path: readonly (string | number)[]): void;
  /** Counts the instructions of a compiled pattern. */
  countPattern(instructions: number, path: readonly (string | number)[]): void;
  /** Counts a diagnostic. */
  countDiagnostic(path: readonly (string | number)[]): void;
}

/** The content of one settings file or settings object, and the positions of its parts. */
export interface SettingsDocument {
  readonly source: string;
  /** Absolute path of the file. Missing for settings that were passed as an object. */
  readonly file?: string;
  /**
   * Absolute path of the directory to which relative paths in the document refer. For an extension, this is the directory of the
   * extension.
   * @default the folder of `file`
   */
  readonly directory?: string;
  /**
   * What the hooks belong to, if they come from the front matter of a skill or a subagent.
   * @default the hooks come from settings
   */
  readonly frontMatterOf?: 'skill' | 'subagent';
  readonly value: unknown;
  readonly text?: string;
  /** Set for a document that may come with a repository. @default reading is not limited */
  readonly budget?: ReadingBudget;
  /** Returns line and column of a value, counted from 1. Returns undefined for settings that were passed as an object. */
  locate(path: readonly (string | number)[]): { readonly line: number; readonly column: number } | undefined;
}

/** What a dialect may read from the machine. */
export interface DialectContext {
  readonly projectDir: string;
  /**
   * Absolute path of the home directory, or `''` if there is none. Without a home directory, a dialect leaves out the locations in
   * it and the lookalikes of the source `user`.
   */
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly platform: string;
  /** The names of the agent's tools. With them, a dialect reports matchers that match no tool. @default the names are not known */
  readonly toolNames?: readonly string[];
  readonly files: {
    /** Returns whether the path is a regular file. */
    isFile(path: string): boolean;
    /** Returns whether the path is a file that this user may execute. */
    isExecutable(path: string): boolean;
    /** Returns the first bytes of a file as text. Returns undefined if the file cannot be read. */
    head(path: string, bytes: number): string | undefined;
    /**
     * Returns the path of an existing file without links. For any other path, returns the path itself.
     * @default links are not resolved
     */
    realPath?(path: string): string;
  };
}

/** The value of a setting for all hooks, and the place of the setting. */
export interface SwitchValue<Value> {
  readonly value: Value;
  /** The path of the setting in its document. */
  readonly path: readonly (string | number)[];
  /** The value as it is written in the file, for messages. @default the same as `value` */
  readonly written?: unknown;
}

/**
 * The settings for all hooks in a document. They apply to hooks of the same dialect, at the level of the document and at lower
 * levels. `managedOnly`, `allowedUrls` and `allowedHeaderVariables` apply to the hooks of every dialect.
 */
export interface HookSwitches {
  /** With `false`, the hooks are switched off. With `true`, hooks that are off by default are switched on. */
  readonly enabled?: SwitchValue<boolean>;
  /**
   * Set if the hooks of this document are off by default. They run only if `enabled` is true in this document or in a document of a
   * higher level.
   * @default the hooks run
   */
  readonly offByDefault?: { readonly path: readonly (string | number)[]; readonly remedy: string };
  /** Names or commands of hooks that do not run. An empty string disables no hook. */
  readonly disabled?: SwitchValue<readonly string[]>;
  /** Set if only hooks of the administrator run. Ignored in a document of another level. */
  readonly managedOnly?: SwitchValue<true>;
  /**
   * Patterns of the URLs to which hooks of the kind `http` may send, e.g. `https://*.example.com/hooks/*`. Scheme, host, port and
   * path are compared separately.
   */
  readonly allowedUrls?: SwitchValue<readonly string[]>;
  /** The variables that hooks of the kind `http` may send in headers. */
  readonly allowedHeaderVariables?: SwitchValue<readonly string[]>;
}

/** The hooks and settings that a dialect read from one document. */
export interface ParsedDocument {
  readonly hooks: readonly HookDefinition[];
  readonly diagnostics: readonly Diagnostic[];
  /** @default the document has no settings for all hooks */
  readonly switches?: HookSwitches;
  /** Data of this document that the dialect itself needs in `configure` and `combine`. */
  readonly data?: unknown;
  /**
   * True if the document as a whole is invalid: for example, it is not an object, or a switch has the wrong type. `diagnostics`
   * must then contain an error. After a reload, the last usable content of the file stays in use. At the start there is no earlier
   * content, so the hooks that could be parsed are used. A single invalid hook or group does not make a document unusable: drop
   * only this hook or group.
   * @default the document is usable
   */
  readonly isUnusable?: boolean;
}

/** A parsed document and its origin. `combine` receives one for each document. */
export interface ParsedSettings extends ParsedDocument {
  readonly source: string;
  readonly file?: string;
  /** Returns the position of a value in the document, for diagnostics of `combine`. @default diagnostics have no line */
  readonly locate?: SettingsDocument['locate'];
}

/**
 * All hooks of one dialect. `off` lists the hooks that a setting for all hooks switches off. They never run, but `explain` shows
 * them.
 */
export interface CombinedSettings {
  readonly hooks: readonly HookDefinition[];
  readonly off: readonly { readonly hook: HookDefinition; readonly reason: string }[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The files that `tenterhook init` writes into a project: settings with one hook that checks shell commands, and the script of this
 * hook for Node. Paths are relative to the project directory and use slashes.
 */
export interface StarterSettings {
  /** The path of the settings file. */
  readonly file: string;
  /** The path at which `settings` expects the script. */
  readonly script: string;
  readonly settings: object;
  /** Where a shell command is on stdin: `toolCall.args.CommandLine`. @default `tool_input.command`, or `command` */
  readonly commandPath?: string;
  /** Set if a hook makes no decision only by printing nothing. @default `{}` makes no decision either */
  readonly silent?: true;
}
