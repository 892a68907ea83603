import * as z from '@tenterhook/runtime/schema';
import { hookLevels } from '../hooks/hook-level.js';
import { hookOutputSchema } from './hook-output.js';

export const warningSchema = z.object({ code: z.string(), message: z.string() });

/** `detached`: an asynchronous hook. The event does not wait for its end. */
export const outcomeStatuses = ['succeeded', 'blocked', 'failed', 'timed-out', 'cancelled', 'skipped', 'detached'] as const;

/** The outcome of one hook. Fields that do not apply are absent. */
export const hookOutcomeSchema = z.object({
  hookId: z.string(),
  name: z.string().optional(),
  eventName: z.string(),
  source: z.string(),
  /** The level of the hook. Absent in outcomes of a service of an earlier version. */
  level: z.enum(hookLevels).optional(),
  dialect: z.string(),
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
  /** The hook that runs in place of this one. */
  duplicateOf: z.string().optional(),
  /**
   * `onError: 'block'` turned a failure into a deny. A deny by policy has the status `blocked` instead. The status stays unchanged: failed,
   * timed-out or cancelled, or skipped when the circuit of the hook is open.
   */
  failedClosed: z.literal(true).optional(),
  warnings: z.array(warningSchema),
});

export type HookWarning = z.infer<typeof warningSchema>;
export type HookOutcome = z.infer<typeof hookOutcomeSchema>;
export type OutcomeStatus = HookOutcome['status'];
