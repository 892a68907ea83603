import type { HookCode, SkipReason } from '../codes.js';
import type { HookEventName } from '../events/event-catalogue.js';
import type { Diagnostic } from '../hooks/diagnostic.js';
import type { HookDefinition } from '../hooks/hook-definition.js';
import type { HookOutput } from '../results/hook-output.js';
import type { HookWarning } from '../results/outcome.js';
import type { HookEvent, Invocation, ReadableExit } from './execution.js';
import type { RelayFormat } from './relay-format.js';

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
 * Whether a hook runs for an event, and why. If `reconsider` is set, `select` is called twice more before the stage of the hook:
 * with the original input, and with the current input, which other hooks may have rewritten. The hook runs if one of these calls
 * returns `run: true`.
 */
export type Selection =
  /**
   * `undecided` means that the dialect could not decide. The hook then runs to be safe, and no other hook is dropped as its
   * duplicate.
   */
  | { readonly run: true; readonly reason: string; readonly undecided?: true }
  | { readonly run: false; readonly skipReason: SkipReason; readonly reason: string; readonly reconsider?: true };

/**
 * What one run of a hook means. With a `failure`, the output is ignored, and the outcome is `timed-out` for the code `timeout` and
 * `failed` for other codes. Without a failure, a deny makes the outcome `blocked`.
 */
