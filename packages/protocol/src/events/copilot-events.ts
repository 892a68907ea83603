import * as z from '@tenterhook/runtime/schema';
import { type EventEntry, observed } from './event-entry.js';
import { baseInputSchema, flag, object, text } from './event-fields.js';

/** Events that only Copilot's format has. */
export const copilotEvents = {
  UserPromptTransformed: {
    ...observed,
    when: 'after the agent has rewritten the prompt of the user for the model',
    sample: { prompt: 'Tidy up the notes.', transformed_prompt: 'Tidy up the notes in /srv/app.' },
    firedBy: 'host',
    input: baseInputSchema.extend({
      prompt: z.string().describe('What the user sent.'),
      transformed_prompt: text.describe('What the model receives.'),
    }),
  },
  ErrorOccurred: {
    ...observed,
    when: 'after an error of the agent',
    sample: { error: { message: 'rate limit', name: 'Error' }, error_context: 'model_call', recoverable: true },
    firedBy: 'host',
    input: baseInputSchema.extend({
      error: object.describe('The error: `message`, `name`, and perhaps `stack`.'),
      error_context: text.describe('Where it happened: model_call, tool_execution, system or user_input.'),
      recoverable: flag.describe('Whether the agent continues.'),
    }),
  },
  PostResult: { ...observed, when: 'after the agent has returned its result', sample: {}, firedBy: 'host', input: baseInputSchema },
  PrePRDescription: {
    ...observed,
    when: 'before the agent describes a pull request',
    sample: {},
    firedBy: 'host',
    input: baseInputSchema,
  },
} as const satisfies Record<string, EventEntry>;
