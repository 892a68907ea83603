import { eventEntry } from '@tenterhook/protocol';
import * as z from '@tenterhook/runtime/schema';
import { modeSchema, recheckSchema } from '../../shared/settings/hook-fields.js';
import { timeoutSchemaInSeconds } from '../../shared/settings/timeout-field.js';
import { type CursorEvent, cursorEventNames, factsOf } from '../input/event-table.js';

/** The JSON Schema for editors is generated from this schema. */

const common = {
  matcher: z.string().optional().describe('Regular expression that may match anywhere in the value.'),
  timeout: timeoutSchemaInSeconds().optional(),
  failClosed: z
    .boolean()
    .optional()
    .describe('What happens if the hook fails or times out: the operation continues (false, the default) or is denied (true).'),
  loop_limit: z
    .number()
    .nullable()
    .optional()
    .describe('How often in a row the hook may make the agent continue; null for no limit. Default: 5. Only for stop and subagentStop.'),
  recheck: recheckSchema.optional(),
};

const command = z
  .looseObject({
    type: z.literal('command').optional().describe('The type of the hook: a command.'),
    command: z.string().min(1).describe('Shell command. It receives the event as one JSON object on stdin.'),
    mode: modeSchema.optional(),
    ...common,
  })
  .meta({ id: 'cursorCommandHook', description: 'A command that runs when the event happens.' });

const prompt = z
  .looseObject({
    type: z.literal('prompt'),
    prompt: z.string().describe('Question to the model, which answers { ok, reason }.'),
    model: z.string().optional().describe('The model that answers.'),
    ...common,
  })
  .meta({ id: 'cursorPromptHook', description: 'A model that judges the event.' });

export const cursorSettingsSchema = z.looseObject({
  $schema: z.string().optional().describe('URL of this schema, for editors. Ignored.'),
  version: z.literal(1).describe('Version of the format: 1.'),
  hooks: z
    .strictObject(Object.fromEntries(cursorEventNames.map((event) => [event, hooksOf(event)])))
    .optional()
    .describe('Hooks by event.'),
});

/** Returns the JSON Schema of the settings file. A test compares this schema with the file in `schema/`. */
export function cursorSettingsJsonSchema(): Record<string, unknown> {
  return {
    title: 'Hooks in the settings of Cursor',
    ...z.toJSONSchema(cursorSettingsSchema, { target: 'draft-07', io: 'input' }),
  };
}

function hooksOf(event: CursorEvent) {
  const { eventName, subject, sentinel } = factsOf(event);
  const compared = subject === undefined ? 'The matcher is ignored.' : `The matcher is compared with ${sentinel ?? subject}.`;
  const when = eventEntry(eventName).when.replace(/ \(decision.*\)$/, '');
  return z
    .array(z.union([command, prompt]))
    .optional()
    .describe(`Hooks that run ${when}. ${compared}`);
}
