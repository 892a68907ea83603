import * as z from '@tenterhook/runtime/schema';
import { groupsOfEvent } from '../../shared/settings/command-schema.js';
import { modeSchema, onErrorSchema, recheckSchema } from '../../shared/settings/hook-fields.js';
import { timeoutSchemaInSeconds } from '../../shared/settings/timeout-field.js';
import { codexEventNames, factsOf } from '../input/event-table.js';

/** The part of Codex's settings that concerns hooks. The JSON Schema for editors is generated from it. */

const common = {
  timeout: timeoutSchemaInSeconds().optional(),
  timeoutSec: timeoutSchemaInSeconds().optional().describe('Another name of timeout.'),
  statusMessage: z.string().optional().describe('Text that is shown while the hook runs.'),
  onError: onErrorSchema.optional(),
  recheck: recheckSchema.optional(),
};

const command = z
  .looseObject({
    type: z.literal('command').optional().describe('The type of the hook: a command.'),
    command: z.string().min(1).describe('Shell command. It receives the event as one JSON object on stdin.'),
    commandWindows: z.string().optional().describe('Command that runs on Windows instead.'),
    async: z.boolean().optional().describe('Run the hook asynchronously. It cannot block or change anything.'),
    additionalContextLimit: z
      .number()
      .nullable()
      .optional()
      .describe('Number of tokens above which Codex writes the context of the hook to a file. Ignored by Tenterhook.'),
    mode: modeSchema.optional(),
    ...common,
  })
  .meta({ id: 'codexCommandHook', description: 'A command that runs when the event happens.' });

const mcpTool = z
  .looseObject({
    type: z.literal('mcp_tool'),
    server: z.string().describe('Name of the MCP server.'),
    tool: z.string().describe('Name of the tool on the server.'),
    input: z.record(z.string(), z.unknown()).optional().describe('Arguments of the tool.'),
    ...common,
  })
  .meta({ id: 'codexMcpToolHook', description: 'A tool of an MCP server that is called when the event happens.' });

const group = z
  .looseObject({
    matcher: z
      .string()
      .optional()
      .describe(
        'One name, or names separated by |, compared with the whole name. Anything else is a regular expression, which may match anywhere in the name.',
      ),
    hooks: z.array(z.union([command, mcpTool])).describe('The hooks of the group.'),
  })
  .meta({ id: 'codexHookGroup', description: 'Hooks that share a matcher.' });

export const codexSettingsSchema = z.looseObject({
  $schema: z.string().optional().describe('URL of this schema, for editors. Ignored.'),
  description: z.string().optional().describe('What the hooks of the file are for. Ignored.'),
  features: z
    .looseObject({
      hooks: z.boolean().optional().describe('Switches all hooks on or off.'),
      codex_hooks: z.boolean().optional().describe('Older name of hooks.'),
    })
    .optional()
    .describe('Switches of Codex. Read only in config.toml.'),
  allow_managed_hooks_only: z.boolean().optional().describe("Run only the administrator's hooks. Read only in requirements.toml."),
  hooks: z
    .strictObject({
      managed_dir: z.string().optional().describe("Folder with the scripts of the administrator's hooks. Ignored by Tenterhook."),
      windows_managed_dir: z.string().optional().describe('The same folder on Windows. Ignored by Tenterhook.'),
      state: z
        .record(z.string(), z.looseObject({ enabled: z.boolean().optional(), trusted_hash: z.string().optional() }))
        .optional()
        .describe('What the user has decided about each hook. Codex writes it into the config.toml of the user.'),
      ...Object.fromEntries(
        codexEventNames.map((event) => [event, groupsOfEvent(group, factsOf(event).eventName, factsOf(event).subject)]),
      ),
    })
    .optional()
    .describe('Hook groups by event.'),
});

/** Returns the JSON Schema of the settings file. A test compares this schema with the file in `schema/`. */
export function codexSettingsJsonSchema(): Record<string, unknown> {
  return {
    title: 'Hooks in the settings of Codex',
    ...z.toJSONSchema(codexSettingsSchema, { target: 'draft-07', io: 'input' }),
  };
}
