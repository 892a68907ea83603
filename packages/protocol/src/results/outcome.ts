import * as z from '@tenterhook/runtime/schema';
import { type HookLevel, hookLevels } from '../hooks/hook-level.js';
import { type HookOutput, hookOutputSchema } from './hook-output.js';

/** Something about what a hook did that its author did not mean. */
export interface HookWarning {
  /** Stable; `docs/errors.md` lists all. */
  code: string;
  /** For people; the text may change. */
  message: string;
}

export const warningSchema = z.object({ code: z.string(), message: z.string() }) satisfies z.ZodType<HookWarning>;

/** `detached`: an asynchronous hook. The event does not wait for its end. */
export const outcomeStatuses = ['succeeded', 'blocked', 'failed', 'timed-out', 'cancelled', 'skipped', 'detached'] as const;

/** How a hook ended. `detached`: an asynchronous hook, whose end the event does not wait for. */
export type OutcomeStatus = (typeof outcomeStatuses)[number];

/** What one hook of an event did, or why it did not run. Fields that do not apply are absent. */
export interface HookOutcome {
  /** Unique, and stable while the settings are: `<dialect>/<source>/<event>/<name or place>`. */
  hookId: string;
  /** The name in the settings, if the hook has one. */
  name?: string | undefined;
  /** The canonical name of the event. */
  eventName: string;
  /** Where the hook comes from: `project`, `local`, `user`, `system`, `settings`, `extension:<name>`, `handler` … */
  source: string;
  /** The level that answers for the hook: `managed`, `user`, `local`, `project`, `extension`. Absent in outcomes of an earlier version. */
  level?: HookLevel | undefined;
  /** The format that the hook is written in. */
  dialect: string;
  /** The absolute path of the settings file in which the hook is configured. Absent for hooks that are not in a file. */
  file?: string | undefined;
  /** The line of the hook in that file, from 1. */
  line?: number | undefined;
  /** What was run, for people: the command, the address, the handler. */
  command?: string | undefined;
  /** `detached`: an asynchronous hook, whose end the event does not wait for. */
  status: OutcomeStatus;
  /** Why a `skipped` hook did not run; `docs/errors.md` lists all. */
  skipReason?: string | undefined;
  exitCode?: number | undefined;
  /** The signal that ended the process, such as `SIGKILL`. */
  signal?: string | undefined;
  /** Wall-clock milliseconds of the run; 0 for a hook that did not run. */
  durationMs: number;
  /** What the hook said, in canonical fields. */
  output?: HookOutput | undefined;
  /** What the hook printed, up to the limit. */
  stdout?: string | undefined;
  /** What the hook printed to stderr, up to the limit. */
  stderr?: string | undefined;
  /** Whether stdout or stderr was cut. */
  truncated?: boolean | undefined;
  /** Bytes that the hook printed, including those that were cut. */
  stdoutBytes?: number | undefined;
  /** The same for stderr. */
  stderrBytes?: number | undefined;
  /** The hook that runs in place of this one. */
  duplicateOf?: string | undefined;
  /** The command read none of its input. Only where a system watches this, as `tenterhook fire` does. */
  inputUnread?: true | undefined;
  /**
   * `onError: 'block'` turned a failure into a deny. A deny by policy has the status `blocked` instead. The status stays unchanged: failed,
   * timed-out or cancelled, or skipped when the circuit of the hook is open or the hook runs within itself.
   */
  failedClosed?: true | undefined;
  /**
   * The hook was asked again, because the input was rewritten after it had seen it, or because it fits only the rewritten input. Only a deny, an ask
   * and a stop in this outcome count. It follows the outcomes of all hooks, so a hook may have two.
   */
  recheck?: true | undefined;
  /**
   * The hook allowed, and the allow does not count: the input was rewritten afterwards, or the hook allowed in a recheck without having allowed
   * before.
   */
  allowIgnored?: true | undefined;
  /**
   * A limit kept the hook from being asked, which is no failure of the hook: too many hooks were waiting, or the machine had no room to start it (a
   * full disk, no file descriptor). An operation that the event guards must not go on for that reason.
   */
  limited?: true | undefined;
  /** What the hook's author did not mean. */
  warnings: HookWarning[];
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
  skipReason: z.string().optional(),
  exitCode: z.number().optional(),
  signal: z.string().optional(),
  durationMs: z.number(),
  output: hookOutputSchema.optional(),
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
