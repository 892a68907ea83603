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
 * How much may be read of settings that can come with a repository: they must not freeze or end the agent that opens it. Once it is too much, the
 * methods throw. Let the error pass: then nothing of the document is used, and a diagnostic reports it.
 */
export interface ReadingBudget {
  /** Counts a hook, or what is in the place of one: an invalid group, a group without hooks, a name that is not an event. */
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
  /** Absolute. The base of relative paths in the document; of an extension, its directory. @default the folder of `file` */
  readonly directory?: string;
  /** The hooks are from the front matter of a skill or a subagent, which the host has read. @default they are from settings */
  readonly frontMatterOf?: 'skill' | 'subagent';
  readonly value: unknown;
  readonly text?: string;
  /** Set for a document that a repository can contain. @default everything may be read */
  readonly budget?: ReadingBudget;
  /** Line and column of a value, from 1. Undefined for settings that were passed as an object. */
  locate(path: readonly (string | number)[]): { readonly line: number; readonly column: number } | undefined;
}

/** What a dialect may read of the machine. Read-only. */
export interface DialectContext {
  readonly projectDir: string;
  /** An absolute path, or `''` if there is no home directory. Then locations that depend on it, and lookalikes of the source `user`, are left out. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly platform: string;
  /** The names of the tools that the agent has, for remarks on matchers. @default not known */
  readonly toolNames?: readonly string[];
  readonly files: {
    /** Whether it is a regular file. */
    isFile(path: string): boolean;
    /** Whether it is a file that this user may execute. */
    isExecutable(path: string): boolean;
    /** The first bytes of a file as text. Undefined if it cannot be read. */
    head(path: string, bytes: number): string | undefined;
  };
}

/** A value that a document sets for hooks in general, and its path. */
export interface SwitchValue<Value> {
  readonly value: Value;
  /** The path of the setting in its document. */
  readonly path: readonly (string | number)[];
  /** The value as written, for messages. @default value */
  readonly written?: unknown;
}

/**
 * What a document says about hooks in general. The registry decides whom it reaches: hooks of the level of the document and of the levels below,
 * in its dialect. `managedOnly` and the lists of allowed values reach hooks of every dialect.
 */
export interface HookSwitches {
  /** `false` switches hooks off. `true` switches on hooks that are off by default. */
  readonly enabled?: SwitchValue<boolean>;
  /** The hooks of this document do not run until `enabled` is true in it or in a level above. @default they run */
  readonly offByDefault?: { readonly path: readonly (string | number)[]; readonly remedy: string };
  /** Names or commands of hooks that do not run. An empty text disables none. */
  readonly disabled?: SwitchValue<readonly string[]>;
  /** Only hooks of the administrator run. Ignored in a document of another level. */
  readonly managedOnly?: SwitchValue<true>;
  /** Patterns of the URLs that hooks of the kind `http` may call: `https://*.example.com/hooks/*`. They are compared part by part. */
  readonly allowedUrls?: SwitchValue<readonly string[]>;
  /** The variables that hooks of the kind `http` may send in headers. */
  readonly allowedHeaderVariables?: SwitchValue<readonly string[]>;
}

/** What a dialect makes of one document. */
export interface ParsedDocument {
  readonly hooks: readonly HookDefinition[];
  readonly diagnostics: readonly Diagnostic[];
  /** @default it says nothing about hooks in general */
  readonly switches?: HookSwitches;
  /** Data of this document for `configure` and `combine`. */
  readonly data?: unknown;
  /**
   * The whole document is invalid in this dialect: for example, it is not an object, or a switch has the wrong type. The diagnostics have an
   * error for it. A file that becomes unusable keeps its last good state. At the start, the hooks that were parsed count. Do not set it for a
   * bad hook or group among good ones: only the bad one is dropped. @default usable
   */
  readonly isUnusable?: boolean;
}

