import type { HookCode, SkipReason } from '../codes.js';
import type { HookEventName } from '../events/event-catalogue.js';
import type { Diagnostic } from '../hooks/diagnostic.js';
import type { HookDefinition } from '../hooks/hook-definition.js';
import type { HookOutput } from '../results/hook-output.js';
import type { HookWarning } from '../results/outcome.js';
import type { HookEvent, Invocation, ReadableExit } from './execution.js';

/** A path where a dialect looks for a settings file. The file may be missing; `list` and `explain` show the path anyway. */
export interface SettingsLocation {
  readonly source: string;
  readonly file: string;
}

/** A file that exists and looks like a settings file but is not read. */
export interface SettingsLookalike {
  readonly file: string;
  /** The source of the file that is read instead. */
  readonly source: string;
  readonly insteadOf: string;
  /** What the user should do. @default move the content to `insteadOf` */
  readonly remedy?: string;
}

/**
 * Counts what a dialect reads from settings that may come with a repository, and limits it. Without limits, such settings could make the
 * agent that opens the repository slow or crash it. Above a limit the methods throw an error, which the dialect must not catch. The
 * document is then not used, and a diagnostic reports it.
 */
export interface ReadingBudget {
  /** Counts a hook. Also counts an invalid group, a group without hooks, and an unknown event name. */
  countHook(path: readonly (string | number)[]): void;
  /** Counts the instructions of the program that a pattern was compiled to. */
  countPattern(instructions: number, path: readonly (string | number)[]): void;
  /** Counts a diagnostic. */
  countDiagnostic(path: readonly (string | number)[]): void;
}

/** The content of one settings file or settings object, and the positions of its parts. */
export interface SettingsDocument {
  readonly source: string;
  /** Absolute path of the file. Absent for settings that were passed as an object. */
  readonly file?: string;
  /**
   * Absolute path of the directory to which relative paths in the document refer. For an extension, its directory.
   * @default the folder of `file`
   */
  readonly directory?: string;
  /**
   * Set if the hooks come from the front matter of a skill or a subagent.
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
   * Absolute path of the home directory, or `''` if there is none. With `''`, leave out everything that depends on it: locations, and
   * lookalikes of the source `user`.
   */
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly platform: string;
  /** The names of the agent's tools. A dialect reports matchers that match no tool. @default the names are not known */
  readonly toolNames?: readonly string[];
  readonly files: {
    /** Whether the path is a regular file. */
    isFile(path: string): boolean;
    /** Whether the path is a file that this user may execute. */
    isExecutable(path: string): boolean;
    /** Returns the first bytes of a file as text. Returns undefined if the file cannot be read. */
    head(path: string, bytes: number): string | undefined;
  };
}

/** The value of a setting that concerns all hooks, and the place of the setting. */
export interface SwitchValue<Value> {
  readonly value: Value;
  /** The path of the setting in its document. */
  readonly path: readonly (string | number)[];
  /** The value as it is written in the file, for messages. @default the same as `value` */
  readonly written?: unknown;
}

/**
 * The settings of a document that concern all hooks. They apply to hooks of the same dialect, at the level of the document and at lower
 * levels. `managedOnly`, `allowedUrls` and `allowedHeaderVariables` apply to the hooks of every dialect.
 */
export interface HookSwitches {
  /** `false` switches hooks off. `true` switches on hooks that are off by default. */
  readonly enabled?: SwitchValue<boolean>;
  /**
   * If set, the hooks of this document run only if `enabled` is true in this document or in a document of a higher level.
   * @default the hooks run
   */
  readonly offByDefault?: { readonly path: readonly (string | number)[]; readonly remedy: string };
  /** Names or commands of hooks that do not run. An empty string disables no hook. */
  readonly disabled?: SwitchValue<readonly string[]>;
  /** Only hooks of the administrator run. Ignored in a document of another level. */
  readonly managedOnly?: SwitchValue<true>;
  /**
   * Patterns of the URLs to which hooks of the kind `http` may send: `https://*.example.com/hooks/*`. Scheme, host, port and path are
   * compared separately.
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
  /** Data of this document for `configure` and `combine`. */
  readonly data?: unknown;
  /**
   * True if the document as a whole is invalid: for example, it is not an object, or a switch has the wrong type. `diagnostics` must then
   * contain an error. After a reload, the last usable content of the file stays in use. At the start there is no such content, so the hooks
   * that could be parsed are used. For a single invalid hook or group, drop only that one.
   * @default the document is usable
   */
  readonly isUnusable?: boolean;
}

/** A parsed document and where it is from. `combine` receives one per document. */
export interface ParsedSettings extends ParsedDocument {
  readonly source: string;
  readonly file?: string;
  /** The position of a value in the document, for diagnostics of `combine`. @default diagnostics have no line */
  readonly locate?: SettingsDocument['locate'];
}

/**
 * All hooks of one dialect. `off` contains the hooks that a setting for all hooks switches off. Such hooks never run, but `explain` shows
 * them.
 */
