import type { HookCode } from '../codes.js';
import type { HookEventName } from '../events/event-catalogue.js';
import type { HookDefinition } from '../hooks/hook-definition.js';
import type { HookOutput } from '../results/hook-output.js';
import type { HookWarning } from '../results/outcome.js';
import type { HookEvent, Invocation, ReadableExit } from './execution.js';
import type { Selection, Stage } from './plan.js';
import type { RelayFormat } from './relay-format.js';
import type {
  CombinedSettings,
  DialectContext,
  ParsedDocument,
  ParsedSettings,
  SettingsDocument,
  SettingsLocation,
  SettingsLookalike,
  StarterSettings,
} from './settings.js';

/**
 * What one run of a hook means. With a `failure`, the output is ignored, and the outcome is `timed-out` for the code `timeout` and
 * `failed` for other codes. Without a failure, a deny makes the outcome `blocked`.
 */
export interface Decoded {
  readonly output?: HookOutput;
  readonly failure?: { readonly code: HookCode; readonly message: string };
  readonly warnings: readonly HookWarning[];
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
