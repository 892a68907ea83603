import * as z from '@tenterhook/runtime/schema';

/**
 * Model data as hooks see it: the stable shape of seed 001 §5, independent of any SDK (decision 14).
 * Objects are loose: what a host adds survives the way through validation, and a hook may hand it back.
 */

export const toolConfigSchema = z.looseObject({
  mode: z.enum(['AUTO', 'ANY', 'NONE']).optional().describe('AUTO: the model may call a tool; ANY: it has to; NONE: it cannot.'),
  allowedFunctionNames: z.array(z.string()).optional().describe('The tools it may call; an empty list means none, no list means all.'),
});

export const llmMessageSchema = z.looseObject({
  role: z.enum(['user', 'model', 'system']).describe('Who says it.'),
  content: z.unknown().describe('A text; structured content is shown to hooks as its JSON text.'),
});

export const llmConfigSchema = z.looseObject({
  temperature: z.number().optional().describe('How freely the model chooses; from 0.'),
  maxOutputTokens: z.number().optional().describe('Most tokens of the answer.'),
  topP: z.number().optional().describe('Share of probability it chooses from, 0 to 1.'),
  topK: z.number().optional().describe('Number of tokens it chooses from.'),
  stopSequences: z.array(z.string()).optional().describe('Texts that end the answer.'),
  candidateCount: z.number().optional().describe('Number of answers.'),
  presencePenalty: z.number().optional().describe('Against words that were said already.'),
  frequencyPenalty: z.number().optional().describe('Against words that were said often.'),
});

export const llmRequestSchema = z.looseObject({
  model: z.string().optional().describe('Name of the model.'),
  messages: z.array(llmMessageSchema).optional().describe('The conversation, oldest first. Messages without text are not shown.'),
  config: llmConfigSchema.optional().describe('How the model is to answer.'),
  toolConfig: toolConfigSchema.optional().describe('Which tools the model may call.'),
});

export const llmCandidateSchema = z.looseObject({
  content: z
    .looseObject({
      role: z.string().optional().describe('Who says it; model.'),
      parts: z
        .array(z.union([z.string(), z.looseObject({ text: z.string().optional() })]))
        .optional()
        .describe('Texts, as they are or as { text }.'),
    })
    .describe('What was answered.'),
  // A string, because providers add their own.
  finishReason: z.string().optional().describe('Why it ended: STOP, MAX_TOKENS, SAFETY, RECITATION, OTHER, or a word of the provider.'),
  index: z.number().optional().describe('Its place among the answers, from 0.'),
  safetyRatings: z
    .array(z.looseObject({ category: z.string().optional(), probability: z.string().optional() }))
    .optional()
    .describe('What the provider says about harm.'),
});

export const llmResponseSchema = z.looseObject({
  text: z.string().optional().describe('Text of the first candidate; the two are one thing under two names.'),
  candidates: z.array(llmCandidateSchema).optional().describe('The answers.'),
  usageMetadata: z
    .looseObject({
      promptTokenCount: z.number().optional().describe('Tokens of the request.'),
      candidatesTokenCount: z.number().optional().describe('Tokens of the answers.'),
      totalTokenCount: z.number().optional().describe('Both together.'),
    })
    .optional()
    .describe('What it cost.'),
});

export type HookToolConfig = z.infer<typeof toolConfigSchema>;
export type LLMMessage = z.infer<typeof llmMessageSchema>;
export type LLMRequest = z.infer<typeof llmRequestSchema>;
export type LLMResponse = z.infer<typeof llmResponseSchema>;
