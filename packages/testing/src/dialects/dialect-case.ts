import type { AggregatedHookResult, Dialect, HookEventName } from '@tenterhook/protocol';
import type { Violations } from './violations.js';

/** A hook that the settings must contain. */
export interface SampleHook {
  readonly eventName: HookEventName;
  /** The event in the spelling of the dialect, from its `events`. */
  readonly dialectEvent: string;
  /** The name or key of the hook, if the format has one. Names are unique, and sorted by code units they are in the order of the hooks. */
  readonly name: string;
  /** A command for a POSIX shell. The settings must contain it unchanged. */
  readonly command: string;
  /** Timeout in milliseconds. Always whole seconds, for dialects that count in seconds. @default the default of the dialect */
  readonly timeoutMs?: number;
  /** The matcher in the language of the dialect. Only on events with something to match. @default matches everything */
  readonly matcher?: string;
}

/**
 * The meaning of exit code 0 with an output other than an answer: text, half an object, a list, unknown fields or fields of wrong types. In
 * every format `{}` decides nothing, and an unreadable output neither allows nor stops.
 * - `no opinion`: the output decides nothing, and the hook has not failed;
 * - `failed`: the output decides nothing. The hook may have failed, also without output;
 * - `deny`: output that is not a JSON object denies. An object may deny; no output does not.
 */
export type Unreadable = 'no opinion' | 'failed' | 'deny';

/** The sample answers: the objects that a hook prints on stdout before it exits with 0. */
export interface SampleAnswers {
  /** The event on which they are answers. It must be one that can be blocked. Most cases use it. */
  readonly eventName: HookEventName;
  readonly deny: object;
  /** @default the dialect has no answer that allows */
  readonly allow?: object;
}

/** A dialect, and the facts about it that the suite cannot find out. */
export interface DialectConformanceOptions {
  /** Creates the dialect. Called for each case, so that no case affects the next. */
  readonly dialect: () => Dialect;

  /**
   * Settings in the format of the dialect with these hooks, in this order, all of them switched on. `undefined` if the dialect has no such
   * event.
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
   * Fields that hooks of the dialect may print in addition to the canonical ones, such as `approval` or `rewrite.arguments`. Each is tried with
   * every wrong type. @default only the canonical fields
   */
  readonly outputFields?: readonly string[];

  /**
   * Events, in the dialect's spelling, that the dialect reads but that its `eventsIn` does not return, because settings with no other events
   * probably belong to another format. @default none
   */
  readonly sharedEvents?: readonly string[];

  /**
   * Matchers in the dialect's language, which together match some tools and not others. `[]`: the dialect has no matchers.
   * @default names and regular expressions of tools such as `write_file`, alone and after the name of a server and `__`
   */
  readonly matchers?: readonly string[];

  /**
   * Whether an answer counts with this exit code, 1 to 255, both to deny and to allow. With other exit codes an output never allows.
   * @default only with exit code 0
   */
  readonly answersWith?: (exitCode: number) => boolean;

  /** Whether a deny on stderr counts if stdout is blank. An allow on stderr never does. @default false: stderr never contains an answer */
  readonly readsStderr?: boolean;

  /** The meaning of unreadable output on an event, which is in the dialect's spelling. @default 'no opinion' on every event */
  readonly unreadable?: (dialectEvent: string) => Unreadable;

  /**
   * Events, in the dialect's spelling, whose hooks run only for some inputs, each with fields for which they run:
   * `{ beforeShellExecution: (text) => ({ tool_name: 'run_shell_command', tool_input: { command: text } }) }`. The text is what a model, a user
   * or a tool may have written. If a canonical event has several spellings, those listed here are tried in addition to the first.
   * @default the first spelling of each canonical event, with fields such as a successful call of `write_file`
   */
  readonly eventFields?: Readonly<Record<string, (text: string) => Readonly<Record<string, unknown>>>>;
}

/** An event of the dialect, with its spelling. */
export interface DialectEvent {
  readonly eventName: HookEventName;
  readonly dialectEvent: string;
}

/** The dialect and its events, as one case uses them. */
export interface DialectScene {
  readonly options: DialectConformanceOptions;
  readonly dialect: Dialect;
  /** The events for which settings can be written: the first spelling of each in the order of the catalogue, then other spellings. */
  readonly events: readonly DialectEvent[];
  /** The event of the sample answers; undefined if the dialect has no such event, which the first case reports. */
  readonly answersEvent: DialectEvent | undefined;
  readonly violations: Violations;
}

/** One promise of a dialect. */
export interface DialectCase {
  readonly title: string;
  readonly run: (scene: DialectScene) => void | Promise<void>;
}
