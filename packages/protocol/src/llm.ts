import * as z from 'zod';

/**
 * Model data as hooks see it: the stable shape of seed 001 §5, independent of any SDK (decision 14).
 * Objects are loose: what a host adds survives the way through validation, and a hook may hand it back.
 */

export const toolConfigSchema = z.looseObject({
  mode: z.enum(['AUTO', 'ANY', 'NONE']).optional(),
  allowedFunctionNames: z.array(z.string()).optional(),
});

export const llmMessageSchema = z.looseObject({
  role: z.enum(['user', 'model', 'system']),
  /** Text, or structured content, which is shown to hooks as its JSON text. */
  content: z.unknown(),
});

export const llmConfigSchema = z.looseObject({
  temperature: z.number().optional(),
  maxOutputTokens: z.number().optional(),
  topP: z.number().optional(),
  topK: z.number().optional(),
  stopSequences: z.array(z.string()).optional(),
  candidateCount: z.number().optional(),
  presencePenalty: z.number().optional(),
  frequencyPenalty: z.number().optional(),
});

export const llmRequestSchema = z.looseObject({
  model: z.string().optional(),
  messages: z.array(llmMessageSchema).optional(),
  config: llmConfigSchema.optional(),
  toolConfig: toolConfigSchema.optional(),
});

export const llmCandidateSchema = z.looseObject({
  content: z.looseObject({
    role: z.string().optional(),
    parts: z.array(z.union([z.string(), z.looseObject({ text: z.string().optional() })])).optional(),
  }),
  /** STOP, MAX_TOKENS, SAFETY, RECITATION, OTHER; a string, because providers add their own. */
  finishReason: z.string().optional(),
  index: z.number().optional(),
  safetyRatings: z.array(z.looseObject({ category: z.string().optional(), probability: z.string().optional() })).optional(),
});

export const llmResponseSchema = z.looseObject({
  text: z.string().optional(),
  candidates: z.array(llmCandidateSchema).optional(),
  usageMetadata: z
    .looseObject({
      promptTokenCount: z.number().optional(),
      candidatesTokenCount: z.number().optional(),
      totalTokenCount: z.number().optional(),
    })
    .optional(),
});

export type HookToolConfig = z.infer<typeof toolConfigSchema>;
export type LLMMessage = z.infer<typeof llmMessageSchema>;
export type LLMRequest = z.infer<typeof llmRequestSchema>;
export type LLMResponse = z.infer<typeof llmResponseSchema>;
