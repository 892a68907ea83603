import * as z from 'zod';
import type { EventEntry, Rewrite } from './event-entry.js';
import { hookDecisionSchema } from './hook-decision.js';
import { llmRequestSchema, llmResponseSchema, toolConfigSchema } from './llm.js';

/** Fields of every event. The system fills them in; a request may set only `cwd` and `transcript_path` of them (decision 32). */
export const baseInputSchema = z.looseObject({
  session_id: z.string(),
  transcript_path: z.string(),
  cwd: z.string(),
  hook_event_name: z.string(),
  timestamp: z.string(),
});

export const mcpContextSchema = z.looseObject({ server_name: z.string() });

const jsonObject = z.record(z.string(), z.unknown());
const toolCall = { tool_name: z.string(), tool_input: jsonObject, mcp_context: mcpContextSchema.optional() };
// Optional fields that the agent side fills in where it can, for handlers that read them (decision 71).
const modelCall = { model_provider: z.string().optional(), available_tools: z.array(z.string()).optional() };
const specific = { hookEventName: z.string().optional() };
const withContext = { ...specific, additionalContext: z.string().optional() };

const rewrite = (path: string, field: string, rule: Rewrite['rule'], target = [path], finalField = field): Rewrite => ({
  target,
  path,
  field,
  finalField,
  rule,
});

/**
 * Every event that exists: its input, what its hooks may print and do, and how several answers become one.
 * Adding an event is adding an entry here. The order is that of seed 000; HostStart and HostEnd are decision 56.
 */
