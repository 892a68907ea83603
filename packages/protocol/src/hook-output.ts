import * as z from 'zod';
import type { eventCatalogue, HookEventName } from './event-catalogue.js';
import { hookDecisionSchema } from './hook-decision.js';

/** What a hook may say (seed 000, seed 001 §4.2). Unknown fields pass through (decision 7). */
export const hookOutputSchema = z.looseObject({
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  suppressOutput: z.boolean().optional(),
  systemMessage: z.string().optional(),
  decision: hookDecisionSchema.optional(),
  reason: z.string().optional(),
  hookSpecificOutput: z.record(z.string(), z.unknown()).optional(),
});

/**
 * Fields of `hookSpecificOutput` beyond the seeds. Only a dialect's or a handler's adapter sets them; what a hook prints
 * under these names in a dialect that does not have them is dropped with the warning `reserved_field`.
 */
export const canonicalOutputSchema = z.looseObject({
  /** Replaces the tool's input as a whole (`tool_input` merges onto it). BeforeTool. */
  updatedInput: z.record(z.string(), z.unknown()).optional(),
  /** Replaces the tool's result: a text, or a whole `tool_response`. AfterTool. */
  updatedToolOutput: z.unknown().optional(),
  /** Replaces the prompt. BeforeAgent. */
  replacedPrompt: z.string().optional(),
  /** The operation may be tried again after this many milliseconds; comes with `decision: 'deny'`. */
  retryAfterMs: z.number().nonnegative().optional(),
  /** The remaining handlers are skipped, nothing is blocked. Set only for handlers. */
  skipRemaining: z.boolean().optional(),
  /** Text for the user only (decision 65). */
  userMessage: z.string().optional(),
});

export type HookOutput = z.infer<typeof hookOutputSchema>;

type OutputOf<Name extends HookEventName> = Omit<HookOutput, 'hookSpecificOutput'> & {
  hookSpecificOutput?: z.infer<(typeof eventCatalogue)[Name]['specificOutput']>;
};
export type BeforeToolOutput = OutputOf<'BeforeTool'>;
export type AfterToolOutput = OutputOf<'AfterTool'>;
export type BeforeModelOutput = OutputOf<'BeforeModel'>;
export type AfterModelOutput = OutputOf<'AfterModel'>;
export type BeforeToolSelectionOutput = OutputOf<'BeforeToolSelection'>;
