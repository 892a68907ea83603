import * as z from '@tenterhook/runtime/schema';
import { codeSchema, type SkipReason, type WarningCode } from '../codes.js';
import { type HookLevel, hookLevels } from '../hooks/hook-level.js';
import { type HookOutput, hookOutputSchema } from './hook-output.js';

/** A way in which the effect of a hook may differ from what its author meant. */
export interface HookWarning {
  /** Stable; `docs/errors.md` lists all. */
  readonly code: WarningCode;
  /** For people; the text may change. */
  readonly message: string;
}

export const warningSchema = z.object({ code: codeSchema<WarningCode>(), message: z.string() }) satisfies z.ZodType<HookWarning>;

/** `detached`: an asynchronous hook. The event does not wait for its end. */
export const outcomeStatuses = ['succeeded', 'blocked', 'failed', 'timed-out', 'cancelled', 'skipped', 'detached'] as const;

/** How a hook ended. `detached`: an asynchronous hook, whose end the event does not wait for. */
export type OutcomeStatus = (typeof outcomeStatuses)[number];

/** What one hook of an event did, or why it did not run. Fields that do not apply are absent. */
export interface HookOutcome {
  /** Unique, and unchanged as long as the settings do not change: `<dialect>/<source>/<event>/<name or place>`. */
  readonly hookId: string;
  /** The name in the settings, if the hook has one. */
  readonly name?: string | undefined;
  /** The canonical name of the event. */
  readonly eventName: string;
  /** Where the hook comes from: `project`, `local`, `user`, `system`, `settings`, `extension:<name>`, `handler` … */
  readonly source: string;
  /**
   * The level that is responsible for the hook: `managed`, `user`, `local`, `project`, `extension`. Absent in outcomes of an earlier
   * version.
   */
  readonly level?: HookLevel | undefined;
  /** The format that the hook is written in. */
  readonly dialect: string;
  /** The absolute path of the settings file in which the hook is configured. Absent for hooks that are not in a file. */
  readonly file?: string | undefined;
  /** The line of the hook in that file, from 1. */
  readonly line?: number | undefined;
  /** What was run, for people: the command, the address, the handler. */
  readonly command?: string | undefined;
  /** `detached`: an asynchronous hook, whose end the event does not wait for. */
  readonly status: OutcomeStatus;
  /** Why a `skipped` hook did not run; `docs/errors.md` lists all. */
  readonly skipReason?: SkipReason | undefined;
  readonly exitCode?: number | undefined;
  /**
   * The signal that ended the process, such as `SIGKILL`. For the status `timed-out` it is `SIGSTOP` if another program had stopped the
   * process (Linux only).
   */
  readonly signal?: string | undefined;
  /** Wall-clock milliseconds of the run; 0 for a hook that did not run. */
  readonly durationMs: number;
  /** The answer of the hook, in canonical fields. */
  readonly output?: HookOutput | undefined;
  /**
   * The beginning of what the command could read on stdin, with secrets masked: at most 2000 characters. Set only if the system has the
   * option `keepsInput`, as in `tenterhook fire --verbose`.
   */
  readonly stdin?: string | undefined;
  /** What the hook printed, up to the limit. */
  readonly stdout?: string | undefined;
  /** What the hook printed to stderr, up to the limit. */
  readonly stderr?: string | undefined;
  /** Whether stdout or stderr was cut. */
  readonly truncated?: boolean | undefined;
  /** Bytes that the hook printed, including those that were cut. */
  readonly stdoutBytes?: number | undefined;
  /** The same for stderr. */
  readonly stderrBytes?: number | undefined;
  /** The id of the hook that runs in place of this one. */
  readonly duplicateOf?: string | undefined;
  /** The command read none of its input. Set only if the system has the option `watchesInput`, as in `tenterhook fire`. */
  readonly inputUnread?: true | undefined;
  /**
   * A failure of the hook was turned into a deny, usually by `onError: 'block'`. `status` still shows the failure: `failed`, `timed-out` or
   * `cancelled`, or `skipped` if the hook did not run, for example because its circuit is open. A hook that denies by itself has the status
   * `blocked`.
   */
  readonly failedClosed?: true | undefined;
  /**
   * The hook ran because of the rewrite of another hook. On AfterTool, BeforeModel and AfterModel it was run again on what another hook
   * wrote over its rewrite, and its new rewrite is applied. On other events it was asked about the rewritten input, and only a deny, an ask
   * and a stop in this outcome have an effect. These outcomes follow those of all hooks, so a hook may have more than one.
   */
  readonly recheck?: true | undefined;
  /**
   * The allow of the hook has no effect, because the input was rewritten afterwards, or because the hook allowed only in a recheck and not
   * before.
   */
  readonly allowIgnored?: true | undefined;
  /**
   * The hook was not run because of a limit: too many hooks were waiting, or the machine could not start it (a full disk, no file
   * descriptor). This is not a failure of the hook. Nevertheless, an operation that the event guards must not be carried out, because the
   * hook was not asked.
   */
  readonly limited?: true | undefined;
  /** Ways in which the effect of the hook may differ from what its author meant. */
  readonly warnings: readonly HookWarning[];
}

export const hookOutcomeSchema = z.object({
  hookId: z.string(),
  name: z.string().optional(),
  eventName: z.string(),
  source: z.string(),
  /** The level of the hook. Absent in outcomes of a service of an earlier version. */
  level: z.enum(hookLevels).optional(),
  dialect: z.string(),
  file: z.string().optional(),
  line: z.number().optional(),
  command: z.string().optional(),
  status: z.enum(outcomeStatuses),
  skipReason: codeSchema<SkipReason>().optional(),
  exitCode: z.number().optional(),
  signal: z.string().optional(),
  durationMs: z.number(),
  output: (hookOutputSchema as z.ZodType<HookOutput>).optional(),
  stdin: z.string().optional(),
  stdout: z.string().optional(),
  stderr: z.string().optional(),
  truncated: z.boolean().optional(),
  stdoutBytes: z.number().optional(),
  stderrBytes: z.number().optional(),
  duplicateOf: z.string().optional(),
  inputUnread: z.literal(true).optional(),
  failedClosed: z.literal(true).optional(),
  recheck: z.literal(true).optional(),
  allowIgnored: z.literal(true).optional(),
  limited: z.literal(true).optional(),
  warnings: z.array(warningSchema),
}) satisfies z.ZodType<HookOutcome>;
