import * as z from '@tenterhook/runtime/schema';
import { type EventEntry, noEffects, observed, rewrite } from '../event-entry.js';
import { baseInputSchema, jsonObject, list, object, sampleCall, specific, text, toolCall, toolUseId } from '../event-fields.js';

/** Events of an agent that asks its user for permission. */
export const permissionEvents = {
  PermissionRequest: {
    when: 'before the user is asked whether a tool may run',
    sample: sampleCall,
    input: baseInputSchema.extend({
      ...toolCall,
      permission_suggestions: list.describe('Permission rules for future calls that the agent would offer to the user.'),
    }),
    specificOutput: z.looseObject({
      ...specific,
      tool_input: jsonObject.optional().describe('New values for arguments of the call. All other arguments stay.'),
      updatedPermissions: z.array(z.unknown()).optional().describe('Permission rules for future calls, for agents that store such rules.'),
    }),
    matcherField: 'tool_name',
    matcherExample: 'write_file',
    // The strategy `or-decision` was rejected. Without a deny or an ask it results in an allow, which would answer the question in
    // place of the user.
    strategy: 'field-replacement',
    may: { block: true, stop: true, inject: false },
    effects: {
      deny: "the user is not asked, and the tool does not run. The model reads the reason instead of the tool's result",
      stop: 'the tool does not run, and the agent loop ends',
    },
    rewrites: [
      rewrite('tool_input', 'updatedInput', 'replace', ['tool_input'], 'tool_input'),
      rewrite('tool_input', 'tool_input', 'merge'),
    ],
    rechecks: true,
  },
  PermissionDenied: {
    ...observed,
    when: 'after a tool call was not permitted',
    sample: { ...sampleCall, reason: 'Not in this folder.' },
    firedBy: 'host',
    input: baseInputSchema.extend({ ...toolCall, tool_use_id: toolUseId, reason: text.describe('Why the call was not permitted.') }),
    specificOutput: z.looseObject({
      ...specific,
      retry: z.boolean().optional().describe('true lets the agent tell the model that it may retry the call.'),
    }),
    matcherField: 'tool_name',
    matcherExample: 'write_file',
  },
} as const satisfies Record<string, EventEntry>;

const question = {
  mcp_server_name: z.string().describe('Name of the MCP server that asks the question.'),
  elicitation_id: text.describe('Id of the question.'),
  mode: text.describe('How the question is asked: form or url.'),
};

const answered = {
  firedBy: 'host',
  specificOutput: z.looseObject({
    ...specific,
    action: z.enum(['accept', 'decline', 'cancel']).optional().describe('The answer to the server. It replaces the answer of the user.'),
    content: jsonObject.optional().describe('The values of the form. They have an effect only with the action accept.'),
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
    sample: { mcp_server_name: 'github', message: 'Which repository?', requested_schema: { type: 'object' } },
    input: baseInputSchema.extend({
      ...question,
      message: text.describe('The question.'),
      url: text.describe('URL that the user should open.'),
      requested_schema: object.describe('JSON Schema of the answer.'),
    }),
    effects: { deny: 'the user is not asked, and the server receives a refusal', stop: noEffects.stop },
  },
  ElicitationResult: {
    ...answered,
    when: 'before the answer of the user goes to the MCP server',
    sample: { mcp_server_name: 'github', action: 'accept', content: { repository: 'notes' } },
    input: baseInputSchema.extend({
      ...question,
      action: text.describe('What the user did: accept, decline or cancel.'),
      content: object.describe('The values that the user entered in the form.'),
    }),
    effects: { deny: 'the server receives a refusal', stop: noEffects.stop },
  },
} as const satisfies Record<string, EventEntry>;
