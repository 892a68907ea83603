import * as z from '@tenterhook/runtime/schema';
import { commandFields, groupsOfEvent, sequentialSchema } from '../../shared/settings/command-schema.js';
import { disabledField } from '../../shared/settings/switches.js';
import { geminiEvent, geminiEventNames } from '../input/event-table.js';

/** The part of Gemini CLI's settings that concerns hooks. The JSON Schema for editors is generated from it. */

export const defaultTimeoutMs = 60_000;

export const hookFields = {
  type: z.literal('command').describe('The type of the hook. "command" is the only type.'),
  ...commandFields(defaultTimeoutMs),
} as const;

export const groupFields = {
  matcher: z
    .string()
    .describe(
      'For tools: a regular expression that may match anywhere in the name of the tool. On SessionStart, SessionEnd and PreCompress: the exact value of the matched field.',
    ),
  sequential: sequentialSchema,
  hooks: z.array(z.unknown()),
} as const;

// The id lets all events share one definition of a hook in the JSON Schema.
const hook = z
  .looseObject({
    type: hookFields.type,
    command: hookFields.command,
    timeout: hookFields.timeout.optional(),
    name: hookFields.name.optional(),
    description: hookFields.description.optional(),
    env: hookFields.env.optional(),
    onError: hookFields.onError.optional(),
    recheck: hookFields.recheck.optional(),
    mode: hookFields.mode.optional(),
  })
  .meta({ id: 'geminiHook', description: 'A command that runs when the event happens.' });

const group = z
  .looseObject({
    matcher: groupFields.matcher.optional(),
    sequential: groupFields.sequential.optional(),
    hooks: z.array(hook).describe('The hooks of the group, in order.'),
  })
  .meta({ id: 'geminiHookGroup', description: 'Hooks that share a matcher.' });

export const enabledField = z.boolean().default(true).describe('Whether hooks run at all.');
export const notificationsField = z.boolean().default(true).describe('Whether runs of hooks are shown in the chat.');
export const redactionFields = {
  enabled: z.boolean().default(false).describe('Whether variables that look secret are removed from the environment of hooks.'),
  allowed: z.array(z.string()).describe('Variables that are never removed.'),
  blocked: z.array(z.string()).describe('Variables that are always removed.'),
} as const;

export const geminiCliSettingsSchema = z.looseObject({
  $schema: z.string().optional().describe('URL of this schema, for editors. Ignored.'),
  hooksConfig: z
    .looseObject({
      enabled: enabledField.optional(),
      disabled: disabledField.optional(),
      notifications: notificationsField.optional(),
    })
    .optional()
    .describe('Settings for all hooks.'),
  security: z
    .looseObject({
      environmentVariableRedaction: z
        .looseObject({
          enabled: redactionFields.enabled.optional(),
          allowed: redactionFields.allowed.optional(),
          blocked: redactionFields.blocked.optional(),
        })
        .optional()
        .describe('Which environment variables hooks receive.'),
    })
    .optional()
    .describe('Security settings.'),
  hooks: z
    .strictObject(Object.fromEntries(geminiEventNames.map((name) => [name, groupsOfEvent(group, name, geminiEvent(name).subject)])))
    .optional()
    .describe('Hook groups by event.'),
});

/** Returns the JSON Schema of the settings file. A test compares this schema with the file in `schema/`. */
export function geminiCliSettingsJsonSchema(): Record<string, unknown> {
  return { title: 'Hooks in the settings of Gemini CLI', ...z.toJSONSchema(geminiCliSettingsSchema, { target: 'draft-07', io: 'input' }) };
}
