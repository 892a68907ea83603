import * as z from '@tenterhook/runtime/schema';
import { modeSchema, onErrorSchema, recheckSchema } from '../../shared/settings/hook-fields.js';
import { timeoutSchema } from '../../shared/settings/timeout-field.js';
import { ecaEvents } from '../input/event-table.js';

/** The part of ECA's settings that concerns hooks. The JSON Schema for editors is generated from it. */

export const defaultTimeoutMs = 30_000;

export const actionFields = {
  type: z.literal('shell').describe('The type of the action. "shell" is the only type.'),
  shell: z.string().min(1).describe('Shell command. It receives the event as one JSON object on stdin.'),
  file: z
    .string()
    .min(1)
    .describe('Script to run instead of a command; a relative path is looked up in the folder of this file, then in the workspace.'),
  timeout: timeoutSchema(defaultTimeoutMs),
} as const;

const selector = z
  .looseObject({
    argsMatchers: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .describe(
        'For each argument, regular expressions that must match its whole value. One of an argument is enough; all arguments must match.',
      ),
  })
  .meta({ id: 'ecaSelector', description: 'What the calls of a tool must look like. The key is a tool or a server.' });

export const hookFields = {
  type: z.enum(Object.keys(ecaEvents) as [string, ...string[]]).describe('When the hook runs.'),
  actions: z.array(z.unknown()),
  matcher: z
    .union([z.string(), z.record(z.string(), selector)])
    .describe(
      'For tool calls: a regular expression that must match the whole of server__tool, or an object with selectors of tools. For compactions: manual or auto. Default: every time.',
    ),
  description: z.string().describe('What the hook does, for people. Ignored.'),
  visible: z.boolean().default(true).describe('Whether runs of the hook are shown in the chat.'),
  runOnError: z.boolean().default(false).describe('Whether a postToolCall hook runs when the tool failed.'),
  onError: onErrorSchema,
  recheck: recheckSchema,
  mode: modeSchema,
} as const;

const action = z
  .looseObject({
    type: actionFields.type.optional(),
    shell: actionFields.shell.optional(),
    file: actionFields.file.optional(),
    timeout: actionFields.timeout.optional(),
  })
  .meta({ id: 'ecaAction', description: 'An action: a command or a script, not both.' });

const hook = z
  .looseObject({
    type: hookFields.type,
    actions: z.array(action).min(1).describe('The actions of the hook; they run one after another.'),
    matcher: hookFields.matcher.optional(),
    description: hookFields.description.optional(),
    visible: hookFields.visible.optional(),
    runOnError: hookFields.runOnError.optional(),
    onError: hookFields.onError.optional(),
    recheck: hookFields.recheck.optional(),
    mode: hookFields.mode.optional(),
  })
  .meta({ id: 'ecaHook', description: 'A hook; hooks of one type run in the order of their keys.' });

export const ecaSettingsSchema = z.looseObject({
  $schema: z.string().optional().describe('URL of this schema, for editors. Ignored.'),
  hooks: z.record(z.string(), hook).optional().describe('Hooks by key.'),
});

/** Returns the JSON Schema of the settings file. A test compares this schema with the file in `schema/`. */
export function ecaSettingsJsonSchema(): Record<string, unknown> {
  return { title: 'Hooks in the settings of ECA', ...z.toJSONSchema(ecaSettingsSchema, { target: 'draft-07', io: 'input' }) };
}