export interface Decoded {
  readonly output?: HookOutput;
  readonly failure?: { readonly code: HookCode; readonly message: string };
  readonly warnings: readonly HookWarning[];
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

/** An input of a dialect, translated to canonical fields. */
export interface ReadInput {
  readonly input: Readonly<Record<string, unknown>>;
  /**
   * Values for fields that the canonical event requires but this agent does not send. A value is used only if its field is missing
   * in `input`.
   */
  readonly defaults: Readonly<Record<string, unknown>>;
}

/**
 * How one agent writes its hooks. All methods are pure: they use files, processes and clocks only through the context. If a method
 * throws, this happens:
 * - `parse` and `combine`: the hooks in the passed documents are not used, and a diagnostic reports it.
 * - `configure`: the hook is used unchanged.
 * - `layOut`: the hooks run one after another. A hook that is missing in the result of `layOut` runs last.
 * - `select`: the hook runs.
 * - `invocation` and `decode`: the hook has failed.
 * - `claims` and `eventsIn`: the document does not belong to this dialect.
 * - `extensionFiles`: no file of an extension belongs to this dialect.
 * - `readInput` and `writeInput`: the input is treated as canonical.
 * - `locations`: `createHooks` rejects, and a reload keeps the previous hooks. Otherwise settings files would be missing without a
 *   message.
 */
export interface Dialect {
  readonly name: string;
  /** The agent's name in messages, e.g. `Claude Code`. @default the name of the dialect */
  readonly agent?: string;
  /**
   * Names of variables that the agent sets for the commands and hooks that it starts. If one of them is set, `tenterhook trust`
   * stores no decision, because the agent's model must not decide for its user.
   * @default no variables are known
   */
  readonly agentVariables?: readonly string[];
  /** The canonical event for each event name of the dialect. @default the dialect uses the canonical names */
  readonly events?: Readonly<Record<string, HookEventName>>;
  /**
   * Returns the event names in a settings value, in the spelling of this dialect. Returns an empty list if the value does not look
   * like settings of this dialect. Also include unknown names: without a misspelt name, the settings could look like those of
   * another dialect.
   * @default empty
   */
  eventsIn?(value: unknown): readonly string[];
  /** The JSON Schema of its settings files, for editors and for `tenterhook schema`. @default no schema */
  settingsJsonSchema?(): object;
  /** What `tenterhook init` writes. @default nothing is written for this dialect */
  readonly starter?: StarterSettings;
  /** Returns the files to look for. Their order is the plan order: results of hooks are merged in this order. */
  locations(context: DialectContext): readonly SettingsLocation[];
  /**
   * Returns existing files that look like settings files because of their name or folder, but are not read. A diagnostic then warns
   * the user. Called only if `createHooks` looks for settings files itself.
   * @default none
   */
  lookalikes?(context: DialectContext): readonly SettingsLookalike[];
  /**
   * Tests by its path whether a file belongs to this dialect. If it does, returns an object, with the project directory if the path
   * shows it. Recognise a file of a project in every directory, e.g. by the ending `/.claude/settings.json`. Recognise a file with
   * a fixed path, e.g. in the home directory, by the directories in the context.
   * @default no file belongs to the dialect
   */
  claims?(file: string, context: DialectContext): { readonly projectDir?: string } | undefined;
  /**
   * Returns the absolute paths of files in an extension's directory that may contain its hooks. A file is used if it exists and has
   * a key `hooks`, so the list may contain the manifest of the extension. The value of `hooks` may also name other files of the
   * extension, as a path or as a list of paths and hooks.
   *
   * The directory belongs to the dialect that lists one of its files. If several dialects list the same file, the directory belongs
   * to the dialect in whose list the file comes first.
   * @default extensions have no file
   */
  extensionFiles?(directory: string): readonly string[];
  /** The prefix of an extension's name in the source of its hooks: `plugin:<name>`. @default 'extension' */
  readonly extensionSource?: string;
  /**
   * Reads the hooks of one document. An invalid hook causes a diagnostic and stays in the list, with the skip reason `invalid`.
   * Other hooks are not affected.
   */
  parse(document: SettingsDocument, context: DialectContext): ParsedDocument;
  /**
   * Applies settings of this dialect that concern all hooks to one hook, e.g. environment variables. `reaching` are the documents
   * whose settings apply to the hook: those of its level and of higher levels, in plan order. Called once for each hook. All hooks
   * of a level receive the same list.
   * @default the hook unchanged
   */
  configure?(hook: HookDefinition, reaching: readonly ParsedSettings[]): HookDefinition;
  /**
   * Applies rules about several documents, e.g. for a name that is used twice. The documents are in plan order (see `locations`).
   * Do not apply their `switches`, because the registry does that.
   * @default all hooks, in order
   */
  combine?(parsed: readonly ParsedSettings[]): CombinedSettings;
  /**
   * Returns what affects a run of the hook but is not in its definition. A user who trusts the hook trusts these parts too.
   * @default nothing
   */
  pinnedParts?(hook: HookDefinition): PinnedParts;
  /**
   * Arranges hooks in stages. Called first with all hooks of an event to find their order, then with the selected hooks to find the
   * stages that run.
   */
  layOut(hooks: readonly HookDefinition[]): readonly Stage[];
  /**
   * Decides whether a hook runs for an event. `parse` has already compiled the matcher. `explain` prints the reason.
   *
   * The engine reuses a plan for events in which all fields that `select` read are equal. So read few fields: compare the matcher
   * with its field first, and read other fields only if the matcher matches. For a matcher that does not match, `select` is then
   * called only once per tool name.
   */
  select(hook: HookDefinition, event: HookEvent): Selection;
  /** Whether `invocation` reads the environment. If true, the environment is copied for each event. @default true */
  readonly readsEnvironment?: boolean;
  /**
   * Whether hooks can receive the trace context as the fields `traceparent` and `tracestate` of their input. `always`: the agent of the format
   * has these fields. `on request`: hooks ignore fields that they do not know, and the host can ask for them. @default they cannot
   */
  readonly traceFields?: 'always' | 'on request';
  /** The unit of timeouts in the dialect's settings, for messages. Hook definitions always have milliseconds. @default 'ms' */
  readonly timeoutUnit?: 'ms' | 's';
  /** The text between the contexts of two hooks of this dialect, in `additionalContext` of the result. @default a line break */
  readonly contextSeparator?: string;
  /**
   * The number of characters that the contexts of all hooks of this dialect on one event may have together. More is cut, with a mark at the
   * end. Needs `contextSeparator`. @default there is no limit
   */
  readonly contextLimit?: number;
  /** The name of the field `onError` in the dialect's settings, for messages. @default 'onError' */
  readonly failureField?: string;
  /**
   * The values of that field in the dialect's settings, for messages: the value with which a failure is ignored, and the value with which
   * it denies. @default 'continue' and 'block'
   */
  readonly failureValues?: readonly [ignored: string | boolean, denies: string | boolean];
  /** The name of the field `mayDetach` in the dialect's settings, for messages. @default the settings have no such field */
  readonly detachField?: string;
  /**
   * Returns what to run, and its stdin. `environment` is the environment of this process, or empty if `readsEnvironment` is false.
   */
  invocation(event: HookEvent, hook: HookDefinition, environment: Readonly<Record<string, string>>): Invocation;
  /** Interprets the end of a run. Returns the output in canonical fields, or a failure. */
  decode(exit: ReadableExit, event: HookEvent, hook: HookDefinition): Decoded;
  /**
   * Returns the fields of an event as `invocation` passes them to hooks, without the fields that all events of the agent have.
   * `dialectEvent` is one of the names in `events`.
   * @default the canonical fields
   */
  writeInput?(dialectEvent: string, event: HookEvent): Readonly<Record<string, unknown>>;
  /**
   * Translates the input that the agent writes to the stdin of its hooks into canonical fields. This is the inverse of
   * `invocation`: with it, `tenterhook fire` accepts an input that was captured in the agent. Each field is translated separately,
   * and canonical fields stay unchanged. `dialectEvent` is one of the names in `events`.
   * @default the fields of the dialect are the canonical ones
   */
  readInput?(dialectEvent: string, input: Readonly<Record<string, unknown>>): ReadInput;
  /**
   * Adds the side effects of a deny in this dialect, such as removing the result of a tool. Called only if `onError: 'block'` turns a
   * failure into a deny. For other denies, `decode` has already added the side effects.
   * @default a deny has no side effects
   */
  denied?(output: HookOutput, hook: HookDefinition): HookOutput;
  /** The way back: reads events from the agent itself, and writes answers for it. @default the agent cannot start Tenterhook as its hook */
  readonly relay?: RelayFormat;
}

/** The parts of a hook that a dialect adds to its definition when the user is asked to trust the hook. */
export interface PinnedParts {
  /**
   * Further fields as plain JSON, such as `sequential`. A field replaces the field of the definition with the same name. @default
   * none
   */
  readonly definition?: Readonly<Record<string, unknown>>;
  /**
   * The environment variables that the repository's settings set for the hook, outside the fields of the hook itself. @default none
   */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Hooks that run at the same time, within the global limit. */
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
  /**
   * Hooks of the stages that do not match the event. They run only if a rewrite makes them match. @default all hooks of the stages match
   */
  readonly reconsidered?: readonly HookDefinition[];
}
