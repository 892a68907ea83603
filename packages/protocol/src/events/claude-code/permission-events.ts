import * as z from 'zod';
import { type EventEntry, rewrite } from '../event-entry.js';
import { baseInputSchema, jsonObject, list, specific, text, toolCall, toolUseId } from '../event-fields.js';
import { observed } from '../observed-event.js';

/** The prompt by which an agent asks its user for a permission. */
export const permissionEvents = {
  PermissionRequest: {
    when: 'before the user is asked whether a tool may run',
    input: baseInputSchema.extend({
      ...toolCall,
      permission_suggestions: list.describe('Rules that the user would be offered for the time to come.'),
    }),
    specificOutput: z.looseObject({
      ...specific,
      tool_input: jsonObject.optional().describe('Arguments that are laid over those of the call: its keys replace, other keys stay.'),
      updatedPermissions: z.array(z.unknown()).optional().describe('Rules for the time to come, for agents that keep some.'),
    }),
    matcherField: 'tool_name',
    matcherExample: 'write_file',
    // Not or-decision, by which silence reads as an allow: here that would answer for the user.
    strategy: 'field-replacement',
    may: { block: true, stop: true, inject: false },
    effects: {
      deny: 'the user is not asked and the tool does not run; the model reads the reason as its result',
      stop: 'the tool does not run, and the agent loop ends',
    },
    rewrites: [
      rewrite('tool_input', 'updatedInput', 'replace', ['tool_input'], 'tool_input'),
      rewrite('tool_input', 'tool_input', 'merge'),
    ],
  },
  PermissionDenied: {
    ...observed,
    when: 'when a tool call was not permitted',
    firedBy: 'host',
    input: baseInputSchema.extend({ ...toolCall, tool_use_id: toolUseId, reason: text.describe('Why it was not.') }),
    specificOutput: z.looseObject({
      ...specific,
      retry: z.boolean().optional().describe('true: the model is told that it may try the call again.'),
    }),
    matcherField: 'tool_name',
    matcherExample: 'write_file',
  },
} as const satisfies Record<string, EventEntry>;
