import * as z from '@tenterhook/runtime/schema';
import { type EventEntry, noEffects, observed, rewrite } from '../event-entry.js';
import { baseInputSchema, jsonObject, list, object, specific, text, toolCall, toolUseId } from '../event-fields.js';

/** Events of an agent that asks its user for a permission. */
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

const question = {
  mcp_server_name: z.string().describe('Name of the MCP server that asks.'),
  elicitation_id: text.describe('Id of the question.'),
  mode: text.describe('How it is asked: form, or url.'),
};

const answered = {
  firedBy: 'host',
  specificOutput: z.looseObject({
    ...specific,
    action: z.enum(['accept', 'decline', 'cancel']).optional().describe("The answer, in place of the user's."),
    content: jsonObject.optional().describe('What was filled in; counts with the action accept.'),
  }),
  matcherField: 'mcp_server_name',
  matcherExample: 'github',
  strategy: 'field-replacement',
  may: { block: true, stop: false, inject: false },
  rewrites: [],
} as const;

/** Events of an MCP server that asks the user a question. */
export const elicitationEvents = {
  Elicitation: {
    ...answered,
    when: 'before a question of an MCP server is put to the user',
    input: baseInputSchema.extend({
      ...question,
      message: text.describe('The question.'),
      url: text.describe('Where the user is sent.'),
      requested_schema: object.describe('JSON Schema of the answer.'),
    }),
    effects: { deny: 'the user is not asked, and the server is told that the answer is no', stop: noEffects.stop },
  },
  ElicitationResult: {
    ...answered,
    when: 'before the answer of the user goes to the MCP server',
    input: baseInputSchema.extend({
      ...question,
      action: text.describe('What the user did: accept, decline, or cancel.'),
      content: object.describe('What the user filled in.'),
    }),
    effects: { deny: 'the server is told that the answer is no', stop: noEffects.stop },
  },
} as const satisfies Record<string, EventEntry>;
