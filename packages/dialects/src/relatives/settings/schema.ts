import * as z from '@tenterhook/runtime/schema';
import { groupsOfEvent } from '../../shared/settings/command-schema.js';
import { modeSchema, onErrorSchema, recheckSchema } from '../../shared/settings/hook-fields.js';
import { timeoutSchema, timeoutSchemaInSeconds } from '../../shared/settings/timeout-field.js';
import type { RelativeProduct } from '../product.js';

/** What the fields are that only some of the agents have. */
const ownFields: Readonly<Record<string, z.ZodType>> = {
  name: z.string().optional().describe('Name of the hook in results.'),
  description: z.string().optional().describe('What the hook is for; shown by "list".'),
  env: z.record(z.string(), z.string()).optional().describe('Environment variables of the hook; they override all others.'),
  async: z.boolean().optional().describe('Run the hook asynchronously. It cannot block or change anything.'),
  shell: z.enum(['bash', 'powershell']).optional().describe('The shell that runs the command.'),
  statusMessage: z.string().optional().describe('Text that is shown while the hook runs.'),
  metadata: z.looseObject({}).optional().describe('Further fields that the agent adds to stdin. Ignored by Tenterhook.'),
};

/** The schemas of each agent. They are built once, because the ids of their parts are unique. */
const built = new Map<string, z.ZodType>();

/** Returns the JSON Schema of an agent's settings file. A test compares this schema with the file in `schema/`. */
export function settingsJsonSchema(product: RelativeProduct): Record<string, unknown> {
  let schema = built.get(product.name);
  if (schema === undefined) {
    schema = settingsSchema(product);
    built.set(product.name, schema);
  }
  return { title: `Hooks in the settings of ${product.agent}`, ...z.toJSONSchema(schema, { target: 'draft-07', io: 'input' }) };
}

function settingsSchema(product: RelativeProduct): z.ZodType {
  const { version, hasSwitch, eventMaps } = product;
  const group = groupSchema(product);
  const events = Object.fromEntries(
    Object.entries(product.events).map(([event, { eventName, subject }]) => [event, groupsOfEvent(group, eventName, subject)]),
  );
  return z.looseObject({
    $schema: z.string().optional().describe('URL of this schema, for editors. Ignored.'),
    ...(version === undefined ? {} : { version: z.literal(version).optional().describe(`Version of the format: ${version}.`) }),
    ...(hasSwitch === undefined ? {} : { disableAllHooks: z.boolean().optional().describe('Switches all hooks off.') }),
    hooks: z.strictObject(events).optional().describe('Hook groups by event.'),
    ...(eventMaps === undefined ? {} : events),
  });
}

function groupSchema(product: RelativeProduct): z.ZodType {
  const { name, matcher, types, timeout, hookFields, loopLimit } = product;
  const common = {
    timeout: (timeout.unit === 's' ? timeoutSchemaInSeconds() : timeoutSchema(timeout.fallback)).optional(),
    onError: onErrorSchema.optional(),
    recheck: recheckSchema.optional(),
  };
  const command = z
    .looseObject({
      type: z.literal('command').optional().describe('The type of the hook: a command.'),
      command: z.string().min(1).describe('Shell command. It receives the event as one JSON object on stdin.'),
      mode: modeSchema.optional(),
      ...common,
      ...Object.fromEntries(hookFields.map((field) => [field, ownFields[field] ?? z.unknown()])),
    })
    .meta({ id: `${name}CommandHook`, description: 'A command that runs when the event happens.' });
  const prompt = z
    .looseObject({
      type: z.literal('prompt'),
      prompt: z.string().describe('Question to the model, which answers { ok, reason }. $ARGUMENTS is replaced by the event as JSON.'),
      model: z.string().optional().describe('The model that answers.'),
      ...common,
    })
    .meta({ id: `${name}PromptHook`, description: 'A model that judges the event.' });
  const limit = z
    .number()
    .optional()
    .describe(`How often in a row the group may make the agent continue. Default: ${loopLimit}. Only for Stop.`);
  return z
    .looseObject({
      matcher: z.string().optional().describe(matcherTexts[matcher]),
      ...(loopLimit === undefined ? {} : { loop_limit: limit }),
      hooks: z.array(types.includes('prompt') ? z.union([command, prompt]) : command).describe('The hooks of the group.'),
    })
    .meta({ id: `${name}HookGroup`, description: 'Hooks that share a matcher.' });
}

const matcherTexts = {
  names:
    'One name, or names separated by |, compared with the whole name. Anything else is a regular expression, which may match anywhere in the name.',
  pattern: 'Regular expression that may match anywhere in the name.',
} as const;
