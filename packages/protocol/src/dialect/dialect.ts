import type { HookCode, SkipReason } from '../codes.js';
import type { HookEventName } from '../events/event-catalogue.js';
import type { Diagnostic } from '../hooks/diagnostic.js';
import type { HookDefinition } from '../hooks/hook-definition.js';
import type { HookOutput } from '../results/hook-output.js';
import type { HookWarning } from '../results/outcome.js';
import type { HookEvent, Invocation, ReadableExit } from './execution.js';

/** A file to look for. A file that is not there is normal; `list` and `explain` show it all the same. */
export interface SettingsLocation {
  readonly source: string;
  readonly file: string;
}

/** A file that exists, looks like settings, and is not read. */
export interface SettingsLookalike {
  readonly file: string;
  /** The source of the file that is read in its place. */
  readonly source: string;
  readonly insteadOf: string;
  /** What to do about it. @default to move what it says */
  readonly remedy?: string;
}

/** Settings as read: the value, and where its parts stand. */
export interface SettingsDocument {
  readonly source: string;
  /** Absent for settings handed in as an object. */
  readonly file?: string;
  /** Absolute: where relative paths of the document count from; of an extension, the directory it lies in. @default the folder of `file` */
  readonly directory?: string;
  /** The hooks stand in the front matter of a skill or of a subagent, which the host has read. @default they stand in settings */
  readonly frontMatterOf?: 'skill' | 'subagent';
  readonly value: unknown;
  readonly text?: string;
  locate(path: readonly (string | number)[]): { readonly line: number; readonly column: number } | undefined;
}

/** What a dialect may know of the machine. Read-only. */
export interface DialectContext {
  readonly projectDir: string;
  /** An absolute path; `''` where there is none. Then locations that depend on it are left out, and lookalikes of the source `user`. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly platform: string;
  readonly files: {
    isFile(path: string): boolean;
    isExecutable(path: string): boolean;
    head(path: string, bytes: number): string | undefined;
  };
}

export interface ParsedDocument {
  readonly hooks: readonly HookDefinition[];
  readonly diagnostics: readonly Diagnostic[];
  /** What `combine` needs of this document. */
  readonly data?: unknown;
  /**
   * The document as a whole is none of this dialect's: it is no object, say, or a switch is of the wrong type. The diagnostics have an error
   * that says so. A file that becomes so keeps its last good state; from the start, what was made of it counts. Not for a bad hook or group
   * beside good ones, which drop alone. @default usable
   */
  readonly isUnusable?: boolean;
}

/** What was parsed, and of which document; what `combine` is given. */
export interface ParsedSettings extends ParsedDocument {
  readonly source: string;
  readonly file?: string;
}

