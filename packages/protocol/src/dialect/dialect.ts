import type { HookCode, SkipReason } from '../codes.js';
import type { HookEventName } from '../events/event-catalogue.js';
import type { Diagnostic } from '../hooks/diagnostic.js';
import type { HookDefinition } from '../hooks/hook-definition.js';
import type { HookOutput } from '../results/hook-output.js';
import type { HookWarning } from '../results/outcome.js';
import type { HookEvent, Invocation, ReadableExit } from './execution.js';

/** A file to look for. It may be missing; `list` and `explain` show it anyway. */
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
  /** What to do about it. @default move its content to `insteadOf` */
  readonly remedy?: string;
}

/**
 * Counts what a dialect reads from settings that may come with a repository, because such settings must not freeze or end the agent that
 * opens the repository. When a limit is exceeded, the methods throw an error, which the dialect must not catch. The document is then not
 * used at all, and a diagnostic reports it.
 */
export interface ReadingBudget {
  /** Counts a hook, or something that is written in place of a hook: an invalid group, a group without hooks, an unknown event name. */
  countHook(path: readonly (string | number)[]): void;
  /** Counts the instructions of the program that a pattern was compiled to. */
  countPattern(instructions: number, path: readonly (string | number)[]): void;
  /** Counts a diagnostic. */
  countDiagnostic(path: readonly (string | number)[]): void;
}

/** Settings as read: the value, and the positions of its parts. */
export interface SettingsDocument {
  readonly source: string;
  /** Absent for settings passed as an object. */
  readonly file?: string;
  /**
   * Absolute path of the directory against which relative paths in the document are resolved. For an extension, its directory. @default the
   * folder of `file`
   */
  readonly directory?: string;
  /**
   * Set if the hooks come from the front matter of a skill or a subagent, which the host has read. @default the hooks come from settings
   */
  readonly frontMatterOf?: 'skill' | 'subagent';
  readonly value: unknown;
  readonly text?: string;
  /** Set for a document that may come with a repository. @default reading is not limited */
  readonly budget?: ReadingBudget;
  /** Line and column of a value, from 1. Undefined for settings that were passed as an object. */
  locate(path: readonly (string | number)[]): { readonly line: number; readonly column: number } | undefined;
}

/** What a dialect may read from the machine. */
export interface DialectContext {
  readonly projectDir: string;
  /**
   * Absolute path of the home directory, or `''` if there is none. Without it, leave out the locations that depend on it, and the
   * lookalikes of the source `user`.
   */
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly platform: string;
  /** The names of the agent's tools. A dialect reports matchers that match none of them. @default the names are not known */
  readonly toolNames?: readonly string[];
  readonly files: {
    /** Whether the path is a regular file. */
    isFile(path: string): boolean;
    /** Whether the path is a file that this user may execute. */
    isExecutable(path: string): boolean;
    /** The first bytes of a file as text. Undefined if it cannot be read. */
    head(path: string, bytes: number): string | undefined;
  };
}

/** A setting for all hooks, and its path in the document. */
export interface SwitchValue<Value> {
  readonly value: Value;
  /** The path of the setting in its document. */
  readonly path: readonly (string | number)[];
  /** The value as written, for messages. @default value */
  readonly written?: unknown;
}

/**
 * The settings of a document that concern all hooks. The registry applies them to the hooks of the same dialect whose level is that of the
 * document or lower. `managedOnly` and the lists of allowed values apply to the hooks of every dialect.
 */
export interface HookSwitches {
  /** `false` switches hooks off. `true` switches on hooks that are off by default. */
  readonly enabled?: SwitchValue<boolean>;
  /**
   * If set, the hooks of this document do not run unless `enabled` is true in this document or in one of a higher level. @default the hooks
   * run
   */
  readonly offByDefault?: { readonly path: readonly (string | number)[]; readonly remedy: string };
  /** Names or commands of hooks that do not run. An empty string disables no hook. */
  readonly disabled?: SwitchValue<readonly string[]>;
  /** Only hooks of the administrator run. Ignored in a document of another level. */
  readonly managedOnly?: SwitchValue<true>;
  /**
   * Patterns of the URLs that hooks of the kind `http` may call: `https://*.example.com/hooks/*`. A pattern and a URL are compared part by
   * part: scheme, host, port, path.
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
   * Whether the document as a whole is invalid in this dialect: for example, it is not an object, or a switch has the wrong type.
   * `diagnostics` must then contain an error. If a file becomes unusable at a reload, its last usable content stays in use. If a file is
   * unusable at the start, the hooks that could be parsed are used. Do not set this for one invalid hook or group among valid ones, because
   * it is enough to drop that one.
   * @default the document is usable
   */
  readonly isUnusable?: boolean;
}

