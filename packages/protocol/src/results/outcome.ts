import * as z from '@tenterhook/runtime/schema';
import { codeSchema, type SkipReason, type WarningCode } from '../codes.js';
import { type HookLevel, hookLevels } from '../hooks/hook-level.js';
import { type HookOutput, hookOutputSchema } from './hook-output.js';

/** A reason why the effect of a hook may differ from what its author meant. */
export interface HookWarning {
  /** The code never changes. `docs/errors.md` lists all codes. */
  readonly code: WarningCode;
  /** A sentence for people. The text may change. */
  readonly message: string;
}

export const warningSchema = z.object({ code: codeSchema<WarningCode>(), message: z.string() }) satisfies z.ZodType<HookWarning>;

/** `detached` means that the hook is asynchronous, so the event does not wait for its end. */
export const outcomeStatuses = ['succeeded', 'blocked', 'failed', 'timed-out', 'cancelled', 'skipped', 'detached'] as const;

/** How a hook ended. `detached` means that the hook is asynchronous, so the event does not wait for its end. */
export type OutcomeStatus = (typeof outcomeStatuses)[number];

/**
 * How the command of a hook was run:
 * - `resident`: by the resident process of the hook;
 * - `cold`: in a process of its own, although the hook is resident. `reason` says why;
 * - `lane`: started by a lane, which is a resident shell;
 * - `direct`: started directly. `reason` says why no lane started it.
 */
export type StartRoute = { readonly kind: 'lane' | 'resident' } | { readonly kind: 'direct' | 'cold'; readonly reason: string };

/** An engine with handlers in another process. */
export interface RemoteEngineIdentity {
  /** The name of the engine, or its id if it has no name. */
  readonly name: string;
  /** The version that the engine stated, for example the version of the policy that its handlers apply. Missing if it stated none. */
  readonly version?: string | undefined;
}

/** What one hook of an event did, or why it did not run. Fields that do not apply are missing. */
export interface HookOutcome {
  /** `<dialect>/<source>/<event>/<name or place>`. The id is unique. It stays the same as long as the settings do not change. */
  readonly hookId: string;
  /** The name in the settings, if the hook has one. */
  readonly name?: string | undefined;
  /** The canonical name of the event. */
  readonly eventName: string;
  /** Where the hook comes from: `project`, `local`, `user`, `system`, `settings`, `extension:<name>`, `handler` … */
  readonly source: string;
  /**
   * The level that is responsible for the hook: `managed`, `user`, `local`, `project` or `extension`. Missing in outcomes of
   * earlier versions.
   */
  readonly level?: HookLevel | undefined;
  /** The format that the hook is written in. */
  readonly dialect: string;
  /** The absolute path of the settings file with the hook. Missing for hooks that are not in a file. */
  readonly file?: string | undefined;
  /** The line of the hook in that file, from 1. */
  readonly line?: number | undefined;
  /** What was run, for display: the command, the address, or the handler. */
  readonly command?: string | undefined;
  /** The engine that has the handler of the hook. Missing if the hook runs in the process that answers the event. */
  readonly engine?: RemoteEngineIdentity | undefined;
  /** How the hook ended. `detached` means that the hook is asynchronous, so the event does not wait for its end. */
  readonly status: OutcomeStatus;
  /** Why a `skipped` hook did not run. `docs/errors.md` lists all reasons. */
  readonly skipReason?: SkipReason | undefined;
  readonly exitCode?: number | undefined;
  /**
   * The signal that ended the process, e.g. `SIGKILL`. It is `SIGSTOP` for a hook that is `timed-out` because another program had
   * stopped the process (Linux only).
   */
  readonly signal?: string | undefined;
  /** Wall-clock milliseconds of the run. 0 for a hook that did not run. */
  readonly durationMs: number;
  /** The answer of the hook, in canonical fields. */
  readonly output?: HookOutput | undefined;
  /**
   * The beginning of what the command received on stdin, with secrets masked, at most 2000 characters. Set only if the system has
   * the option `keepsInput`, as in `tenterhook fire --verbose`.
   */
  readonly stdin?: string | undefined;
  /** What the hook printed to stdout, up to the limit. */
  readonly stdout?: string | undefined;
  /** What the hook printed to stderr, up to the limit. */
  readonly stderr?: string | undefined;
  /** Whether stdout or stderr was cut. */
  readonly truncated?: boolean | undefined;
  /** Bytes that the hook printed to stdout, including those beyond the limit. */
  readonly stdoutBytes?: number | undefined;
  /** Bytes that the hook printed to stderr, including those beyond the limit. */
  readonly stderrBytes?: number | undefined;
  /** The id of the hook that runs in place of this one. */
  readonly duplicateOf?: string | undefined;
  /** How the command was run. Not set for a hook that is not resident if the system has the option `spawner: 'direct'`. */
  readonly route?: StartRoute | undefined;
  /** True if the command read none of its input. Set only if the system has the option `watchesInput`, as in `tenterhook fire`. */
  readonly inputUnread?: true | undefined;
  /**
   * True if a failure of the hook was turned into a deny, usually because of `onError: 'block'`. `status` still shows the failure,
   * or `skipped` if the hook did not run. If the hook itself denies, this field is missing and the status is `blocked`.
   */
  readonly failedClosed?: true | undefined;
  /**
   * True if the hook was run again because another hook had rewritten a value. The hook then has two outcomes: that of its first
   * run, and this one, which follows the first outcomes of all hooks. On AfterTool, BeforeModel and AfterModel the hook received
   * the rewritten data, and its new rewrite is applied. On other events only a deny, an ask or a stop in this outcome has an
   * effect.
   */
  readonly recheck?: true | undefined;
  /**
   * True if the allow of the hook has no effect. Either the input was rewritten after the allow, or the hook allowed only when it
   * was asked again.
   */
  readonly allowIgnored?: true | undefined;
  /**
   * True if a limit prevented the hook from running: too many hooks were waiting, or the machine could not start it, e.g. because
   * its disk is full. The hook has not failed, but it was not asked either. So do not carry out an operation that the event guards.
   */
  readonly limited?: true | undefined;
  /** Ways in which the effect of the hook may differ from what its author meant. */
  readonly warnings: readonly HookWarning[];
}

const engineSchema = z.object({ name: z.string(), version: z.string().optional() }) satisfies z.ZodType<RemoteEngineIdentity>;

export const hookOutcomeSchema = z.object({
  hookId: z.string(),
  name: z.string().optional(),
  eventName: z.string(),
  source: z.string(),
  /** The level of the hook. Missing in outcomes of a service of an earlier version. */
  level: z.enum(hookLevels).optional(),
  dialect: z.string(),
  file: z.string().optional(),
  line: z.number().optional(),
  command: z.string().optional(),
  engine: engineSchema.optional(),
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
  route: z
    .union([z.object({ kind: z.enum(['lane', 'resident']) }), z.object({ kind: z.enum(['direct', 'cold']), reason: z.string() })])
    .optional(),
  inputUnread: z.literal(true).optional(),
  failedClosed: z.literal(true).optional(),
  recheck: z.literal(true).optional(),
  allowIgnored: z.literal(true).optional(),
  limited: z.literal(true).optional(),
  warnings: z.array(warningSchema),
}) satisfies z.ZodType<HookOutcome>;
