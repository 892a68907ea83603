import type { AggregatedHookResult, Dialect, HookEventName } from '@tenterhook/protocol';
import type { Violations } from './violations.js';

/** A hook that the function `settings` writes. */
export interface SampleHook {
  readonly eventName: HookEventName;
  /** The event by the dialect's name for it, from its `events`. */
  readonly dialectEvent: string;
  /**
   * The name or key of the hook. A format without names ignores it. Names are unique, and sorting them by UTF-16 code units gives
   * the order of the hooks.
   */
  readonly name: string;
  /** A command for a POSIX shell. The settings must contain it unchanged. */
  readonly command: string;
  /**
   * The timeout in milliseconds. It is a multiple of 1000, because some dialects have timeouts in seconds. @default the default of
   * the dialect
   */
  readonly timeoutMs?: number;
  /** The matcher in the syntax of the dialect. Present only for events with a field to match. @default the hook matches everything */
  readonly matcher?: string;
}

/**
 * What a dialect makes of unreadable output with exit code 0. Unreadable is text, half an object, a list, unknown fields, or fields
 * of the wrong type.
 * - `no opinion`: no decision, and the hook has not failed.
 * - `failed`: no decision, and the hook may have failed. A hook that prints nothing may have failed too.
 * - `deny`: output that is not a JSON object denies, and an object without an answer may deny. Missing output does not deny.
 * - `deny all`: every output that is not a valid answer denies, also `{}`. Missing output does not deny.
 *
 * In every other format, `{}` makes no decision. In no format does unreadable output allow or stop.
 */
export type Unreadable = 'no opinion' | 'failed' | 'deny' | 'deny all';

/** The sample answers: objects that a hook prints on stdout before it exits with 0. */
export interface SampleAnswers {
  /** The event that these objects answer. It must be an event that hooks can block. Most cases use it. */
  readonly eventName: HookEventName;
  readonly deny: object;
  /** An answer that allows. @default the dialect does not have such an answer */
  readonly allow?: object;
}

/** A dialect, with facts about it that the suite cannot find out. */
export interface DialectConformanceOptions {
  /** Creates the dialect. Each case calls it, so that cases do not affect one another. */
  readonly dialect: () => Dialect;

  /**
   * Returns settings in the format of the dialect with these hooks, in this order, all enabled. Returns `undefined` if the dialect
   * does not have the event of one of the hooks.
   */
  readonly settings: (hooks: readonly SampleHook[]) => unknown;

  /**
   * Fires an event in a real system that has only this dialect and these settings, runs the hooks as real processes, and cleans up.
   * The system must have the default limits: it keeps at most 16 MiB of a hook's stdout, and at least 1024 hooks may wait.
   */
  readonly fire: (
    dialect: Dialect,
    settings: unknown,
    eventName: HookEventName,
    input: Readonly<Record<string, unknown>>,
  ) => Promise<AggregatedHookResult>;

  readonly answers: SampleAnswers;

  /**
   * Fields of the dialect's own answers, e.g. `approval` or `rewrite.arguments`. The suite prints each field with every wrong type.
   * @default only the canonical fields
   */
  readonly outputFields?: readonly string[];

  /**
   * Events that the dialect reads although `eventsIn` does not return them, because settings with only these events probably belong
   * to another format. Use the dialect's names. @default none
   */
  readonly sharedEvents?: readonly string[];

  /**
   * Matchers in the syntax of the dialect. Together they must match some tools and leave out others. If the dialect has no
   * matchers, pass an empty list.
   * @default names and regular expressions of tools such as `write_file`, alone and after the name of a server and `__`
   */
  readonly matchers?: readonly string[];

  /**
   * Returns whether an answer (a deny or an allow) counts with this exit code, from 1 to 255. If the result is false, output with
   * this exit code must never allow.
   * @default answers count only with exit code 0
   */
  readonly answersWith?: (exitCode: number) => boolean;

  /** Whether a deny on stderr counts if stdout is blank. An allow on stderr never counts. @default false */
  readonly readsStderr?: boolean;

  /**
   * Returns what unreadable output means for an event. `dialectEvent` is the dialect's name of the event. @default 'no opinion' for
   * all events
   */
  readonly unreadable?: (dialectEvent: string) => Unreadable;

  /**
   * Events whose hooks run only for some inputs, by the dialect's names. The function of an event returns fields with which its
   * hooks run: `{ beforeShellExecution: (text) => ({ tool_name: 'run_shell_command', tool_input: { command: text } }) }`. `text` is
   * what a model, a user or a tool may have written. If a canonical event has several names, the suite tests the first name and the
   * names in this list.
   * @default the first name of each canonical event, with fields such as those of a successful call of `write_file`
   */
  readonly eventFields?: Readonly<Record<string, (text: string) => Readonly<Record<string, unknown>>>>;
}

export interface DialectEvent {
  readonly eventName: HookEventName;
  readonly dialectEvent: string;
}

/** The dialect and its events, as each case receives them. */
export interface DialectScene {
  readonly options: DialectConformanceOptions;
  readonly dialect: Dialect;
  /**
   * The events for which settings can be written. The first name of each event comes first, in the order of the catalogue. Other
   * names of events, from the options, follow.
   */
  readonly events: readonly DialectEvent[];
  /** The event of the sample answers, or undefined if the dialect does not have it. The first case reports a missing event. */
  readonly answersEvent: DialectEvent | undefined;
  readonly violations: Violations;
}

export interface DialectCase {
  readonly title: string;
  readonly run: (scene: DialectScene) => void | Promise<void>;
}
