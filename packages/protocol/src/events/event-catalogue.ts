import * as z from '@tenterhook/runtime/schema';
import { llmRequestSchema, llmResponseSchema, toolConfigSchema } from '../model/llm.js';
import { hookDecisionSchema } from '../results/hook-decision.js';
import { elicitationEvents, permissionEvents } from './claude-code/permission-events.js';
import { modelSwitchEvents, sessionEvents, workspaceEvents } from './claude-code/session-events.js';
import { subagentEvents, turnEvents } from './claude-code/turn-events.js';
import { copilotEvents } from './copilot-events.js';
import { cursorEvents } from './cursor-events.js';
import { type EventEntry, noEffects, observed, rewrite } from './event-entry.js';
import {
  baseInputSchema,
  compressTriggers,
  durationMs,
  envFile,
  jsonObject,
  loopCount,
  type mcpContextSchema,
  modelCall,
  modelToolCalls,
  recentTools,
  sampleCall,
  sampleRequest,
  sessionCounts,
  sessionEndReasons,
  sessionModel,
  sessionSetup,
  sessionSources,
  sessionTitle,
  specific,
  suppressOriginalPrompt,
  text,
  toolCall,
  toolUseId,
  withContext,
} from './event-fields.js';

/** Every event: its input, what its hooks may print and do, and how several answers are merged. */
export const eventCatalogue = {
  BeforeTool: {
    when: 'before a tool runs',
    sample: sampleCall,
    input: baseInputSchema.extend({
      ...toolCall,
      tool_use_id: toolUseId,
      recent_tools: recentTools,
      // Some dialects pass this field to their hooks (decision 60).
      approval: z.enum(['allow', 'ask', 'deny']).optional().describe('What the agent would do with the call if no hook decided.'),
    }),
    specificOutput: z.looseObject({
      ...withContext("after the tool's result, even if the tool does not run"),
      permissionDecision: hookDecisionSchema.optional().describe('Older name of decision. If both are given, the stricter one is used.'),
      permissionDecisionReason: z.string().optional().describe('Older name of reason.'),
      tool_input: jsonObject.optional().describe('New values for arguments of the call. All other arguments stay.'),
    }),
    matcherField: 'tool_name',
    matcherExample: 'write_file',
    strategy: 'or-decision',
    may: { block: true, stop: true, inject: true },
    effects: {
      deny: "the tool does not run, and the model reads the reason instead of the tool's result",
      stop: 'the tool does not run, and the agent loop ends',
    },
    rewrites: [
      rewrite('tool_input', 'updatedInput', 'replace', ['tool_input'], 'tool_input'),
      rewrite('tool_input', 'tool_input', 'merge'),
    ],
    rechecks: true,
  },
  AfterTool: {
    when: 'after a tool has run, before the model sees its result',
    sample: { ...sampleCall, tool_response: { llmContent: 'Wrote notes.md.', returnDisplay: 'Wrote notes.md.' } },
    input: baseInputSchema.extend({
      ...toolCall,
      tool_response: jsonObject.describe(
        'What the tool returned: llmContent for the model, returnDisplay for the user, error if it failed.',
      ),
      tool_use_id: toolUseId,
      duration_ms: durationMs,
    }),
    specificOutput: z.looseObject({
      ...withContext("after the tool's result"),
      classifierContext: z.string().optional().describe('Text for the classifier of the agent, not for the model.'),
    }),
    matcherField: 'tool_name',
    matcherExample: 'write_file',
    strategy: 'or-decision',
    may: { block: 'feedback', stop: true, inject: true },
    effects: {
      deny: 'the result stays, and the model reads the reason after it',
      stop: 'the result stays, and the agent loop ends',
    },
    rewrites: [rewrite('tool_response', 'updatedToolOutput', 'tool-output')],
    redacts: true,
  },
  BeforeAgent: {
    when: 'after the user has sent a prompt, before the agent works on it',
    sample: { prompt: 'Tidy up the notes.' },
    input: baseInputSchema.extend({ prompt: z.string().describe('What the user sent.') }),
    specificOutput: z.looseObject({ ...withContext('after the prompt'), sessionTitle, suppressOriginalPrompt }),
    strategy: 'or-decision',
    may: { block: true, stop: true, inject: true },
    effects: {
      deny: 'the agent does not work on the prompt',
      stop: 'the agent does not work on the prompt, and the agent loop ends',
    },
    rewrites: [rewrite('prompt', 'replacedPrompt', 'replace')],
    redacts: true,
  },
  AfterAgent: {
    when: 'when the answer to a prompt is complete',
    sample: { prompt: 'Tidy up the notes.', prompt_response: 'Done.', stop_hook_active: false },
    input: baseInputSchema.extend({
      prompt: z.string().describe('What the user sent.'),
      prompt_response: z.string().describe("The agent's complete answer."),
      stop_hook_active: z.boolean().describe('Whether a hook of this event denied the previous answer, so that the agent continued.'),
      loop_count: loopCount,
    }),
    specificOutput: z.looseObject(specific),
    strategy: 'or-decision',
    may: { block: 'feedback', stop: true, inject: false },
    effects: {
      deny: 'the agent continues with the reason as its next prompt, at most 8 times in a row',
      stop: 'the agent stops, even if another hook denies',
    },
    rewrites: [],
  },
  BeforeModel: {
    when: 'before a request goes to the model',
    sample: { llm_request: sampleRequest },
    input: baseInputSchema.extend({ llm_request: llmRequestSchema.describe('The request that would be sent.'), ...modelCall }),
    specificOutput: z.looseObject({
      ...specific,
      llm_request: llmRequestSchema
        .optional()
        .describe('New values for fields of the request. config is merged key by key. All other fields stay.'),
      llm_response: llmResponseSchema.optional().describe('An answer that is used instead of calling the model, with or without a deny.'),
    }),
    strategy: 'field-replacement',
    may: { block: true, stop: true, inject: true },
    effects: {
      deny: 'the model is not called. The answer is the llm_response of the hook that denies, or is empty',
      stop: 'the model is not called, and the agent loop ends',
    },
    rewrites: [rewrite('llm_request', 'llm_request', 'llm-request')],
    redacts: true,
  },
  AfterModel: {
    // Fired once per response, not once per chunk of a stream (decision 15).
    when: 'once for each complete response of the model',
    sample: {
      llm_request: sampleRequest,
      llm_response: { text: 'Done.', candidates: [{ content: { role: 'model', parts: ['Done.'] }, finishReason: 'STOP' }] },
    },
    input: baseInputSchema.extend({
      llm_request: llmRequestSchema.describe('The request that was sent.'),
      llm_response: llmResponseSchema.describe('The complete answer of the model.'),
      ...modelCall,
      tool_calls: modelToolCalls,
      duration_ms: durationMs,
    }),
    specificOutput: z.looseObject({
      ...specific,
      llm_response: llmResponseSchema
        .optional()
        .describe(
          'If the hook returns text, only the text of the answer changes. If it returns candidates, the whole answer changes, including tool calls.',
        ),
    }),
    strategy: 'field-replacement',
    may: { block: false, stop: true, inject: false },
    effects: {
      deny: 'no effect: the answer stays, and the hook gets a warning',
      stop: 'the agent loop ends, and the stop reason replaces the answer',
    },
    rewrites: [rewrite('llm_response', 'llm_response', 'llm-response')],
    redacts: true,
  },
  BeforeToolSelection: {
    when: 'before a request with tool definitions goes to the model',
    sample: { llm_request: sampleRequest },
    input: baseInputSchema.extend({ llm_request: llmRequestSchema.describe('The request before the tools for it are chosen.') }),
    specificOutput: z.looseObject({
      ...specific,
      toolConfig: toolConfigSchema.optional().describe('Which tools the model may call, and whether it must call one.'),
    }),
    strategy: 'tool-selection',
    may: { block: false, stop: true, inject: false },
    effects: {
      deny: 'no effect: the selection stays, and the hook gets a warning',
      stop: 'the model is not called, and the agent loop ends',
    },
    rewrites: [rewrite('toolConfig', 'toolConfig', 'tool-config', ['llm_request', 'toolConfig'])],
  },
  SessionStart: {
    when: 'when a session starts',
    sample: { source: 'startup' },
    input: baseInputSchema.extend({
      source: z.enum(sessionSources).describe('How the session starts.'),
      ...sessionModel,
      env_file: envFile,
    }),
    specificOutput: z.looseObject({ ...withContext('at the start of the conversation'), ...sessionSetup }),
    matcherField: 'source',
    matcherValues: sessionSources,
    matcherExample: 'startup',
    strategy: 'or-decision',
    may: { block: false, stop: false, inject: true },
    effects: noEffects,
    rewrites: [],
  },
  SessionEnd: {
    when: 'when a session ends',
    sample: { reason: 'exit' },
    input: baseInputSchema.extend({
      reason: z.enum(sessionEndReasons).describe('Why the session ends.'),
      ...sessionCounts,
    }),
    specificOutput: z.looseObject(specific),
    matcherField: 'reason',
    matcherValues: sessionEndReasons,
    matcherExample: 'exit',
    strategy: 'or-decision',
    may: { block: false, stop: false, inject: false },
    effects: noEffects,
    rewrites: [],
  },
  PreCompress: {
    when: 'before the history is compressed',
    sample: { trigger: 'manual' },
    input: baseInputSchema.extend({
      trigger: z.enum(compressTriggers).describe('What started the compression: the user or the agent itself.'),
    }),
    matcherField: 'trigger',
    matcherValues: compressTriggers,
    matcherExample: 'manual',
    ...observed,
  },
  Notification: {
    when: 'when the agent notifies its user',
    sample: { notification_type: 'ToolPermission', message: 'May write_file run?', details: {} },
    input: baseInputSchema.extend({
      notification_type: z.string().describe('Type of the notification, such as ToolPermission.'),
      message: z.string().describe('The text for the user.'),
      details: jsonObject.describe('More data about the notification. May be empty.'),
    }),
    matcherField: 'notification_type',
    matcherExample: 'ToolPermission',
    ...observed,
  },
  HostStart: { when: 'when the host process has started', sample: {}, input: baseInputSchema, ...observed },
  HostEnd: { when: 'when the host process is about to exit', sample: {}, input: baseInputSchema, ...observed },
  // Events that only Claude Code's format has.
  ...permissionEvents,
  ...turnEvents,
  ...subagentEvents,
  ...sessionEvents,
  ...workspaceEvents,
  ...elicitationEvents,
  ...modelSwitchEvents,
  // Events that only Codex's format has.
  Interrupt: {
    ...observed,
    when: 'when the user interrupts a turn of the agent',
    sample: { turn_id: 't1' },
    firedBy: 'host',
    input: baseInputSchema.extend({ turn_id: text.describe('Id of the turn.') }),
  },
  ...cursorEvents,
  ...copilotEvents,
} as const satisfies Record<string, EventEntry>;

