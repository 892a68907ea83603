import * as z from 'zod';
import type { EventEntry } from '../event-entry.js';
import { baseInputSchema, jsonObject, object, specific, text } from '../event-fields.js';
import { noEffects } from '../observed-event.js';

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

/** Questions that an MCP server has for the user. */
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
