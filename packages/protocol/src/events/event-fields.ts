import { isPlainObject } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';

/** Fields of every event. Tenterhook sets them. A request may set only `cwd` and `transcript_path` (decision 32). */
export const baseInputSchema = z.looseObject({
  session_id: z.string().describe("Id of the agent's session."),
  transcript_path: z.string().describe('File with the transcript of the session. Empty if there is no such file.'),
  cwd: z.string().describe('Working directory of the hook.'),
  hook_event_name: z.string().describe('Name of the event.'),
  timestamp: z.string().describe('Start of the event: ISO 8601, UTC, with milliseconds.'),
});

export const mcpContextSchema = z.looseObject({ server_name: z.string().describe('Name of the MCP server.') });

export const jsonObject = z.record(z.string(), z.unknown());

export const toolCall = {
  tool_name: z.string().describe('Name of the tool, as the model calls it.'),
  tool_input: jsonObject.describe('Arguments of the call. After the tool has run, these are the arguments with which it ran.'),
  mcp_context: mcpContextSchema.optional().describe('The MCP server that provides the tool. Absent for other tools.'),
};

/** Optional fields for handlers. Agents that know the values set them (decision 71). */
export const modelCall = {
  model_provider: z.string().optional().describe('Provider of the model. Only some agents set this field.'),
  available_tools: z.array(z.string()).optional().describe('Names of the tools that the request offers to the model.'),
};

/** Example values for the `sample` of several events. */
export const sampleCall = { tool_name: 'write_file', tool_input: { path: 'notes.md', content: 'hello' } };
export const sampleRequest = { model: 'large', messages: [{ role: 'user', content: 'Tidy up the notes.' }] };

export const recentTools = z
  .array(z.string())
  .optional()
  .describe('Names of the tools that ran before this call; the newest is at the end. Only some agents set this field.');

/** The items are not validated: an agent that fires the event itself may send anything, and its hooks must still run. */
export const modelToolCalls = z
  .array(z.unknown())
  .optional()
  .describe('The tool calls in the answer of the model, each `{ name, args }`. Only some agents set this field.');

/**
 * Fields that an agent may leave out. A value of the wrong type becomes `undefined` instead of an error, so that the hooks still
 * run.
 */
export const text = z.string().optional().catch(undefined);
export const count = z.number().optional().catch(undefined);
export const flag = z.boolean().optional().catch(undefined);
export const object = jsonObject.optional().catch(undefined);
export const list = z.array(z.unknown()).optional().catch(undefined);

export const toolUseId = text.describe('Id of the call. It is the same before and after the tool runs. Only some agents set this field.');

export const loopCount = count.describe(
  'How many answers in a row hooks of this event have denied before this one. Only some agents set this field.',
);

export const envFile = text.describe(
  'File to which the hook may append "export NAME=value" lines, to set variables for later commands. Only some agents set this field.',
);

/** Data about the start of a session, for handlers that read it (decision 71). */
export const sessionModel = {
  model_provider: text.describe('Provider of the model. Only some agents set this field.'),
  model_name: text.describe('Model at the start of the session. Only some agents set this field.'),
  system_prompt: text.describe("The agent's instructions to the model. Only some agents set this field."),
};

/**
 * Totals of a session. `@tenterhook/agent` does not set them. If they are missing, the handler engine counts the events itself and
 * passes its totals to the handlers.
 */
export const sessionCounts = {
  total_tokens: count.describe('Number of tokens that the session used. Only some agents set this field.'),
  total_tool_calls: count.describe('Number of tool calls of the session. Only some agents set this field.'),
  duration_ms: count.describe('Duration of the session in milliseconds. Only some agents set this field.'),
};

export const durationMs = z
  .number()
  .optional()
  .describe('How long the tool or the model took, in milliseconds. Only some agents set this field.');

/** The fields that every `hookSpecificOutput` may have. */
export const specific = {
  hookEventName: z.string().optional().describe('Name of the event that was fired. Another name causes a warning.'),
};

/**
 * Returns the fields of `specific`, and `additionalContext`: a text for the model. `place` says where in the conversation the model
 * reads the text.
 */
export const withContext = (place: string) => ({
  ...specific,
  additionalContext: z
    .string()
    .optional()
    .describe(`Text for the model only, placed ${place}. Texts of several hooks are joined, each on its own line.`),
});

/** Fields of `hookSpecificOutput` in several events. If several hooks write the same field, the last value is used. */
export const watchPaths = z
  .array(z.string())
  .optional()
  .describe('Absolute paths of files and folders to watch. The agent fires FileChanged for their changes.');
export const sessionTitle = z.string().optional().describe('Title of the session, for the user.');
export const suppressOriginalPrompt = z.boolean().optional().describe('true hides the prompt in the transcript.');

export const sessionSetup = {
  sessionTitle,
  watchPaths,
  initialUserMessage: z.string().optional().describe('The first prompt of the session, if the user has not sent one.'),
  reloadSkills: z.boolean().optional().describe('true makes the agent read its skills again.'),
};

/**
 * Tests whether the `tool_response` of an AfterTool event reports a failure, that is, has an `error`. Some tools set `error` to
 * `null`, `false` or an empty string after a success. These values are not a failure.
 */
export function hasFailed(toolResponse: unknown): boolean {
  const error = isPlainObject(toolResponse) ? toolResponse['error'] : undefined;
  return error !== undefined && error !== null && error !== false && error !== '';
}

export const sessionSources = ['startup', 'resume', 'clear', 'compress', 'fork'] as const;
export const sessionEndReasons = ['exit', 'clear', 'resume', 'logout', 'prompt_input_exit', 'other'] as const;
export const compressTriggers = ['manual', 'auto'] as const;
