import { eventEntry } from '@tenterhook/protocol';
import * as z from '@tenterhook/runtime/schema';
import { timeoutSchemaInSeconds } from '../../shared/settings/timeout-field.js';
import { type ClaudeEvent, claudeEvents, factsOf } from '../input/event-table.js';

/** The settings of Claude Code as far as they concern hooks; the source of the JSON Schema that editors complete with. */

const common = {
  if: z.string().optional().describe('One permission rule, such as Bash(git push *): the hook runs for calls that fit it.'),
  timeout: timeoutSchemaInSeconds().optional(),
  statusMessage: z.string().optional().describe('What is shown while the hook runs.'),
  once: z.boolean().optional().describe('Once in a session. In the front matter of a skill alone.'),
  onFailure: z
    .enum(['continue', 'block'])
    .optional()
    .describe('What a failure or a timeout of the hook means: the operation goes on (continue, the default) or is denied (block).'),
};

const command = z
  .looseObject({
    type: z.literal('command').optional().describe('A command, which nearly all hooks are.'),
    command: z.string().min(1).describe('For the shell; with "args" a program that is run without one.'),
    args: z
      .array(z.string())
      .optional()
      .describe('Arguments of the program; CLAUDE_PROJECT_DIR and CLAUDE_PLUGIN_ROOT are filled in where they stand in $ and braces.'),
    shell: z.enum(['bash', 'powershell']).optional().describe('The shell that runs it. Without it that of the machine.'),
    async: z.boolean().optional().describe('Started and not waited for; its answer counts for nothing.'),
    asyncRewake: z.boolean().optional().describe('The same, and exit code 2 is told to the program that runs the hooks when it comes.'),
    ...common,
  })
  .meta({ id: 'claudeCommandHook', description: 'A command that runs when the event happens.' });

const http = z
  .looseObject({
    type: z.literal('http'),
    url: z.string().describe('Where the event is sent to, as a POST of JSON.'),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .describe('Headers of the request; $NAME is filled in for the variables that are allowed.'),
    allowedEnvVars: z.array(z.string()).optional().describe('Environment variables that headers may hold.'),
    ...common,
  })
  .meta({ id: 'claudeHttpHook', description: 'A server that is asked when the event happens.' });

const mcpTool = z
  .looseObject({
    type: z.literal('mcp_tool'),
    server: z.string().describe('The MCP server.'),
    tool: z.string().describe('Its tool.'),
    input: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Arguments; the path of a field of the event, in $ and braces, is filled in.'),
    ...common,
  })
  .meta({ id: 'claudeMcpToolHook', description: 'A tool of an MCP server that is called when the event happens.' });

const judged = {
  prompt: z.string().describe('What is asked; $ARGUMENTS is the event as JSON. The answer is { ok, reason }.'),
  model: z.string().optional().describe('The model that is asked.'),
  continueOnBlock: z.boolean().optional().describe('Whether the agent goes on with the reason. Here it always does.'),
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
        'Names, or a list of them at | or a comma, are compared whole; anything else is a regular expression that is searched for.',
      ),
    hooks: z.array(z.union([command, http, mcpTool, prompt, agent])).describe('The hooks of the group.'),
  })
  .meta({ id: 'claudeHookGroup', description: 'Hooks that share a matcher.' });

export const claudeCodeSettingsSchema = z.looseObject({
  $schema: z.string().optional().describe('Where this schema is, for editors. Not read.'),
  env: z.record(z.string(), z.string()).optional().describe('Environment variables, for the hooks of this level and of those below it.'),
  disableAllHooks: z.boolean().optional().describe('Switches all hooks off; those of the administrator in the managed file alone.'),
  allowManagedHooksOnly: z.boolean().optional().describe('Only hooks of the administrator run. In the managed file.'),
  allowedHttpHookUrls: z.array(z.string()).optional().describe('Addresses that hooks may be sent to; * stands for anything.'),
  httpHookAllowedEnvVars: z.array(z.string()).optional().describe('Environment variables that hooks may send in headers.'),
  hooks: z
    .strictObject(Object.fromEntries((Object.keys(claudeEvents) as ClaudeEvent[]).map((event) => [event, groupsOf(event)])))
    .optional()
    .describe('Hook groups by event.'),
});

/** JSON Schema of the settings file; committed under `schema/` and compared by a test. */
export function claudeCodeSettingsJsonSchema(): Record<string, unknown> {
  return {
    title: 'Hooks in the settings of Claude Code',
    ...z.toJSONSchema(claudeCodeSettingsSchema, { target: 'draft-07', io: 'input' }),
  };
}

function groupsOf(event: ClaudeEvent) {
  const { eventName, subject } = factsOf(event);
  const matcher = subject === undefined ? 'A matcher has nothing to look at here.' : `A matcher looks at ${subject}.`;
  return z
    .array(group)
    .optional()
    .describe(`Hook groups that run ${whenOf(event, eventEntry(eventName).when)}. ${matcher}`);
}

function whenOf(event: ClaudeEvent, when: string): string {
  if (event === 'PostToolUse') return 'after a tool has run and not failed';
  return event === 'PostToolUseFailure' ? 'after a tool has failed' : when.replace(/ \(decision.*\)$/, '');
}