export const eventCatalogue = {
  BeforeTool: {
    when: 'before a tool runs',
    input: baseInputSchema.extend({
      ...toolCall,
      recent_tools: z.array(z.string()).optional(),
      // What the host would do by itself; some dialects show it to their hooks (decision 60).
      approval: z.enum(['allow', 'ask', 'deny']).optional(),
    }),
    specificOutput: z.looseObject({
      ...withContext,
      permissionDecision: hookDecisionSchema.optional(),
      permissionDecisionReason: z.string().optional(),
      tool_input: jsonObject.optional(),
    }),
    matcherField: 'tool_name',
    strategy: 'or-decision',
    may: { block: true, stop: true, inject: true },
    rewrites: [
      rewrite('tool_input', 'updatedInput', 'replace', ['tool_input'], 'tool_input'),
      rewrite('tool_input', 'tool_input', 'merge'),
    ],
  },
  AfterTool: {
    when: 'after a tool has run, before the model sees its result',
    input: baseInputSchema.extend({ ...toolCall, tool_response: jsonObject, duration_ms: z.number().optional() }),
    specificOutput: z.looseObject(withContext),
    matcherField: 'tool_name',
    strategy: 'or-decision',
    may: { block: 'feedback', stop: true, inject: true },
    rewrites: [rewrite('tool_response', 'updatedToolOutput', 'tool-output')],
  },
  BeforeAgent: {
    when: 'after the user has sent a prompt, before the agent works on it',
    input: baseInputSchema.extend({ prompt: z.string() }),
    specificOutput: z.looseObject(withContext),
    strategy: 'or-decision',
    may: { block: true, stop: true, inject: true },
    rewrites: [rewrite('prompt', 'replacedPrompt', 'replace')],
  },
  AfterAgent: {
    when: 'when the answer to a prompt is complete',
    input: baseInputSchema.extend({ prompt: z.string(), prompt_response: z.string(), stop_hook_active: z.boolean() }),
    specificOutput: z.looseObject(specific),
    strategy: 'or-decision',
    may: { block: 'feedback', stop: true, inject: false },
    rewrites: [],
  },
  BeforeModel: {
    when: 'before a request goes to the model',
    input: baseInputSchema.extend({ llm_request: llmRequestSchema, ...modelCall }),
    specificOutput: z.looseObject({ ...specific, llm_request: llmRequestSchema.optional(), llm_response: llmResponseSchema.optional() }),
    strategy: 'field-replacement',
    may: { block: true, stop: true, inject: true },
    rewrites: [rewrite('llm_request', 'llm_request', 'llm-request')],
  },
  AfterModel: {
    when: 'once per complete response of the model (decision 15)',
    input: baseInputSchema.extend({
      llm_request: llmRequestSchema,
      llm_response: llmResponseSchema,
      ...modelCall,
      tool_calls: z.array(z.unknown()).optional(),
      duration_ms: z.number().optional(),
    }),
    specificOutput: z.looseObject({ ...specific, llm_response: llmResponseSchema.optional() }),
    strategy: 'field-replacement',
    may: { block: false, stop: true, inject: false },
    rewrites: [rewrite('llm_response', 'llm_response', 'llm-response')],
  },
  BeforeToolSelection: {
    when: 'before the request that carries the tool definitions',
    input: baseInputSchema.extend({ llm_request: llmRequestSchema }),
    specificOutput: z.looseObject({ ...specific, toolConfig: toolConfigSchema.optional() }),
    strategy: 'tool-selection',
    may: { block: false, stop: true, inject: false },
    rewrites: [rewrite('toolConfig', 'toolConfig', 'tool-config', ['llm_request', 'toolConfig'])],
  },
  SessionStart: {
    when: 'when a session starts',
    input: baseInputSchema.extend({ source: z.enum(['startup', 'resume', 'clear', 'compress']) }),
    specificOutput: z.looseObject(withContext),
    matcherField: 'source',
    strategy: 'or-decision',
    may: { block: false, stop: false, inject: true },
    rewrites: [],
  },
  SessionEnd: {
    when: 'when a session ends',
    input: baseInputSchema.extend({ reason: z.enum(['exit', 'clear', 'logout', 'prompt_input_exit', 'other']) }),
    specificOutput: z.looseObject(specific),
    matcherField: 'reason',
    strategy: 'observe',
    may: { block: false, stop: false, inject: false },
    rewrites: [],
  },
  PreCompress: {
    when: 'before the history is compressed',
    input: baseInputSchema.extend({ trigger: z.enum(['manual', 'auto']) }),
    specificOutput: z.looseObject(specific),
    matcherField: 'trigger',
    strategy: 'observe',
    may: { block: false, stop: false, inject: false },
    rewrites: [],
  },
  Notification: {
    when: 'when the agent wants the attention of its user',
    input: baseInputSchema.extend({ notification_type: z.string(), message: z.string(), details: jsonObject }),
    specificOutput: z.looseObject(specific),
    matcherField: 'notification_type',
    strategy: 'observe',
    may: { block: false, stop: false, inject: false },
    rewrites: [],
  },
  HostStart: {
    when: 'when the host process has started',
    input: baseInputSchema,
    specificOutput: z.looseObject(specific),
    strategy: 'observe',
    may: { block: false, stop: false, inject: false },
    rewrites: [],
  },
  HostEnd: {
    when: 'when the host process is about to end',
    input: baseInputSchema,
    specificOutput: z.looseObject(specific),
    strategy: 'observe',
    may: { block: false, stop: false, inject: false },
    rewrites: [],
  },
} as const satisfies Record<string, EventEntry>;

export type HookEventName = keyof typeof eventCatalogue;

export const hookEventNames = Object.keys(eventCatalogue) as [HookEventName, ...HookEventName[]];

/** `HookEventName.BeforeTool` as in seed 000; a const object and not an enum, so that types can be erased. */
export const HookEventName = Object.freeze(Object.fromEntries(hookEventNames.map((name) => [name, name]))) as {
  readonly [Name in HookEventName]: Name;
};

export function isHookEventName(name: unknown): name is HookEventName {
  return typeof name === 'string' && Object.hasOwn(eventCatalogue, name);
}

/** The entry of an event with its fields widened, for code that serves all events alike. */
export function eventEntry(eventName: HookEventName): EventEntry {
  return eventCatalogue[eventName];
}

/** What a matcher of this event is tried against; undefined where the event has nothing to match. */
export function matcherSubject(eventName: HookEventName, input: Readonly<Record<string, unknown>>): string | undefined {
  const field = eventEntry(eventName).matcherField;
  const value = field === undefined ? undefined : input[field];
  return typeof value === 'string' ? value : undefined;
}
