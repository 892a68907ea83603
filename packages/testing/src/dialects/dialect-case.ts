import type { AggregatedHookResult, Dialect, HookEventName } from '@tenterhook/protocol';
import type { Violations } from './violations.js';

/** A hook that the settings have to contain. */
export interface SampleHook {
  readonly eventName: HookEventName;
  /** The event as the dialect spells it, by its `events`. */
  readonly dialectEvent: string;
  /** Its name, or key, where hooks have one. Of several hooks no two have the same, and by code units they are in the order of the hooks. */
  readonly name: string;
  /** For a POSIX shell. The settings have to contain it unchanged. */
  readonly command: string;
  /** Milliseconds. Where the dialect counts in seconds, all of them are whole ones. @default what the dialect has where nothing is said */
  readonly timeoutMs?: number;
  /** What the hook is for, in the dialect's own language; only on events with something to match. @default everything */
  readonly matcher?: string;
}

/**
 * What a hook means that ends with exit code 0 and prints something other than an answer: text, half an object, a list, unknown fields or
 * fields of wrong types. In every format `{}` is no opinion, and none of these outputs allows or stops.
 * - `no opinion`: it has none, and the hook has not failed;
 * - `failed`: the hook may have failed, of silence too; it has no opinion;
 * - `deny`: output that is not a JSON object denies. An object may; silence does not.
 */
export type Unreadable = 'no opinion' | 'failed' | 'deny';

/** An answer of hooks, as the object that they print on stdout and end with exit code 0. */
export interface SampleAnswers {
  /** The event on which they are answers; one that can be blocked. Most of what hooks can do is tried on it. */
  readonly eventName: HookEventName;
  readonly deny: object;
  /** @default the dialect has no word for it */
  readonly allow?: object;
}

/** A dialect, and what the suite cannot know of it. */
export interface DialectConformanceOptions {
  /** Makes the dialect; called for each case, so that nothing is left of the one before. */
  readonly dialect: () => Dialect;

  /**
   * Settings as a file of the dialect holds them, with these hooks, in this order, all of them switched on. `undefined` where the dialect has no
   * such event.
   */
  readonly settings: (hooks: readonly SampleHook[]) => unknown;

  /**
   * Carries out an event in a real system that has this one dialect and these settings, with real processes, and leaves nothing behind. The
   * system keeps its defaults: at most 16 MiB of a hook's stdout are kept, at least 1024 hooks may wait.
   */
  readonly fire: (
    dialect: Dialect,
    settings: unknown,
    eventName: HookEventName,
    input: Readonly<Record<string, unknown>>,
  ) => Promise<AggregatedHookResult>;

  readonly answers: SampleAnswers;

  /**
   * Fields that hooks of the dialect may print, such as `approval` or `rewrite.arguments`; each is tried with every wrong type, beside the
   * canonical ones. @default none but these
   */
  readonly outputFields?: readonly string[];

  /**
   * Events, in the dialect's spelling, that it reads and that its `eventsIn` leaves to another format: settings that speak of nothing else are
   * more likely of that one. @default none
   */
  readonly sharedEvents?: readonly string[];

  /**
   * Matchers in the dialect's language, which between them fit some tools and not others. `[]`: it has none.
   * @default names and regular expressions of tools such as `write_file`, alone and after the name of a server and `__`
   */
  readonly matchers?: readonly string[];

  /**
   * With which exit codes beside 0 an answer counts, to deny and to allow alike; asked with 1 to 255. With all others what is printed never
   * allows. @default with none
   */
  readonly answersWith?: (exitCode: number) => boolean;

  /** Whether stderr is read like stdout where stdout is blank. @default false: nothing on stderr is an answer */
  readonly readsStderr?: boolean;

  /** What becomes of hooks of an event, in the dialect's spelling, that cannot be read. @default 'no opinion' on every event */
  readonly unreadable?: (dialectEvent: string) => Unreadable;

  /**
   * Events, in the dialect's spelling, whose hooks run on some events alone, each with the fields of one on which they do:
   * `{ beforeShellExecution: (text) => ({ tool_name: 'run_shell_command', tool_input: { command: text } }) }`. The text is what a model, a user
   * or a tool may have written. Where a canonical event has several spellings, those that stand here are tried beside the first of them.
   * @default the first spelling of each canonical event, with fields such as a call of `write_file` that went well
   */
  readonly eventFields?: Readonly<Record<string, (text: string) => Readonly<Record<string, unknown>>>>;
}

/** An event that the dialect has, and how it spells it. */
export interface DialectEvent {
  readonly eventName: HookEventName;
  readonly dialectEvent: string;
}

/** A dialect while one case looks at it. */
export interface DialectScene {
  readonly options: DialectConformanceOptions;
  readonly dialect: Dialect;
  /** Those that settings can be written for: the first spelling of each in the order of the catalogue, then other spellings. */
  readonly events: readonly DialectEvent[];
  /** The one of them on which the sample answers are answers; none where the dialect has no such event, as the first case says. */
  readonly answersEvent: DialectEvent | undefined;
  readonly violations: Violations;
}

/** One promise of a dialect. */
export interface DialectCase {
  readonly title: string;
  readonly run: (scene: DialectScene) => void | Promise<void>;
}