/** A parsed document and where it is from. `combine` receives one per document. */
export interface ParsedSettings extends ParsedDocument {
  readonly source: string;
  readonly file?: string;
  /** The position of a part of the document, for diagnostics of `combine`. @default diagnostics have no line */
  readonly locate?: SettingsDocument['locate'];
}

/**
 * All hooks of one dialect. `off` has the hooks that are switched off by a setting for all hooks. They have no outcomes, but `explain`
 * shows them.
 */
export interface CombinedSettings {
  readonly hooks: readonly HookDefinition[];
  readonly off: readonly { readonly hook: HookDefinition; readonly reason: string }[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Whether a hook runs for an event. With `reconsider`, the answer may change when other hooks rewrite the input. Such a hook stays in the
 * plan, and before its stage `select` is called again, with the original input and with the current one. The hook runs if one of the two
 * matches.
 */
export type Selection =
  /** `undecided`: the dialect could not decide, so the hook runs to be safe. No duplicate of this hook is dropped. */
  | { readonly run: true; readonly reason: string; readonly undecided?: true }
  | { readonly run: false; readonly skipReason: SkipReason; readonly reason: string; readonly reconsider?: true };

/**
 * What one run of a hook means. With a `failure`, the outcome is `failed`, and the output is ignored. A failure with the code `timeout`
 * makes the outcome `timed-out`, because a dialect may have its own timeouts. Without a failure, a deny makes the outcome `blocked`.
 */
export interface Decoded {
  readonly output?: HookOutput;
  readonly failure?: { readonly code: HookCode; readonly message: string };
  readonly warnings: readonly HookWarning[];
}

/**
 * The files that `tenterhook init` writes into a project: settings with one hook that checks shell commands, and the script of this hook, a
 * Node program. Paths are relative to the project directory and use slashes.
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
   * Values for fields that the canonical event requires but that this agent does not send. They are used where `input` does not have the
   * field.
   */
  readonly defaults: Readonly<Record<string, unknown>>;
}

/**
 * How one agent writes its hooks. All methods are pure: they use no file, process or clock, except through the context. If a method throws,
 * this has the following effect:
 * - `parse` and `combine`: the hooks that were passed are not used, and a diagnostic reports it;
 * - `configure`: the hook is used unchanged;
 * - `layOut`: the hooks run one after another. A hook that `layOut` leaves out runs last;
 * - `select`: the hook runs;
 * - `invocation` and `decode`: the hook has failed;
 * - `claims` and `eventsIn`: the document is not treated as one of this dialect;
 * - `extensionFiles`: no file of an extension is treated as one of this dialect;
 * - `readInput` and `writeInput`: the input is treated as canonical;
 * - `locations`: `createHooks` rejects, and a reload keeps the previous hooks. If the error were ignored, settings files would be missing
 *   without a message.
 */
export interface Dialect {
  readonly name: string;
  /** Display name of the agent, for messages: `Claude Code`. @default the name of the dialect */
  readonly agent?: string;
  /**
   * Names of variables that the agent sets for the commands and hooks that it starts, and that a person at a terminal does not have. Where one
   * of them is set, `tenterhook trust` stores no decision: a model must not answer for its user. @default none are known
   */
  readonly agentVariables?: readonly string[];
  /** The canonical event for each event name of the dialect. @default none: the dialect uses the canonical names */
  readonly events?: Readonly<Record<string, HookEventName>>;
  /**
   * The event names in a settings value, as this dialect spells them. Returns an empty list if the value does not look like settings of
   * this dialect. If it does, the list may include unknown event names, because otherwise one misspelt name could make another dialect
   * claim the settings. @default empty
   */
  eventsIn?(value: unknown): readonly string[];
  /** The JSON Schema of its settings files, for editors and for `tenterhook schema`. @default no schema */
  settingsJsonSchema?(): object;
  /** What `tenterhook init` writes. @default it writes nothing for this dialect */
  readonly starter?: StarterSettings;
  /** Files to look for, in plan order. */
  locations(context: DialectContext): readonly SettingsLocation[];
  /**
   * Existing files that are not read although their name or place is similar to that of a location. A diagnostic warns their author. Called
   * only if settings are discovered.
   * @default none
   */
  lookalikes?(context: DialectContext): readonly SettingsLookalike[];
  /**
   * Tests by the path of a file whether the file belongs to this dialect. Returns an object if it does, with the project directory if the
   * path shows that too. A file that each project may have must be recognised in every directory. A file with a fixed path must be
   * recognised by the directories in the context.
   * @default no file belongs to the dialect
   */
  claims?(file: string, context: DialectContext): { readonly projectDir?: string } | undefined;
  /**
   * Absolute paths of files in an extension's directory that may contain its hooks. A file is used if it exists and has a key `hooks`, so
   * the extension's manifest may be listed too. The value of `hooks` may also be a string with the path of another file of the extension,
   * or a list of such strings and of hooks. If a directory contains a file that no other dialect lists, the directory belongs to this
   * dialect. @default extensions have no file
   */
  extensionFiles?(directory: string): readonly string[];
  /** The prefix of an extension's name in the source of its hooks: `plugin:<name>`. @default 'extension' */
  readonly extensionSource?: string;
  /**
   * Reads the hooks of one document. An invalid hook gets a diagnostic and stays in the list, marked `skip: invalid`. The other hooks are
   * not affected.
   */
  parse(document: SettingsDocument, context: DialectContext): ParsedDocument;
  /**
   * Applies to a hook those settings for all hooks that only this dialect has, such as environment variables. `reaching` are the documents
   * whose settings apply to the hook: those of its level and of higher levels, in plan order. Called once for each hook, with the same list
   * for all hooks of a level. @default the hook unchanged
   */
  configure?(hook: HookDefinition, reaching: readonly ParsedSettings[]): HookDefinition;
  /**
   * Applies rules that concern several documents, such as rules for names that are used twice. The documents are in plan order. It must not
   * apply the `switches` of the documents, because the registry does that. @default all hooks, in order
   */
  combine?(parsed: readonly ParsedSettings[]): CombinedSettings;
  /**
   * What decides how the hook runs and is not in its definition. It is part of what a person trusts together with the hook. @default nothing
   */
  pinnedParts?(hook: HookDefinition): PinnedParts;
  /**
   * Arranges hooks in stages. Called with all hooks of an event to find their order, and with the selected hooks to find the stages that
   * run.
   */
  layOut(hooks: readonly HookDefinition[]): readonly Stage[];
  /**
   * Decides whether a hook runs for an event. `parse` has already compiled the matcher. `explain` prints the reason. Plans are cached, and
   * the key of the cache consists of the fields of the event that `select` reads. So read only the fields that are necessary, and read
   * fields other than the matcher's only if the matcher matches. Then `select` is called once per tool.
   */
  select(hook: HookDefinition, event: HookEvent): Selection;
  /** Whether `invocation` reads the environment. If it does, the environment is copied for each event. @default true */
  readonly readsEnvironment?: boolean;
  /** The unit of timeouts in the settings of the dialect, for messages. Hook definitions always have milliseconds. @default 'ms' */
  readonly timeoutUnit?: 'ms' | 's';
  /** The field that has the meaning of `onError` in the settings of the dialect, for messages. @default 'onError' */
  readonly failureField?: string;
  /**
   * The field that has the meaning of `mayDetach` in the settings of the dialect, for messages. @default the settings have no such field
   */
  readonly detachField?: string;
  /** What to run, and its stdin. `environment` is the environment of this process; it is empty if `readsEnvironment` is false. */
  invocation(event: HookEvent, hook: HookDefinition, environment: Readonly<Record<string, string>>): Invocation;
  /** What a run means: the output in canonical fields, or a failure. */
  decode(exit: ReadableExit, event: HookEvent, hook: HookDefinition): Decoded;
  /**
   * The fields of an event as `invocation` passes them to hooks, without those that all events of the agent have in common. `dialectEvent`
   * is one of the names in `events`. @default the canonical fields
   */
  writeInput?(dialectEvent: string, event: HookEvent): Readonly<Record<string, unknown>>;
  /**
   * Translates what the agent writes to the stdin of its hooks to canonical fields: the inverse of `invocation`. With it, `tenterhook fire`
   * accepts an input that was captured in the agent. Each field is translated separately; a field that is already canonical stays
   * unchanged. `dialectEvent` is one of the names in `events`. @default the fields of the dialect are the canonical ones
   */
  readInput?(dialectEvent: string, input: Readonly<Record<string, unknown>>): ReadInput;
  /**
   * Adds the side effects that a deny has in this dialect, such as removing the result of a tool. Called only for a failure that `onError:
   * 'block'` turns into a deny, because `decode` has already added the side effects of other denies. @default a deny has no side effects
   */
  denied?(output: HookOutput, hook: HookDefinition): HookOutput;
}

/** What a dialect adds to the definition of a hook when a person decides whether to trust the hook. */
export interface PinnedParts {
  /** Further fields, as plain JSON, such as `sequential`. A field of the same name as one of the definition replaces it. @default none */
  readonly definition?: Readonly<Record<string, unknown>>;
  /** The environment variables that settings of the repository set for the hook, and that are not in its own fields. @default none */
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

/** The hooks of one event, arranged for execution. Stages run in order. A deny or a stop ends the plan. */
export interface Plan {
  readonly stages: readonly Stage[];
  readonly skipped: readonly SkippedHook[];
  /** Every configured hook of the event in plan order, including skipped hooks at the position that their dialect gives them. */
  readonly order: readonly HookDefinition[];
}