/** A parsed document and where it is from. `combine` receives one per document. */
export interface ParsedSettings extends ParsedDocument {
  readonly source: string;
  readonly file?: string;
  /** The position of a part of the document, for diagnostics of `combine`. @default positions are not known */
  readonly locate?: SettingsDocument['locate'];
}

/** All hooks of one dialect. A setting for all hooks switches `off` hooks off: they have no outcomes, and `explain` shows them. */
export interface CombinedSettings {
  readonly hooks: readonly HookDefinition[];
  readonly off: readonly { readonly hook: HookDefinition; readonly reason: string }[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Whether a hook runs for an event. `reconsider`: the answer depends on what other hooks may rewrite. The hook stays a candidate, and
 * `select` is called again before its stage, on the original and on the current input. The hook runs if either matches.
 */
export type Selection =
  /** `undecided`: the dialect could not decide, so the hook runs to be safe. None of its duplicates is dropped for it. */
  | { readonly run: true; readonly reason: string; readonly undecided?: true }
  | { readonly run: false; readonly skipReason: SkipReason; readonly reason: string; readonly reconsider?: true };

/**
 * The meaning of one run. A `failure` makes the outcome `failed`, or `timed-out` if its code is `timeout` (a dialect may have deadlines of
 * its own), and the output is ignored. Otherwise a deny makes it `blocked`.
 */
export interface Decoded {
  readonly output?: HookOutput;
  readonly failure?: { readonly code: HookCode; readonly message: string };
  readonly warnings: readonly HookWarning[];
}

/** The first settings of a project: one guard for the commands of the shell, which is a script of Node. Paths are from the project, with slashes. */
export interface StarterSettings {
  /** The settings file of the project. */
  readonly file: string;
  /** Where `settings` expect the script. */
  readonly script: string;
  readonly settings: object;
}

/** An input in the words of a dialect, as canonical fields. */
export interface ReadInput {
  readonly input: Readonly<Record<string, unknown>>;
  /** Values for fields that the canonical event requires and that the agent does not send. They count if `input` lacks the field. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

/**
 * How one agent writes its hooks. All methods are pure: they read no file, no process and no clock except through the context.
 * Errors that a method throws are contained:
 * - `parse` and `combine`: their hooks are lost, with a diagnostic;
 * - `configure`: the hook stays as it is;
 * - `layOut`: the hooks run one after another. A hook that `layOut` leaves out runs last;
 * - `select`: the hook runs;
 * - `invocation` and `decode`: the hook has failed;
 * - `claims` and `eventsIn`: the document is not of this dialect;
 * - `extensionFiles`: no file of an extension is of this dialect;
 * - `readInput` and `writeInput`: the input counts as canonical.
 * Only `locations` must not throw: a missing settings file would go unnoticed, so `createHooks` rejects and a reload keeps the old set.
 */
export interface Dialect {
  readonly name: string;
  /** Display name of the agent, for messages: `Claude Code`. @default the name of the dialect */
  readonly agent?: string;
  /** The canonical event for each event name of the dialect. @default none: the dialect uses the canonical names */
  readonly events?: Readonly<Record<string, HookEventName>>;
  /**
   * The events of this dialect that settings use, in its spelling. Empty if the settings do not look like this dialect. If they do, unknown
   * event names may be included: a typing error must not assign them to another agent. @default empty
   */
  eventsIn?(value: unknown): readonly string[];
  /** The JSON Schema of its settings files, for editors and for `tenterhook schema`. @default no schema */
  settingsJsonSchema?(): object;
  /** What `tenterhook init` writes. @default it writes nothing for this dialect */
  readonly starter?: StarterSettings;
  /** Files to look for, in plan order. */
  locations(context: DialectContext): readonly SettingsLocation[];
  /** Files near these places that exist but are not read, to report them to their author. Called only with discovery. @default none */
  lookalikes?(context: DialectContext): readonly SettingsLookalike[];
  /**
   * Whether the path of a file shows that it belongs to this dialect, and its project if the path shows that too. A file that exists once per
   * project is recognised in any project directory, a file with a fixed place through the context. @default no file belongs to it
   */
  claims?(file: string, context: DialectContext): { readonly projectDir?: string } | undefined;
  /**
   * Absolute paths of files in an extension's directory that may contain its hooks. Every existing file with a key `hooks` counts, so a
   * manifest may be listed. A string under `hooks` names another file of the extension; a list may mix such strings and hooks. A file that no
   * other dialect lists identifies the dialect of the directory. @default extensions have no file
   */
  extensionFiles?(directory: string): readonly string[];
  /** The prefix of an extension's name in the source of its hooks: `plugin:<name>`. @default 'extension' */
  readonly extensionSource?: string;
  /** A bad hook gets a diagnostic and stays in the list as `skip: invalid`. Its siblings are not affected. */
  parse(document: SettingsDocument, context: DialectContext): ParsedDocument;
  /**
   * The hook with settings for hooks in general that only this dialect knows, such as its environment. `reaching` are the documents whose settings
   * reach the hook: those of its level and of the levels above, in plan order. Called once for each hook, with the same list for all hooks of
   * a level. @default the hook
   */
  configure?(hook: HookDefinition, reaching: readonly ParsedSettings[]): HookDefinition;
  /**
   * Rules across documents, such as names used twice. The documents are in plan order. Switches and lists are not its task: the registry applies
   * `switches` of each document. @default all hooks, in order
   */
  combine?(parsed: readonly ParsedSettings[]): CombinedSettings;
  /** Order and concurrency. Called with all hooks of the event for their order, and with the selected ones for the stages. */
  layOut(hooks: readonly HookDefinition[]): readonly Stage[];
  /**
   * Matchers are compiled by `parse`. `explain` prints the reason. Plans are cached by the fields of the event that select() reads. So read no
   * more than needed, and read further fields only if the matcher fits: then select() is called once per tool.
   */
  select(hook: HookDefinition, event: HookEvent): Selection;
  /** Whether `invocation` reads the environment. Each event then costs a copy of it. @default true */
  readonly readsEnvironment?: boolean;
  /** The unit of timeouts in its settings, for messages that show what is written. Definitions have milliseconds. @default 'ms' */
  readonly timeoutUnit?: 'ms' | 's';
  /** The name of `onError` in its settings, for messages that say what to write. @default 'onError' */
  readonly failureField?: string;
  /** What to run, and its stdin. `environment` is the environment of the parent; empty for a dialect that does not read it. */
  invocation(event: HookEvent, hook: HookDefinition, environment: Readonly<Record<string, string>>): Invocation;
  /** What a run means: the output in canonical fields, or a failure. */
  decode(exit: ReadableExit, event: HookEvent, hook: HookDefinition): Decoded;
  /**
   * The fields of an event as `invocation` passes them to hooks, without those that all events of the agent share. `dialectEvent` is one of
   * `events`. @default the canonical fields
   */
  writeInput?(dialectEvent: string, event: HookEvent): Readonly<Record<string, unknown>>;
  /**
   * The inverse of the stdin of `invocation`: what the agent sends to hooks of an event, as canonical fields. With it, `tenterhook fire` takes an
   * input that was captured in the agent. Field by field: what is canonical already stays. `dialectEvent` is one of `events`. @default its
   * fields are the canonical ones
   */
  readInput?(dialectEvent: string, input: Readonly<Record<string, unknown>>): ReadInput;
  /**
   * Adds the side effects that a deny has in this dialect, such as removing the result of a tool. Called for a failure that
   * `onError: 'block'` turns into a deny; the output of `decode` has them already. @default a deny has no side effects
   */
  denied?(output: HookOutput, hook: HookDefinition): HookOutput;
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

/** What will happen. Stages run in order. A deny or a stop ends the plan. */
export interface Plan {
  readonly stages: readonly Stage[];
  readonly skipped: readonly SkippedHook[];
  /** Every configured hook of the event in plan order. Skipped ones are at the place that the order of their dialect gives them. */
  readonly order: readonly HookDefinition[];
}
