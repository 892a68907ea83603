import { isPlainObject } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';

/** Fields of every event. The system fills them in; a request may set only `cwd` and `transcript_path` of them (decision 32). */
export const baseInputSchema = z.looseObject({
  session_id: z.string().describe("Id of the agent's session."),
  transcript_path: z.string().describe('File that holds the transcript of the session; an empty text where there is none.'),
  cwd: z.string().describe('Working directory of the hook.'),
  hook_event_name: z.string().describe('Name of the event.'),
  timestamp: z.string().describe('When the event began: ISO 8601, UTC, with milliseconds.'),
});

export const mcpContextSchema = z.looseObject({ server_name: z.string().describe('Name of the MCP server.') });

export const jsonObject = z.record(z.string(), z.unknown());

export const toolCall = {
  tool_name: z.string().describe('Name of the tool, as the model calls it.'),
  tool_input: jsonObject.describe('Arguments of the call. After a tool has run: those it ran with.'),
  mcp_context: mcpContextSchema.optional().describe('Where the tool comes from, when an MCP server provides it.'),
};

/** Optional fields that the agent side fills in where it can, for handlers that read them (decision 71). */
export const modelCall = {
  model_provider: z.string().optional().describe('Who serves the model; set by agents that know.'),
  available_tools: z.array(z.string()).optional().describe('Names of the tools that the request offers to the model.'),
};

export const recentTools = z
  .array(z.string())
  .optional()
  .describe('Names of the tools that ran before this call, the newest last; set by agents that keep them.');

/** Of no stricter form: an agent that fires the event itself may send others, and its hooks must not go unasked for it. Who reads them checks. */
export const modelToolCalls = z
  .array(z.unknown())
  .optional()
  .describe('The tool calls of the answer as the model made it, each `{ name, args }`; set by agents that show them.');

/**
 * Fields that an agent may leave out. Whoever reads them checks them: an agent that fires the event itself may put something else there, and
 * its hooks must not go unasked for it.
 */
export const text = z.string().optional().catch(undefined);
export const count = z.number().optional().catch(undefined);
export const flag = z.boolean().optional().catch(undefined);
export const object = jsonObject.optional().catch(undefined);
export const list = z.array(z.unknown()).optional().catch(undefined);

export const toolUseId = text.describe('Id of the call, the same before and after the tool; set by agents that have one.');

export const envFile = text.describe('File to which the hook may append "export NAME=value" lines; set by agents that read it.');

/** What a session begins with, for handlers that read it (decision 71). */
export const sessionModel = {
  model_provider: text.describe('Who serves the model; set by agents that know.'),
  model_name: text.describe('The model that the session begins with; set by agents that know.'),
  system_prompt: text.describe("The agent's instructions to the model; set by agents that know."),
};

/** What a session came to. The agent's functions do not fill these in: where they are absent, handlers are told what their engine counted. */
export const sessionCounts = {
  total_tokens: count.describe('Tokens that the session used; set by agents that count.'),
  total_tool_calls: count.describe('Tool calls of the session; set by agents that count.'),
  duration_ms: count.describe('Milliseconds that the session took; set by agents that measure it.'),
};

export const durationMs = z.number().optional().describe('Milliseconds that it took; set by agents that measure it.');

/** What every `hookSpecificOutput` may hold. */
export const specific = {
  hookEventName: z.string().optional().describe('Name of the event; another name than that of the fired event is a warning.'),
};

/** The same with `additionalContext`, whose reader is always the model and whose place is the event's. */
export const withContext = (place: string) => ({
  ...specific,
  additionalContext: z.string().optional().describe(`Text for the model alone, ${place}. Texts of several hooks are joined, a line each.`),
});

/** Fields of several events' `hookSpecificOutput`; of each the last one written counts. */
export const watchPaths = z.array(z.string()).optional().describe('Files and folders whose changes the agent is to tell of, absolute.');
export const sessionTitle = z.string().optional().describe('Title of the session, for the user.');
export const suppressOriginalPrompt = z.boolean().optional().describe('true: the prompt is not shown in the transcript.');

export const sessionSetup = {
  sessionTitle,
  watchPaths,
  initialUserMessage: z.string().optional().describe('The first prompt of the session, where the user has sent none.'),
  reloadSkills: z.boolean().optional().describe('true: the agent reads its skills again.'),
};

/**
 * Whether the `tool_response` of an AfterTool event is that of a tool that failed: it has an `error`. Tools and SDKs leave the field in the
 * response of one that worked, and write `null`, `false` or an empty text there.
 */
export function hasFailed(toolResponse: unknown): boolean {
  const error = isPlainObject(toolResponse) ? toolResponse['error'] : undefined;
  return error !== undefined && error !== null && error !== false && error !== '';
}
