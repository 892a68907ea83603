import { eventEntry } from '@tenterhook/protocol';
import * as z from '@tenterhook/runtime/schema';
import { groupsOfEvent } from '../../shared/settings/command-schema.js';
import { modeSchema, onErrorSchema, recheckSchema } from '../../shared/settings/hook-fields.js';
import { timeoutSchemaInSeconds } from '../../shared/settings/timeout-field.js';
import { type AntigravityEvent, antigravityEventNames, factsOf } from '../input/event-table.js';
import { subject } from '../matching/matcher.js';

/** The JSON Schema for editors is generated from this schema. */

const hook = z
  .looseObject({
    type: z.literal('command').optional().describe('The type of the hook: a command.'),
    command: z.string().min(1).describe('Shell command. It receives the event as one JSON object on stdin.'),
    timeout: timeoutSchemaInSeconds().optional(),
    onError: onErrorSchema.optional(),
    recheck: recheckSchema.optional(),
    mode: modeSchema.optional(),
  })
  .meta({ id: 'antigravityHook', description: 'A command that runs when the event happens.' });

const hookGroup = z
  .looseObject({
    matcher: z.string().optional().describe('Regular expression that may match anywhere in the name of the tool.'),
    hooks: z.array(hook).describe('The hooks of the group.'),
  })
  .meta({ id: 'antigravityHookGroup', description: 'Hooks that share a matcher.' });

const namedGroup = z
  .looseObject({
    enabled: z.boolean().optional().describe('false switches the hooks of the group off.'),
    ...Object.fromEntries(antigravityEventNames.map((event) => [event, hooksOf(event)])),
  })
  .meta({ id: 'antigravityNamedGroup', description: 'Hooks by event.' });

export const antigravitySettingsSchema = z.record(z.string(), namedGroup);

/** Returns the JSON Schema of the settings file. A test compares this schema with the file in `schema/`. */
export function antigravitySettingsJsonSchema(): Record<string, unknown> {
  return {
    title: 'Hooks in the settings of Antigravity',
    ...z.toJSONSchema(antigravitySettingsSchema, { target: 'draft-07', io: 'input' }),
  };
}

function hooksOf(event: AntigravityEvent) {
  const { eventName, ofTool } = factsOf(event);
  if (ofTool === true) return groupsOfEvent(hookGroup, eventName, subject);
  const when = eventEntry(eventName).when.replace(/ \(decision.*\)$/, '');
  return z.array(hook).optional().describe(`Hooks that run ${when}.`);
}
