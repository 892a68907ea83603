import { eventEntry, type HookEventName } from '@tenterhook/protocol';
import * as z from '@tenterhook/runtime/schema';
import { onErrorSchema } from './hook-fields.js';
import { timeoutSchema } from './timeout-field.js';

/** The schemas of the fields of a command hook. */
export function commandFields(defaultTimeoutMs: number) {
  return {
    command: z
      .string()
      .min(1)
      .describe('Shell command. The event arrives as one JSON object on stdin; ~ and $VARIABLES are expanded by the shell.'),
    timeout: timeoutSchema(defaultTimeoutMs),
    name: z.string().min(1).describe('Identity of the hook in results, in hooksConfig.disabled and among duplicates.'),
    description: z.string().describe('What the hook is for; shown by "list".'),
    env: z.record(z.string(), z.string()).describe('Environment variables, added last.'),
    onError: onErrorSchema,
  } as const;
}

export const sequentialSchema = z
  .boolean()
  .default(false)
  .describe('Run all hooks of the event one after another, each seeing what the one before rewrote.');

/** The groups of an event under "hooks". `subject`: the field that a matcher is tested against. */
export function groupsOfEvent(group: z.ZodType, eventName: HookEventName, subject: string | undefined) {
  const matcher = subject === undefined ? 'A matcher has nothing to look at here.' : `A matcher looks at ${subject}.`;
  // The catalogue cites decisions, which are of no use to users who write settings.
  return z
    .array(group)
    .optional()
    .describe(`Hook groups that run ${eventEntry(eventName).when.replace(/ \(decision.*\)$/, '')}. ${matcher}`);
}