/** The canonical name of an event. */
export type HookEventName = keyof typeof eventCatalogue;

export const hookEventNames = Object.keys(eventCatalogue) as [HookEventName, ...HookEventName[]];

/**
 * The event names as values, e.g. `HookEventName.BeforeTool`. An enum was rejected, because compilers that only remove types cannot
 * compile it.
 */
export const HookEventName = Object.freeze(Object.fromEntries(hookEventNames.map((name) => [name, name]))) as {
  readonly [Name in HookEventName]: Name;
};

/** Tests whether a value is the canonical name of an event. */
export function isHookEventName(name: unknown): name is HookEventName {
  return typeof name === 'string' && Object.hasOwn(eventCatalogue, name);
}

/** Returns the entry of an event, with a type that fits all events. */
export function eventEntry(eventName: HookEventName): EventEntry {
  return eventCatalogue[eventName];
}

/** Returns the value of an event that its matchers are compared with, or undefined if the event has no such value. */
export function matcherSubject(eventName: HookEventName, input: Readonly<Record<string, unknown>>): string | undefined {
  const field = eventEntry(eventName).matcherField;
  const value = field === undefined ? undefined : input[field];
  return typeof value === 'string' ? value : undefined;
}

/** What hooks of every event receive. This type and the types below are derived from the catalogue. */
export interface HookInput extends z.infer<typeof baseInputSchema> {}
/** What hooks of an event receive, including the base fields. */
export type HookInputOf<Name extends HookEventName> = z.infer<(typeof eventCatalogue)[Name]['input']>;
/** What hooks of BeforeTool receive. */
export type BeforeToolInput = HookInputOf<'BeforeTool'>;
/** What hooks of AfterTool receive. */
export type AfterToolInput = HookInputOf<'AfterTool'>;
/** What hooks of BeforeAgent receive. */
export type BeforeAgentInput = HookInputOf<'BeforeAgent'>;
/** What hooks of AfterAgent receive. */
export type AfterAgentInput = HookInputOf<'AfterAgent'>;
/** What hooks of BeforeModel receive. */
export type BeforeModelInput = HookInputOf<'BeforeModel'>;
/** What hooks of AfterModel receive. */
export type AfterModelInput = HookInputOf<'AfterModel'>;
/** What hooks of BeforeToolSelection receive. */
export type BeforeToolSelectionInput = HookInputOf<'BeforeToolSelection'>;
/** What hooks of SessionStart receive. */
export type SessionStartInput = HookInputOf<'SessionStart'>;
/** What hooks of SessionEnd receive. */
export type SessionEndInput = HookInputOf<'SessionEnd'>;
/** What hooks of PreCompress receive. */
export type PreCompressInput = HookInputOf<'PreCompress'>;
/** What hooks of Notification receive. */
export type NotificationInput = HookInputOf<'Notification'>;
/** The MCP server that a tool comes from. */
export interface McpContext extends z.infer<typeof mcpContextSchema> {}