export interface CombinedSettings {
  readonly hooks: readonly HookDefinition[];
  readonly off: readonly { readonly hook: HookDefinition; readonly reason: string }[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Whether a hook runs for an event, and why. With `reconsider`, `select` is called twice more before the hook's stage: with the original
 * input, and with the current input, which other hooks may have rewritten. The hook runs if `select` returns `run` for at least one of
 * them.
 */
export type Selection =
  /** `undecided`: the dialect could not decide, so the hook runs to be safe, and no other hook is dropped as its duplicate. */
  | { readonly run: true; readonly reason: string; readonly undecided?: true }
  | { readonly run: false; readonly skipReason: SkipReason; readonly reason: string; readonly reconsider?: true };

/**
 * What one run of a hook means. With a `failure`, the output is ignored and the outcome is `failed`, or `timed-out` for the code `timeout`.
 * Otherwise a deny makes the outcome `blocked`.
 */
export interface Decoded {
  readonly output?: HookOutput;
  readonly failure?: { readonly code: HookCode; readonly message: string };
  readonly warnings: readonly HookWarning[];
}

/**
 * The files that `tenterhook init` writes into a project: settings with one hook that checks shell commands, and the hook's script for
 * Node. Paths are relative to the project directory and use slashes.
 */
export interface StarterSettings {
  /** The settings file of the project. */
  readonly file: string;
  /** Where `settings` expect the script. */
  readonly script: string;
  readonly settings: object;
}

/** An input of a dialect, translated to canonical fields. */
export interface ReadInput {
  readonly input: Readonly<Record<string, unknown>>;
  /**
   * Values for fields that the canonical event requires and this agent does not send. A value is used only if `input` does not have its
   * field.
   */
  readonly defaults: Readonly<Record<string, unknown>>;
}

/**
 * How one agent writes its hooks. All methods are pure: they use files, processes and clocks only through the context. If a method throws:
 * - `parse` and `combine`: the hooks that were passed are not used, and a diagnostic reports it.
 * - `configure`: the hook is used unchanged.
 * - `layOut`: the hooks run one after another. A hook that `layOut` leaves out runs last.
 * - `select`: the hook runs.
 * - `invocation` and `decode`: the hook has failed.
 * - `claims` and `eventsIn`: the document does not belong to this dialect.
 * - `extensionFiles`: no file of an extension belongs to this dialect.
 * - `readInput` and `writeInput`: the input is treated as canonical.
 * - `locations`: `createHooks` rejects, and a reload keeps the previous hooks. Otherwise settings files would be missing without a message.
 */
export interface Dialect {
  readonly name: string;
  /** Display name of the agent, for messages: `Claude Code`. @default the name of the dialect */
  readonly agent?: string;
  /**
   * Names of variables that the agent sets for the commands and hooks that it starts. If one of them is set, `tenterhook trust` stores no
   * decision, because the agent's model must not decide for its user.
   * @default none are known
   */
  readonly agentVariables?: readonly string[];
  /** The canonical event for each event name of the dialect. @default none: the dialect uses the canonical names */
  readonly events?: Readonly<Record<string, HookEventName>>;
  /**
   * Returns the event names in a settings value, as this dialect spells them. Returns an empty list if the value does not look like
   * settings of this dialect. The list may contain names that the dialect does not know: if a misspelt name were left out, the settings
   * could look like those of another dialect.
   * @default empty
   */
  eventsIn?(value: unknown): readonly string[];
  /** The JSON Schema of its settings files, for editors and for `tenterhook schema`. @default no schema */
  settingsJsonSchema?(): object;
  /** What `tenterhook init` writes. @default it writes nothing for this dialect */
  readonly starter?: StarterSettings;
  /** Files to look for, in plan order: the order in which the results of their hooks are merged. */
  locations(context: DialectContext): readonly SettingsLocation[];
  /**
   * Returns existing files that look like settings files because of their name or folder, but are not read. A diagnostic then warns the
   * user. This method is called only if `createHooks` looks for settings files itself.
   * @default none
   */
  lookalikes?(context: DialectContext): readonly SettingsLookalike[];
  /**
   * Tests by its path whether a file belongs to this dialect. If it does, returns an object, which contains the project directory if the
   * path shows it. A file of a project must be recognised in every directory, for example by the end `/.claude/settings.json`. A file
   * with a fixed path, such as one in the home directory, is recognised with the directories in the context.
   * @default no file belongs to the dialect
   */
  claims?(file: string, context: DialectContext): { readonly projectDir?: string } | undefined;
  /**
   * Returns the absolute paths of files in an extension's directory that may contain its hooks. A file is used if it exists and has a key
   * `hooks`. So the manifest of the extension may be listed too. `hooks` may also name other files of the extension: as a path, or as a
   * list of paths and hooks.
   *
   * The directory belongs to the dialect that lists one of its files. If several dialects list the same file, the dialect in whose list
   * the file comes first owns the directory.
   * @default extensions have no file
   */
  extensionFiles?(directory: string): readonly string[];
  /** The prefix of an extension's name in the source of its hooks: `plugin:<name>`. @default 'extension' */
  readonly extensionSource?: string;
  /**
   * Reads the hooks of one document. An invalid hook gets a diagnostic and stays in the list, with `skip: invalid`. Other hooks are not
   * affected.
   */
  parse(document: SettingsDocument, context: DialectContext): ParsedDocument;
  /**
   * Applies settings to one hook that only this dialect has and that concern all hooks, such as environment variables. `reaching` are the
   * documents whose settings apply to the hook: those of its level and of higher levels, in plan order. This method is called once for
   * each hook. All hooks of a level receive the same list.
   * @default the hook unchanged
   */
  configure?(hook: HookDefinition, reaching: readonly ParsedSettings[]): HookDefinition;
  /**
   * Applies rules about several documents, such as rules for names that are used twice. The documents are in plan order (see `locations`).
   * Do not apply their `switches`, because the registry does that.
   * @default all hooks, in order
   */
  combine?(parsed: readonly ParsedSettings[]): CombinedSettings;
  /**
   * Returns what affects how the hook runs but is not in its definition. A user who trusts the hook trusts these parts too.
   * @default nothing
   */
  pinnedParts?(hook: HookDefinition): PinnedParts;
  /**
   * Arranges hooks in stages. This method is called twice: with all hooks of an event to find their order, and with the selected hooks to
   * find the stages that run.
   */
  layOut(hooks: readonly HookDefinition[]): readonly Stage[];
  /**
   * Decides whether a hook runs for an event. `parse` has already compiled the matcher. `explain` prints the reason.
   *
   * The engine reuses a plan for events in which all fields that `select` read are equal. So read few fields: compare the matcher with
   * its field first, and read other fields only if the matcher matches. If it does not match, `select` is called only once per tool name.
   */
  select(hook: HookDefinition, event: HookEvent): Selection;
  /** Whether `invocation` reads the environment. If true, the environment is copied for each event. @default true */
  readonly readsEnvironment?: boolean;
  /** The unit of timeouts in the dialect's settings, for messages. Hook definitions always have milliseconds. @default 'ms' */
  readonly timeoutUnit?: 'ms' | 's';
  /** The name of the field `onError` in the dialect's settings, for messages. @default 'onError' */
  readonly failureField?: string;
  /** The name of the field `mayDetach` in the dialect's settings, for messages. @default the settings have no such field */
  readonly detachField?: string;
  /** Returns what to run, and its stdin. `environment` is that of this process. It is empty if `readsEnvironment` is false. */
  invocation(event: HookEvent, hook: HookDefinition, environment: Readonly<Record<string, string>>): Invocation;
  /** Interprets the end of a run: returns the output in canonical fields, or a failure. */
  decode(exit: ReadableExit, event: HookEvent, hook: HookDefinition): Decoded;
  /**
   * Returns the fields of an event as `invocation` passes them to hooks, without the fields that all events of the agent have.
   * `dialectEvent` is one of the names in `events`.
   * @default the canonical fields
   */
  writeInput?(dialectEvent: string, event: HookEvent): Readonly<Record<string, unknown>>;
  /**
   * Translates what the agent writes to the stdin of its hooks into canonical fields. This is the inverse of `invocation`. Therefore
   * `tenterhook fire` accepts an input that was captured in the agent. Each field is translated separately. Canonical fields stay
   * unchanged. `dialectEvent` is one of the names in `events`.
   * @default the fields of the dialect are the canonical ones
   */
  readInput?(dialectEvent: string, input: Readonly<Record<string, unknown>>): ReadInput;
  /**
   * Adds the side effects of a deny in this dialect, such as removing the result of a tool. Called only if `onError: 'block'` turns a
   * failure into a deny. For other denies, `decode` has already added the side effects.
   * @default a deny has no side effects
   */
  denied?(output: HookOutput, hook: HookDefinition): HookOutput;
}

/** What a dialect adds to the definition of a hook that a user is asked to trust. */
export interface PinnedParts {
  /** Further fields as plain JSON, such as `sequential`. They replace fields of the definition with the same name. @default none */
  readonly definition?: Readonly<Record<string, unknown>>;
  /** The environment variables that the repository's settings set for the hook outside of the hook's own fields. @default none */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Hooks that run concurrently, within the global limit. */
export interface Stage {
  readonly hooks: readonly HookDefinition[];
}

/** A hook of the event that will not run, and why. */
export interface SkippedHook {
  readonly hook: HookDefinition;
  readonly skipReason: SkipReason;
  readonly reason: string;
  readonly duplicateOf?: string;
}

/** The hooks of one event, arranged for execution. Stages run one after another. A deny or a stop ends the plan. */
export interface Plan {
  readonly stages: readonly Stage[];
  readonly skipped: readonly SkippedHook[];
  /**
   * All configured hooks of the event in plan order: the order in which their results are merged. A skipped hook has the position that its
   * dialect gives it.
   */
  readonly order: readonly HookDefinition[];
}
