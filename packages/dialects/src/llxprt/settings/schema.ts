import { eventEntry, hookEventNames } from '@tenterhook/protocol';
import * as z from '@tenterhook/runtime/schema';
import { commandFields, groupsOfEvent, sequentialSchema } from '../../shared/settings/command-schema.js';
import { disabledField } from '../../shared/settings/switches.js';

/** The settings of LLxprt Code as far as they concern hooks; the source of the JSON Schema that editors complete with. */

export const defaultTimeoutMs = 60_000;

export const hookFields = {
  type: z.literal('command').default('command').describe('What kind of hook this is. "command" is the only kind, and the default.'),
  ...commandFields(defaultTimeoutMs),
} as const;

export const groupFields = {
  matcher: z
    .string()
    .describe(
      'Which tools (or session sources, …) the group is for: a glob when it holds * or ?, else a regular expression that is searched for.',
    ),
  sequential: sequentialSchema,
  hooks: z.array(z.unknown()),
} as const;

// With an id each, they stand once in the JSON Schema and not once for every event.
const hook = z
  .looseObject({
    type: hookFields.type.optional(),
    command: hookFields.command,
    timeout: hookFields.timeout.optional(),
    name: hookFields.name.optional(),
    description: hookFields.description.optional(),
    env: hookFields.env.optional(),
    onError: hookFields.onError.optional(),
  })
  .meta({ id: 'llxprtHook', description: 'A command that runs when the event happens.' });

const group = z
  .looseObject({
    matcher: groupFields.matcher.optional(),
    sequential: groupFields.sequential.optional(),
    hooks: z.array(hook).describe('The hooks of the group, in order.'),
  })
  .meta({ id: 'llxprtHookGroup', description: 'Hooks that share a matcher.' });

export const enableHooksField = z
  .boolean()
  .default(false)
  .describe("Whether hooks of this level run at all. A project that does not say follows the user's value, else the system's.");

export const llxprtSettingsSchema = z.looseObject({
  $schema: z.string().optional().describe('Where this schema is, for editors. Not read.'),
  tools: z.looseObject({ enableHooks: enableHooksField.optional() }).optional().describe('Settings of tools; hooks are switched on here.'),
  hooksConfig: z.looseObject({ disabled: disabledField.optional() }).optional().describe('Settings of hooks as such.'),
  hooks: z
    .strictObject(
      Object.fromEntries(
        hookEventNames.map((eventName) => [eventName, groupsOfEvent(group, eventName, eventEntry(eventName).matcherField)]),
      ),
    )
    .optional()
    .describe('Hook groups by event.'),
});

/** JSON Schema of the settings file; committed under `schema/` and compared by a test. */
export function llxprtSettingsJsonSchema(): Record<string, unknown> {
  return { title: 'Hooks in the settings of LLxprt Code', ...z.toJSONSchema(llxprtSettingsSchema, { target: 'draft-07', io: 'input' }) };
}
