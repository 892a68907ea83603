import * as z from '@tenterhook/runtime/schema';

/**
 * Model data as hooks see them. The shape does not depend on the SDK of any provider (decision 14). Additional fields are valid: a
 * host may send them, and a hook may return them.
 */

export const toolConfigSchema = z.looseObject({
  mode: z
    .enum(['AUTO', 'ANY', 'NONE'])
    .optional()
    .describe('AUTO: the model may call a tool. ANY: the model must call a tool. NONE: the model cannot call a tool.'),
  allowedFunctionNames: z
    .array(z.string())
    .optional()
    .describe('Names of the tools that the model may call. An empty list allows no tool. Without a list, all tools are allowed.'),
});

export const llmMessageSchema = z.looseObject({
  role: z.enum(['user', 'model', 'system']).describe('Author of the message.'),
  content: z.unknown().describe('The text of the message. Hooks receive structured content as JSON text.'),
});

export const llmConfigSchema = z.looseObject({
  temperature: z.number().optional().describe('Sampling temperature, from 0.'),
  maxOutputTokens: z.number().optional().describe('Maximum number of tokens in the answer.'),
  topP: z.number().optional().describe('Nucleus sampling: share of probability to sample from, 0 to 1.'),
  topK: z.number().optional().describe('Number of most likely tokens to sample from.'),
  stopSequences: z.array(z.string()).optional().describe('If the model writes one of these texts, the answer ends.'),
  candidateCount: z.number().optional().describe('Number of answers.'),
  presencePenalty: z.number().optional().describe('Penalty for tokens that have already occurred.'),
  frequencyPenalty: z.number().optional().describe('Penalty for tokens that grows with the number of their occurrences.'),
});

export const llmRequestSchema = z.looseObject({
  model: z.string().optional().describe('Name of the model.'),
  messages: z.array(llmMessageSchema).optional().describe('The conversation, oldest first. Messages without text are left out.'),
  config: llmConfigSchema.optional().describe('Parameters of the answer.'),
  toolConfig: toolConfigSchema.optional().describe('Which tools the model may call.'),
});

export const llmCandidateSchema = z.looseObject({
  content: z
    .looseObject({
      role: z.string().optional().describe('Author of the answer: model.'),
      parts: z
        .array(z.union([z.string(), z.looseObject({ text: z.string().optional() })]))
        .optional()
        .describe('Texts: each a string or an object { text }.'),
    })
    .describe('Content of the answer.'),
  // An enum was rejected, because providers have further finish reasons.
  finishReason: z
    .string()
    .optional()
    .describe('Why the answer ended: STOP, MAX_TOKENS, SAFETY, RECITATION, OTHER, or a value of the provider.'),
  index: z.number().optional().describe('Index of the answer, from 0.'),
  safetyRatings: z
    .array(z.looseObject({ category: z.string().optional(), probability: z.string().optional() }))
    .optional()
    .describe('Safety ratings of the provider.'),
});

export const llmResponseSchema = z.looseObject({
  text: z
    .string()
    .optional()
    .describe('Text of the first candidate. If your hook changes this field, the text of the first candidate changes.'),
  candidates: z.array(llmCandidateSchema).optional().describe('The answers.'),
  usageMetadata: z
    .looseObject({
      promptTokenCount: z.number().optional().describe('Tokens of the request.'),
      candidatesTokenCount: z.number().optional().describe('Tokens of the answers.'),
      totalTokenCount: z.number().optional().describe('Total number of tokens.'),
    })
    .optional()
    .describe('Token counts.'),
});

/** Which tools the model may call. */
export interface HookToolConfig extends z.infer<typeof toolConfigSchema> {}
/** A message of a conversation, as hooks read it. */
export interface LLMMessage extends z.infer<typeof llmMessageSchema> {}
/** A request to the model, as hooks read it. */
export interface LLMRequest extends z.infer<typeof llmRequestSchema> {}
/** An answer of the model, as hooks read it. */
export interface LLMResponse extends z.infer<typeof llmResponseSchema> {}
