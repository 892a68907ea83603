import { eventEntry } from '@tenterhook/protocol';
import * as z from '@tenterhook/runtime/schema';
import { modeSchema, onErrorSchema, recheckSchema } from '../../shared/settings/hook-fields.js';
import { timeoutSchemaInSeconds } from '../../shared/settings/timeout-field.js';
import { eventKeys, eventOfKey, factsOf } from '../input/event-table.js';

/** The JSON Schema for editors is generated from this schema. */

const common = {
  matcher: z.string().optional().describe('Names of tools, or a regular expression for the whole name.'),
  timeoutSec: timeoutSchemaInSeconds().optional(),
  timeout: timeoutSchemaInSeconds().optional(),
  onError: onErrorSchema.optional(),
  recheck: recheckSchema.optional(),
};

const command = z
  .looseObject({
    type: z.literal('command').optional().describe('The type of the hook: a command.'),
    command: z.string().min(1).optional().describe('Shell command for every system. It receives the event as one JSON object on stdin.'),
    bash: z.string().min(1).optional().describe('Shell command for Linux and macOS.'),
    powershell: z.string().min(1).optional().describe('Command for PowerShell on Windows.'),
    exec: z.string().min(1).optional().describe('Program that runs without a shell.'),
    args: z.array(z.string()).optional().describe('Arguments of the program in "exec".'),
    cwd: z.string().optional().describe('Directory in which the command starts. Default: the project.'),
    env: z.record(z.string(), z.string()).optional().describe('Environment variables of the command.'),
    mode: modeSchema.optional(),
    ...common,
  })
  .meta({ id: 'copilotCommandHook', description: 'A command that runs when the event happens.' });

const http = z
  .looseObject({
    type: z.literal('http').optional().describe('The type of the hook: a request.'),
    url: z.string().describe('URL that receives the event as JSON. Events that decide about tools need https.'),
    headers: z.record(z.string(), z.string()).optional().describe('Headers of the request.'),
    allowedEnvVars: z.array(z.string()).optional().describe('Variables that headers may contain, as $NAME.'),
    ...common,
  })
  .meta({ id: 'copilotHttpHook', description: 'A request to a server.' });

const prompt = z
  .looseObject({ type: z.literal('prompt'), prompt: z.string().describe('Text that is submitted when a new session starts.') })
  .meta({ id: 'copilotPromptHook', description: 'A prompt at the start of a session.' });

const entry = z.union([command, http, prompt]);

const group = z
  .looseObject({
    matcher: z.string().optional().describe('Names of tools, or a regular expression for the whole name.'),
    hooks: z.array(entry).describe('The hooks of the group.'),
  })
  .meta({ id: 'copilotHookGroup', description: 'Hooks with one matcher, as Claude Code groups them.' });

export const copilotSettingsSchema = z.looseObject({
  $schema: z.string().optional().describe('URL of this schema, for editors. Ignored.'),
  version: z.literal(1).optional().describe('Version of the format: 1.'),
  disableAllHooks: z.boolean().optional().describe('Switches the hooks of this file off.'),
  hooks: z
    .looseObject(Object.fromEntries(Object.keys(eventKeys).map((key) => [key, hooksOf(key)])))
    .optional()
    .describe('Hooks by event.'),
});

/** Returns the JSON Schema of the settings file. A test compares this schema with the file in `schema/`. */
export function copilotSettingsJsonSchema(): Record<string, unknown> {
  return {
    title: 'Hooks in the settings of Copilot',
    ...z.toJSONSchema(copilotSettingsSchema, { target: 'draft-07', io: 'input' }),
  };
}

function hooksOf(key: string) {
  const event = eventOfKey(key);
  const { eventName, subject } = factsOf(event as NonNullable<typeof event>);
  const compared = subject === undefined ? 'The matcher is ignored.' : `The matcher is compared with ${subject}.`;
  const when = eventEntry(eventName).when.replace(/ \(decision.*\)$/, '');
  return z
    .array(z.union([group, entry]))
    .optional()
    .describe(`Hooks that run ${when}. ${compared}`);
}
