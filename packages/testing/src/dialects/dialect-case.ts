import type { AggregatedHookResult, Dialect, HookEventName } from '@tenterhook/protocol';
import type { Violations } from './violations.js';

/** A hook to be written by `settings`. */
export interface SampleHook {
  readonly eventName: HookEventName;
  /** The event by the dialect's name, from its `events`. */
  readonly dialectEvent: string;
  /**
   * The name or key of the hook, if the format has one. Names are unique. Sorted by UTF-16 code units, they are in the order of the hooks.
   */
  readonly name: string;
  /** A command for a POSIX shell. The settings must contain it unchanged. */
  readonly command: string;
  /**
   * The timeout in milliseconds, a multiple of 1000, because some dialects have timeouts in seconds. @default the default of the dialect
   */
  readonly timeoutMs?: number;
  /** The matcher, as the dialect writes it. Present only for events with a field to match. @default the hook matches everything */
  readonly matcher?: string;
}

/**
 * What the format makes of unreadable output with exit code 0: text, half an object, a list, unknown fields, or fields of the wrong type.
 * - `no opinion`: no decision, and the hook has not failed.
 * - `failed`: no decision, and the hook may have failed. This may include a hook that prints nothing.
 * - `deny`: output that is not a JSON object denies. An object without an answer may deny. No output does not deny.
 *
 * In every format, `{}` makes no decision, and unreadable output neither allows nor stops.
 */
export type Unreadable = 'no opinion' | 'failed' | 'deny';

/** The sample answers: objects that a hook prints on stdout before it exits with 0. */
export interface SampleAnswers {
  /** The event for which these objects are answers. Hooks must be able to block it. Most cases use it. */
  readonly eventName: HookEventName;
  readonly deny: object;
  /** An answer that allows. @default the dialect has none */
  readonly allow?: object;
}

/** A dialect, with facts that the suite cannot find out. */
export interface DialectConformanceOptions {
  /** Creates the dialect. Called for each case, so that the cases do not affect one another. */
  readonly dialect: () => Dialect;

  /**
   * Returns settings in the format of the dialect with these hooks, in this order, all enabled. Returns `undefined` if the dialect does not
   * have the event of a hook.
   */
  readonly settings: (hooks: readonly SampleHook[]) => unknown;

  /**
   * Fires an event in a real system with only this dialect and these settings, with real processes, and cleans up. The system must have the
   * default limits: it keeps at most 16 MiB of a hook's stdout, and at least 1024 hooks may wait.
   */
  readonly fire: (
    dialect: Dialect,
    settings: unknown,
    eventName: HookEventName,
    input: Readonly<Record<string, unknown>>,
  ) => Promise<AggregatedHookResult>;

  readonly answers: SampleAnswers;

  /**
   * Fields of the dialect's own answers, such as `approval` or `rewrite.arguments`. The suite prints each with every wrong type.
   * @default only the canonical fields
   */
  readonly outputFields?: readonly string[];

  /**
   * Events that the dialect reads although `eventsIn` does not return them. Settings with only these events probably belong to another
   * format. Write the dialect's names. @default none
   */
  readonly sharedEvents?: readonly string[];

  /**
   * Matchers, as the dialect writes them. Together they must match some tools and not others. If the dialect has no matchers, pass an empty
   * list.
   * @default names and regular expressions of tools such as `write_file`, alone and after the name of a server and `__`
   */
  readonly matchers?: readonly string[];

  /**
   * Returns whether an answer (a deny or an allow) counts with this exit code, from 1 to 255. If it returns false, output with this exit
   * code must never allow.
   * @default answers count only with exit code 0
   */
  readonly answersWith?: (exitCode: number) => boolean;

  /** Whether a deny on stderr counts if stdout is blank. An allow on stderr never counts. @default false */
  readonly readsStderr?: boolean;

  /**
   * Returns what unreadable output means for an event. The argument is the dialect's name of the event. @default 'no opinion' for all
   * events
   */
  readonly unreadable?: (dialectEvent: string) => Unreadable;

  /**
   * Events whose hooks run only for some inputs, by the dialect's names. The function of an event returns fields for which its hooks run:
   * `{ beforeShellExecution: (text) => ({ tool_name: 'run_shell_command', tool_input: { command: text } }) }`. `text` is what a model, a
   * user or a tool may have written. If a canonical event has several names, only the first one and those in this list are tested.
   * @default the first name of each canonical event, with fields such as those of a successful call of `write_file`
   */
  readonly eventFields?: Readonly<Record<string, (text: string) => Readonly<Record<string, unknown>>>>;
}

/** An event, with the name that the dialect gives it. */
export interface DialectEvent {
  readonly eventName: HookEventName;
  readonly dialectEvent: string;
}

/** The dialect and its events, as one case receives them. */
export interface DialectScene {
  readonly options: DialectConformanceOptions;
  readonly dialect: Dialect;
  /**
   * The events for which settings can be written. The list begins with the first name of each event, in the order of the catalogue. Other
   * names of events, from the options, follow.
   */
  readonly events: readonly DialectEvent[];
  /** The event of the sample answers. Undefined if the dialect does not have it; the first case reports this. */
  readonly answersEvent: DialectEvent | undefined;
  readonly violations: Violations;
}

/** The test of one promise of a dialect. */
export interface DialectCase {
  readonly title: string;
  readonly run: (scene: DialectScene) => void | Promise<void>;
}
