import * as z from 'zod';
import type { EventEntry } from '../event-entry.js';
import { baseInputSchema, count, flag, specific, suppressOriginalPrompt, text, withContext } from '../event-fields.js';
import { observed } from '../observed-event.js';

/** What happens between a prompt and the end of its answer. */
export const turnEvents = {
  PostToolBatch: {
    when: 'after all tool calls of one answer of the model have ended, before the next request',
    firedBy: 'host',
    input: baseInputSchema.extend({
      tool_calls: z.array(z.unknown()).describe('The calls, each { tool_name, tool_input, tool_use_id, tool_response }.'),
    }),
    specificOutput: z.looseObject(withContext("behind the tools' results")),
    strategy: 'field-replacement',
    may: { block: 'feedback', stop: true, inject: true },
    effects: {
      deny: 'the results stay, and the model reads the reason behind them',
      stop: 'the results stay, and the agent loop ends',
    },
    rewrites: [],
  },
  UserPromptExpansion: {
    when: 'when what the user typed is a command that becomes a prompt, before it does',
    firedBy: 'host',
    input: baseInputSchema.extend({
      command_name: z.string().describe('Name of the command.'),
      command_args: text.describe('What stands behind the name.'),
      command_source: text.describe('Where the command comes from.'),
      expansion_type: text.describe('slash_command, or mcp_prompt.'),
      prompt: text.describe('What the user sent.'),
    }),
    specificOutput: z.looseObject({ ...withContext('behind the prompt'), suppressOriginalPrompt }),
    strategy: 'field-replacement',
    may: { block: true, stop: true, inject: true },
    effects: {
      deny: 'the command is not carried out',
      stop: 'the command is not carried out, and the agent loop ends',
    },
    rewrites: [],
  },
  MessageDisplay: {
    ...observed,
    when: 'when a part of an answer is about to be shown to the user',
    firedBy: 'host',
    input: baseInputSchema.extend({
      message_id: z.string().describe('Id of the message that the part belongs to.'),
      delta: z.string().describe('The part.'),
      turn_id: text.describe('Id of the turn.'),
      index: count.describe('Its place among the parts of the message, from 0.'),
      final: flag.describe('Whether it is the last part.'),
    }),
    specificOutput: z.looseObject({
      ...specific,
      displayContent: z.string().optional().describe('What the user is shown in place of the part; the model has said what it said.'),
    }),
  },
  StopFailure: {
    ...observed,
    when: 'when a turn ends because the model could not be asked',
    firedBy: 'host',
    input: baseInputSchema.extend({
      error: z.string().describe('What failed, in a word: rate_limit, authentication_failed, server_error and others.'),
      error_details: text.describe('What is known of it.'),
      last_assistant_message: text.describe('What the agent had answered so far.'),
    }),
    matcherField: 'error',
    matcherExample: 'rate_limit',
  },
} as const satisfies Record<string, EventEntry>;