/** The whole set of one dialect. `off` hooks are switched off as a whole: they have no outcomes, `explain` shows them. */
export interface CombinedSettings {
  readonly hooks: readonly HookDefinition[];
  readonly off: readonly { readonly hook: HookDefinition; readonly reason: string }[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Whether a hook runs for an event. `reconsider`: the answer depends on what other hooks may rewrite, so the hook stays a
 * candidate and is asked again before its stage, on the original and on the current input; a match on either runs it.
 */
export type Selection =
  /** `undecided`: the dialect could not tell, so it runs to be safe; no copy of it is dropped in its favour. */
  | { readonly run: true; readonly reason: string; readonly undecided?: true }
  | { readonly run: false; readonly skipReason: SkipReason; readonly reason: string; readonly reconsider?: true };

/**
 * What one run meant. A `failure` makes the outcome `failed` and its output is not obeyed, or `timed-out` where its code is `timeout`: a
 * dialect's runs may have deadlines of their own. Else a deny makes it `blocked`.
 */
export interface Decoded {
  readonly output?: HookOutput;
  readonly failure?: { readonly code: HookCode; readonly message: string };
  readonly warnings: readonly HookWarning[];
}

/**
 * How one agent writes its hooks. All methods are pure: no file, no process, no clock but what the context gives.
 * What throws is contained: `parse` and `combine` lose the hooks they were asked about and leave a diagnostic, `layOut` falls back to
 * one after another (and a hook that it leaves out runs last), a hook whose `select` throws runs, and one whose `invocation` or `decode`
 * throws has failed. Without an answer of `claims` and `eventsIn` a document is another's, without one of `extensionFiles` no file of an
 * extension is its own.
 * `locations` alone must not: what is not looked for would be missed by nobody, so `createHooks` rejects and a reload keeps the old set.
 */
export interface Dialect {
  readonly name: string;
  /** What people call the agent, for messages: `Claude Code`. @default the name of the dialect */
  readonly agent?: string;
  /** Its own spelling of each event it knows, and the canonical event. @default none: its events are named canonically */
  readonly events?: Readonly<Record<string, HookEventName>>;
  /**
   * The events of its own that settings speak of, in its spelling; empty when they do not look like its own at all. A name that is none of its
   * events may be among them where the settings look like its own otherwise: a slip must not make them another agent's. @default empty
   */
  eventsIn?(value: unknown): readonly string[];
  /** The JSON Schema of its settings files, for editors and for `tenterhook schema`. @default there is none */
  settingsJsonSchema?(): object;
  /** Files to look for, in plan order. */
  locations(context: DialectContext): readonly SettingsLocation[];
  /** Files near these places that exist and are not read, so that their author can be told; asked with discovery only. @default none */
  lookalikes?(context: DialectContext): readonly SettingsLookalike[];
  /**
   * Whether a file is this dialect's by its path, and the project it belongs to where the path tells. A file of its own for every project
   * counts with any project's directory before it; one that lies in one place alone is told by the context. @default no file is
   */
  claims?(file: string, context: DialectContext): { readonly projectDir?: string } | undefined;
  /**
   * Files in the directory of an extension that may hold its hooks, absolute; all count that are there and have a key `hooks`, so that a
   * manifest may be among them; a text there names a file of the extension that holds some, a list several, hooks of its own among them. A file
   * that no other dialect names tells whose directory it is.
   * @default extensions have no file
   */
  extensionFiles?(directory: string): readonly string[];
  /** What stands before the name of an extension in the source of its hooks: `plugin:<name>`. @default 'extension' */
  readonly extensionSource?: string;
  /** A bad hook is dropped with a diagnostic and stays in the list as `skip: invalid`; its siblings stay. */
  parse(document: SettingsDocument, context: DialectContext): ParsedDocument;
  /** Rules across documents: switches, disabled lists, names used twice. The documents come in plan order. Default: all hooks, in order. */
  combine?(parsed: readonly ParsedSettings[]): CombinedSettings;
  /** Order and concurrency. Given all hooks of the event it tells the order, given the selected ones the stages. */
  layOut(hooks: readonly HookDefinition[]): readonly Stage[];
  /**
   * Matchers were compiled at parse; the reason is what `explain` prints. Plans are remembered by what select() reads of the event: a dialect
   * that reads no more than it needs, and reads the rest only for hooks whose matcher fits, is asked once for each tool.
   */
  select(hook: HookDefinition, event: HookEvent): Selection;
  /** Whether `invocation` reads the environment, which costs a copy of it for each event. @default true */
  readonly readsEnvironment?: boolean;
  /** What its settings call `onError`, for messages that tell a user what to write. @default 'onError' */
  readonly failureField?: string;
  /** What to run, with which text on stdin. `environment` is the parent's; empty for a dialect that does not read it. */
  invocation(event: HookEvent, hook: HookDefinition, environment: Readonly<Record<string, string>>): Invocation;
  decode(exit: ReadableExit, event: HookEvent, hook: HookDefinition): Decoded;
  /**
   * A deny of this hook with all that a deny does in this dialect beside denying, such as taking the result of a tool away. Asked for a failure
   * that `onError: 'block'` closes; what `decode` gives has it already. @default a deny does no more
   */
  denied?(output: HookOutput, hook: HookDefinition): HookOutput;
}

/** Hooks that run concurrently, under the global limit. */
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

/** What will happen: stages run in order, a deny or a stop ends the plan. */
export interface Plan {
  readonly stages: readonly Stage[];
  readonly skipped: readonly SkippedHook[];
  /** Every configured hook of the event in plan order, the skipped ones where their dialect's order puts them. */
  readonly order: readonly HookDefinition[];
}
