import { eventEntry, type HookEventName } from '@tenterhook/protocol';
import * as z from '@tenterhook/runtime/schema';
import { modeSchema, onErrorSchema, recheckSchema } from './hook-fields.js';
import { timeoutSchema } from './timeout-field.js';

export function commandFields(defaultTimeoutMs: number) {
  return {
    command: z
      .string()
      .min(1)
      .describe('Shell command. It receives the event as one JSON object on stdin; the shell expands ~ and $VARIABLES.'),
    timeout: timeoutSchema(defaultTimeoutMs),
    name: z
      .string()
      .min(1)
      .describe('Name of the hook in results and in hooksConfig.disabled. Hooks with different names are not duplicates.'),
    description: z.string().describe('What the hook is for; shown by "list".'),
    env: z.record(z.string(), z.string()).describe('Environment variables of the hook; they override all others.'),
    onError: onErrorSchema,
    recheck: recheckSchema,
    mode: modeSchema,
  } as const;
}

export const sequentialSchema = z
  .boolean()
  .default(false)
  .describe('Run all hooks of the event one after another. Each hook receives the data as the previous hook rewrote them.');

/** Returns the schema of an event's groups under "hooks". `subject` is the field that a matcher is compared with. */
export function groupsOfEvent(group: z.ZodType, eventName: HookEventName, subject: string | undefined) {
  const matcher = subject === undefined ? 'The matcher is ignored.' : `The matcher is compared with ${subject}.`;
  // The numbers of decisions in the catalogue's text do not help users who write settings, so they are removed.
  return z
    .array(group)
    .optional()
    .describe(`Hook groups that run ${eventEntry(eventName).when.replace(/ \(decision.*\)$/, '')}. ${matcher}`);
}
