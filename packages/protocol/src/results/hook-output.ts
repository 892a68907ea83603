import * as z from '@tenterhook/runtime/schema';
import type { eventCatalogue, HookEventName } from '../events/event-catalogue.js';
import { hookDecisionSchema } from './hook-decision.js';

/** What a hook may say (seed 000, seed 001 §4.2). Unknown fields pass through (decision 7). */
export const hookOutputSchema = z.looseObject({
  continue: z.boolean().optional().describe('false ends the agent loop; true says nothing.'),
  stopReason: z.string().optional().describe('Why it ends, for the user; counts with continue: false.'),
  suppressOutput: z.boolean().optional().describe('true hides the result of the operation from the user; the model sees it all the same.'),
  systemMessage: z.string().optional().describe('Text for the conversation and for the user.'),
  decision: hookDecisionSchema
    .optional()
    .describe(
      'The word of this hook: block is deny, approve is allow; left out, or null, is no opinion. deny outranks ask, ask outranks allow.',
    ),
  reason: z
    .string()
    .optional()
    .describe('Why, for the model, and shown to the user. A deny without one gets a default that names the hook.'),
  hookSpecificOutput: z.record(z.string(), z.unknown()).optional().describe('What only this event has.'),
});

/**
 * Fields of `hookSpecificOutput` beyond the seeds. Only a dialect's or a handler's adapter sets them; what a hook prints
 * under these names in a dialect that does not have them is dropped with the warning `reserved_field`.
 */
export const canonicalOutputSchema = z.looseObject({
  updatedInput: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Replaces the tool's input as a whole, where tool_input is laid over it. BeforeTool."),
  updatedToolOutput: z.unknown().optional().describe("Replaces the tool's result: a text, or a whole tool_response. AfterTool."),
  replacedPrompt: z.string().optional().describe('Replaces the prompt. BeforeAgent.'),
  retryAfterMs: z
    .number()
    .nonnegative()
    .optional()
    .describe('The operation may be tried again after this many milliseconds; comes with a deny.'),
  skipRemaining: z.boolean().optional().describe('The remaining handlers are skipped, nothing is blocked. Of handlers only.'),
  // Decision 65.
  userMessage: z.string().optional().describe('Text for the user alone.'),
});

export type HookOutput = z.infer<typeof hookOutputSchema>;

/** Not with `Omit`: of a type that takes unknown fields it leaves nothing but those. */
type OutputOf<Name extends HookEventName> = HookOutput & {
  hookSpecificOutput?: z.infer<(typeof eventCatalogue)[Name]['specificOutput']> | undefined;
};
export type BeforeToolOutput = OutputOf<'BeforeTool'>;
export type AfterToolOutput = OutputOf<'AfterTool'>;
export type BeforeModelOutput = OutputOf<'BeforeModel'>;
export type AfterModelOutput = OutputOf<'AfterModel'>;
export type BeforeToolSelectionOutput = OutputOf<'BeforeToolSelection'>;
