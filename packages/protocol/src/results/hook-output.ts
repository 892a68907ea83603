import * as z from '@tenterhook/runtime/schema';
import type { eventCatalogue, HookEventName } from '../events/event-catalogue.js';
import { type HookDecision, hookDecisionSchema } from './hook-decision.js';

/** The output of a hook. Unknown fields are passed through (decision 7). */
export interface HookOutput {
  /** With false, the agent loop ends. True has no effect. */
  readonly continue?: boolean | undefined;
  /** Why the loop ends, for the user. Used with `continue: false`. */
  readonly stopReason?: string | undefined;
  /** With true, the user does not see the result of the operation. The model still sees it. */
  readonly suppressOutput?: boolean | undefined;
  /** Text for the conversation and for the user. */
  readonly systemMessage?: string | undefined;
  /** Decision of the hook. `block` means `deny`, and `approve` means `allow`. If this field is missing, the hook decides nothing. */
  readonly decision?: HookDecision | undefined;
  /** Why the hook made this decision, for the model and the user. */
  readonly reason?: string | undefined;
  /** Fields that only outputs of this event have. */
  readonly hookSpecificOutput?: Readonly<Record<string, unknown>> | undefined;
}

export const hookOutputSchema = z.looseObject({
  continue: z.boolean().optional().describe('false ends the agent loop. true has no effect.'),
  stopReason: z.string().optional().describe('Why the agent loop ends; a text for the user. It has an effect only with continue: false.'),
  suppressOutput: z.boolean().optional().describe('true hides the result of the operation from the user. The model still sees it.'),
  systemMessage: z.string().optional().describe('Text that is added to the conversation and shown to the user.'),
  decision: hookDecisionSchema
    .optional()
    .describe(
      'Decision of the hook. block means deny, and approve means allow. If the field is missing or null, the hook makes no decision.',
    ),
  reason: z
    .string()
    .optional()
    .describe('Reason of the decision, for the model and the user. If a deny has no reason, Tenterhook adds a reason that names the hook.'),
  hookSpecificOutput: z.record(z.string(), z.unknown()).optional().describe('Fields that only this event has.'),
}) satisfies z.ZodType<HookOutput>;

/**
 * Fields of `hookSpecificOutput` that only handlers and dialects set. If a command prints such a field and the field does not exist
 * in its dialect, the field is dropped with the warning `reserved_field`.
 */
export const canonicalOutputSchema = z.looseObject({
  updatedInput: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Replaces all arguments of the tool, unlike tool_input, which is merged into them. For BeforeTool.'),
  updatedToolOutput: z.unknown().optional().describe('Replaces the result of the tool: a text or a whole tool_response. For AfterTool.'),
  replacedPrompt: z.string().optional().describe('Replaces the prompt. For BeforeAgent.'),
  retryAfterMs: z.number().nonnegative().optional().describe('Milliseconds after which the operation may be retried. Used with a deny.'),
  skipRemaining: z.boolean().optional().describe('Skips the remaining handlers without blocking. For handlers only.'),
  sessionVariables: z
    .record(z.string(), z.string())
    .optional()
    .describe('Environment variables for later hooks of the session, of the same dialect and of this level or a lower one.'),
  // Decision 65.
  userMessage: z.string().optional().describe('Text for the user only.'),
});

/** An intersection type. `Omit` was rejected: applied to a type with an index signature, it keeps only this signature. */
type OutputOf<Name extends HookEventName> = HookOutput & {
  hookSpecificOutput?: z.infer<(typeof eventCatalogue)[Name]['specificOutput']> | undefined;
};
export type BeforeToolOutput = OutputOf<'BeforeTool'>;
export type AfterToolOutput = OutputOf<'AfterTool'>;
export type BeforeModelOutput = OutputOf<'BeforeModel'>;
export type AfterModelOutput = OutputOf<'AfterModel'>;
export type BeforeToolSelectionOutput = OutputOf<'BeforeToolSelection'>;
