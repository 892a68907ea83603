import type { AggregatedHookResult, Dialect, HookEventName } from '@tenterhook/protocol';
import type { Violations } from './violations.js';

/** A hook that `settings` must write. */
export interface SampleHook {
  readonly eventName: HookEventName;
  /** The event by the dialect's name, from its `events`. */
  readonly dialectEvent: string;
  /**
   * The name or key of the hook, if the format has one. Names are unique, and sorting them by UTF-16 code units gives the order of the
   * hooks.
   */
  readonly name: string;
  /** A command for a POSIX shell. The settings must contain it unchanged. */
  readonly command: string;
  /**
   * The timeout in milliseconds. It is always a multiple of 1000, because some dialects have timeouts in seconds. @default the default of
   * the dialect
   */
  readonly timeoutMs?: number;
  /** The matcher in the language of the dialect. Present only on events with a field to match. @default the hook matches everything */
  readonly matcher?: string;
}

/**
 * What exit code 0 means together with output that is not an answer: text, half an object, a list, unknown fields or fields of the wrong
 * type. Two rules are the same in every format: `{}` decides nothing, and unreadable output neither allows nor stops.
 * - `no opinion`: the output decides nothing, and the hook has not failed;
 * - `failed`: the output decides nothing, and the hook may have failed, even if it printed nothing;
 * - `deny`: output that is not a JSON object denies. A JSON object that is not an answer may deny. No output does not deny.
 */
export type Unreadable = 'no opinion' | 'failed' | 'deny';

/** The sample answers: objects that a hook prints on stdout before it exits with 0. */
export interface SampleAnswers {
  /** The event on which these objects are answers. Hooks must be able to block it. Most cases use it. */
  readonly eventName: HookEventName;
  readonly deny: object;
  /** An answer that allows. @default the dialect has none */
  readonly allow?: object;
}

/** A dialect, and facts about it that the suite cannot find out. */
export interface DialectConformanceOptions {
  /** Creates the dialect. Called for each case, so that the cases do not affect one another. */
  readonly dialect: () => Dialect;

  /**
   * Writes settings in the format of the dialect with these hooks, in this order, all of them switched on. Returns `undefined` if the
   * dialect does not have the event of a hook.
   */
  readonly settings: (hooks: readonly SampleHook[]) => unknown;

  /**
   * Fires an event in a real system with only this dialect and these settings, with real processes, and cleans up. The system must have the
   * default limits: at most 16 MiB of a hook's stdout are kept, and at least 1024 hooks may wait.
   */
  readonly fire: (
    dialect: Dialect,
    settings: unknown,
    eventName: HookEventName,
    input: Readonly<Record<string, unknown>>,
  ) => Promise<AggregatedHookResult>;

  readonly answers: SampleAnswers;

  /**
   * Fields that hooks of the dialect may print in addition to the canonical ones, such as `approval` or `rewrite.arguments`. The suite
   * tries each with every wrong type. @default only the canonical fields
   */
  readonly outputFields?: readonly string[];

  /**
   * Events, by the dialect's names, that the dialect reads but that `eventsIn` does not return, because settings that have only these
   * events probably belong to another format. @default none
   */
  readonly sharedEvents?: readonly string[];

  /**
   * Matchers in the dialect's language. Together they must match some tools and not others. An empty list means that the dialect has no
   * matchers.
   * @default names and regular expressions of tools such as `write_file`, alone and after the name of a server and `__`
   */
  readonly matchers?: readonly string[];

  /**
   * Returns whether an answer (a deny or an allow) has an effect with this exit code, from 1 to 255. With exit codes for which it returns
   * false, output must never allow.
   * @default only with exit code 0
   */
  readonly answersWith?: (exitCode: number) => boolean;

  /**
   * Whether a deny on stderr has an effect if stdout is blank. An allow on stderr never has one. @default false: stderr never contains an
   * answer
   */
  readonly readsStderr?: boolean;

  /**
   * Returns what unreadable output means on an event. The argument is the dialect's name of the event. @default 'no opinion' on every event
   */
  readonly unreadable?: (dialectEvent: string) => Unreadable;

  /**
   * Events, by the dialect's names, whose hooks run only for some inputs. Each has a function that returns fields for which they run: `{
   * beforeShellExecution: (text) => ({ tool_name: 'run_shell_command', tool_input: { command: text } }) }`. `text` is what a model, a user
   * or a tool may have written. If a canonical event has several names, those that are listed here are tried in addition to the first.
   * @default the first name of each canonical event, with fields such as those of a successful call of `write_file`
   */
  readonly eventFields?: Readonly<Record<string, (text: string) => Readonly<Record<string, unknown>>>>;
}

/** An event of the dialect with its name there. */
export interface DialectEvent {
  readonly eventName: HookEventName;
  readonly dialectEvent: string;
}

/** The dialect and its events, as one case receives them. */
export interface DialectScene {
  readonly options: DialectConformanceOptions;
  readonly dialect: Dialect;
  /** The events for which settings can be written: the first name of each in the order of the catalogue, then other names. */
  readonly events: readonly DialectEvent[];
  /** The event of the sample answers. Undefined if the dialect has no such event, which the first case reports. */
  readonly answersEvent: DialectEvent | undefined;
  readonly violations: Violations;
}

/** The test of one promise of a dialect. */
export interface DialectCase {
  readonly title: string;
  readonly run: (scene: DialectScene) => void | Promise<void>;
}
