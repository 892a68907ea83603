import { eventEntry, hookEventNames } from '@tenterhook/protocol';
import * as z from '@tenterhook/runtime/schema';
import { commandFields, groupsOfEvent, sequentialSchema } from '../../shared/settings/command-schema.js';
import { disabledField } from '../../shared/settings/switches.js';

/** The part of LLxprt Code's settings that concerns hooks. The JSON Schema for editors is generated from it. */

export const defaultTimeoutMs = 60_000;

export const hookFields = {
  type: z.literal('command').default('command').describe('The type of the hook. "command" is the only type, and the default.'),
  ...commandFields(defaultTimeoutMs),
} as const;

export const groupFields = {
  matcher: z
    .string()
    .describe(
      'Pattern for the name of the tool, the source of the session, and so on. With * or ? it is a glob. Otherwise it is a regular expression that may match anywhere in the name.',
    ),
  sequential: sequentialSchema,
  hooks: z.array(z.unknown()),
} as const;

// The id lets all events share one definition of a hook in the JSON Schema.
const hook = z
  .looseObject({
    type: hookFields.type.optional(),
    command: hookFields.command,
    timeout: hookFields.timeout.optional(),
    name: hookFields.name.optional(),
    description: hookFields.description.optional(),
    env: hookFields.env.optional(),
    onError: hookFields.onError.optional(),
    recheck: hookFields.recheck.optional(),
    mode: hookFields.mode.optional(),
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
  .describe("Whether hooks of this level run. Default for a project: the user's value, then the system's.");

export const llxprtSettingsSchema = z.looseObject({
  $schema: z.string().optional().describe('URL of this schema, for editors. Ignored.'),
  tools: z
    .looseObject({ enableHooks: enableHooksField.optional() })
    .optional()
    .describe('Settings of tools; "enableHooks" switches hooks on.'),
  hooksConfig: z.looseObject({ disabled: disabledField.optional() }).optional().describe('Settings for all hooks.'),
  hooks: z
    .strictObject(
      Object.fromEntries(
        hookEventNames.map((eventName) => [eventName, groupsOfEvent(group, eventName, eventEntry(eventName).matcherField)]),
      ),
    )
    .optional()
    .describe('Hook groups by event.'),
});

/** Returns the JSON Schema of the settings file. A test compares this schema with the file in `schema/`. */
export function llxprtSettingsJsonSchema(): Record<string, unknown> {
  return { title: 'Hooks in the settings of LLxprt Code', ...z.toJSONSchema(llxprtSettingsSchema, { target: 'draft-07', io: 'input' }) };
}
