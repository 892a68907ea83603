import { eventEntry } from '@tenterhook/protocol';
import * as z from '@tenterhook/runtime/schema';
import { modeSchema, recheckSchema } from '../../shared/settings/hook-fields.js';
import { timeoutSchemaInSeconds } from '../../shared/settings/timeout-field.js';
import { type ClaudeEvent, claudeEvents, factsOf } from '../input/event-table.js';

/** The part of Claude Code's settings that concerns hooks. The JSON Schema for editors is generated from it. */

const common = {
  if: z.string().optional().describe('One permission rule, such as Bash(git push *): the hook runs only for calls that match it.'),
  timeout: timeoutSchemaInSeconds().optional(),
  statusMessage: z.string().optional().describe('Text that is shown while the hook runs.'),
  once: z.boolean().optional().describe('Run only once per session. Applies only in the front matter of a skill.'),
  onFailure: z
    .enum(['continue', 'block'])
    .optional()
    .describe('What happens if the hook fails or times out: the operation continues (continue, the default) or is denied (block).'),
  recheck: recheckSchema.optional(),
};

const command = z
  .looseObject({
    type: z.literal('command').optional().describe('The type of the hook: a command.'),
    command: z.string().min(1).describe('Shell command. If "args" is present: a program, which is run without a shell.'),
    args: z
      .array(z.string())
      .optional()
      .describe(
        'Arguments of the program. CLAUDE_PROJECT_DIR, CLAUDE_PLUGIN_ROOT and CLAUDE_PLUGIN_DATA, written with $ and braces, are replaced by their values.',
      ),
    shell: z.enum(['bash', 'powershell']).optional().describe('The shell that runs the command. Default: the shell of the machine.'),
    async: z
      .boolean()
      .optional()
      .describe('Run the hook asynchronously. Its context and messages reach the model later; it cannot block or change anything.'),
    asyncRewake: z
      .boolean()
      .optional()
      .describe('Run the hook asynchronously. Exit code 2 wakes the agent, and the model reads stderr, or stdout if stderr is empty.'),
    allowAsync: z
      .boolean()
      .optional()
      .describe(
        'Let the hook continue asynchronously if its first line on stdout is {"async": true}. Claude Code does not have this field.',
      ),
    mode: modeSchema.optional(),
    ...common,
  })
  .meta({ id: 'claudeCommandHook', description: 'A command that runs when the event happens.' });

const http = z
  .looseObject({
    type: z.literal('http'),
    url: z.string().describe('URL that receives the event as a POST request with JSON.'),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .describe('Headers of the request. $NAME is replaced by the value of the variable NAME if "allowedEnvVars" lists it.'),
    allowedEnvVars: z.array(z.string()).optional().describe('Names of environment variables that headers may contain.'),
    ...common,
  })
  .meta({ id: 'claudeHttpHook', description: 'A server that is called when the event happens.' });

const mcpTool = z
  .looseObject({
    type: z.literal('mcp_tool'),
    server: z.string().describe('Name of the MCP server.'),
    tool: z.string().describe('Name of the tool on the server.'),
    input: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Arguments of the tool. The path of an event field, written with $ and braces, is replaced by the value of the field.'),
    ...common,
  })
  .meta({ id: 'claudeMcpToolHook', description: 'A tool of an MCP server that is called when the event happens.' });

const judged = {
  prompt: z.string().describe('Question to the model, which answers { ok, reason }. $ARGUMENTS is replaced by the event as JSON.'),
  model: z.string().optional().describe('The model that answers.'),
  continueOnBlock: z
    .boolean()
    .optional()
    .describe('Whether the agent continues after a deny and receives the reason. Ignored by Tenterhook: the agent always continues.'),
  ...common,
};
const prompt = z
  .looseObject({ type: z.literal('prompt'), ...judged })
  .meta({ id: 'claudePromptHook', description: 'A model that judges the event.' });
const agent = z
  .looseObject({ type: z.literal('agent'), ...judged })
  .meta({ id: 'claudeAgentHook', description: 'An agent that judges the event.' });

const group = z
  .looseObject({
    matcher: z
      .string()
      .optional()
      .describe(
        'One name, or names separated by | or commas, compared with the whole name. Anything else is a regular expression, which may match anywhere in the name.',
      ),
    hooks: z.array(z.union([command, http, mcpTool, prompt, agent])).describe('The hooks of the group.'),
  })
  .meta({ id: 'claudeHookGroup', description: 'Hooks that share a matcher.' });

export const claudeCodeSettingsSchema = z.looseObject({
  $schema: z.string().optional().describe('URL of this schema, for editors. Ignored.'),
  env: z
    .record(z.string(), z.string())
    .optional()
    .describe('Environment variables for the hooks of this file and of settings files with lower precedence.'),
  disableAllHooks: z
    .boolean()
    .optional()
    .describe("Switches all hooks off. The administrator's hooks are switched off only by the managed file."),
  allowManagedHooksOnly: z.boolean().optional().describe("Run only the administrator's hooks. Read only in the managed file."),
  allowedHttpHookUrls: z.array(z.string()).optional().describe('URLs that http hooks may call; * matches any text.'),
  httpHookAllowedEnvVars: z.array(z.string()).optional().describe('Environment variables that http hooks may send in headers.'),
  hooks: z
    .strictObject(Object.fromEntries((Object.keys(claudeEvents) as ClaudeEvent[]).map((event) => [event, groupsOf(event)])))
    .optional()
    .describe('Hook groups by event.'),
});

/** Returns the JSON Schema of the settings file. A test compares this schema with the file in `schema/`. */
export function claudeCodeSettingsJsonSchema(): Record<string, unknown> {
  return {
    title: 'Hooks in the settings of Claude Code',
    ...z.toJSONSchema(claudeCodeSettingsSchema, { target: 'draft-07', io: 'input' }),
  };
}

function groupsOf(event: ClaudeEvent) {
  const { eventName, subject } = factsOf(event);
  const matcher = subject === undefined ? 'The matcher is ignored.' : `The matcher is compared with ${subject}.`;
  return z
    .array(group)
    .optional()
    .describe(`Hook groups that run ${whenOf(event, eventEntry(eventName).when)}. ${matcher}`);
}

function whenOf(event: ClaudeEvent, when: string): string {
  if (event === 'PostToolUse') return 'after a tool has run without an error';
  return event === 'PostToolUseFailure' ? 'after a tool has failed' : when.replace(/ \(decision.*\)$/, '');
}
