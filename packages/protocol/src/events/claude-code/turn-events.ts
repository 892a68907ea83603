import * as z from '@tenterhook/runtime/schema';
import { type EventEntry, observed } from '../event-entry.js';
import { baseInputSchema, count, flag, list, sampleCall, specific, suppressOriginalPrompt, text, withContext } from '../event-fields.js';

/** Events between a prompt and the end of the answer. */
export const turnEvents = {
  PostToolBatch: {
    when: 'after all tool calls of one model answer have ended, before the next request',
    sample: { tool_calls: [{ ...sampleCall, tool_use_id: 'c1', tool_response: { llmContent: 'Wrote notes.md.' } }] },
    firedBy: 'host',
    input: baseInputSchema.extend({
      tool_calls: z.array(z.unknown()).describe('The calls, each { tool_name, tool_input, tool_use_id, tool_response }.'),
    }),
    specificOutput: z.looseObject(withContext("after the tools' results")),
    strategy: 'field-replacement',
    may: { block: 'feedback', stop: true, inject: true },
    effects: {
      deny: 'the results stay, and the model reads the reason after them',
      stop: 'the results stay, and the agent loop ends',
    },
    rewrites: [],
  },
  UserPromptExpansion: {
    when: 'before a command that the user typed is expanded to a prompt',
    sample: { command_name: 'review', command_args: 'notes.md', expansion_type: 'slash_command', prompt: '/review notes.md' },
    firedBy: 'host',
    input: baseInputSchema.extend({
      command_name: z.string().describe('Name of the command.'),
      command_args: text.describe('Text after the name of the command.'),
      command_source: text.describe('Where the command comes from.'),
      expansion_type: text.describe('slash_command or mcp_prompt.'),
      prompt: text.describe('What the user sent.'),
    }),
    specificOutput: z.looseObject({ ...withContext('after the prompt'), suppressOriginalPrompt }),
    matcherField: 'command_name',
    matcherExample: 'review',
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
    when: 'before a part of an answer is shown to the user',
    sample: { message_id: 'm1', turn_id: 't1', index: 0, final: true, delta: 'Done.' },
    firedBy: 'host',
    input: baseInputSchema.extend({
      message_id: z.string().describe('Id of the message that contains the part.'),
      delta: z.string().describe('Text of the part.'),
      turn_id: text.describe('Id of the turn.'),
      index: count.describe('Index of the part in the message, from 0.'),
      final: flag.describe('Whether this is the last part of the message.'),
    }),
    specificOutput: z.looseObject({
      ...specific,
      displayContent: z.string().optional().describe('Text to show to the user instead of the part. The answer itself does not change.'),
    }),
  },
  StopFailure: {
    ...observed,
    when: 'when a turn ends because the request to the model failed',
    sample: { error: 'rate_limit', error_details: 'Try again in a minute.' },
    firedBy: 'host',
    input: baseInputSchema.extend({
      error: z.string().describe('Type of the error: rate_limit, authentication_failed, server_error and others.'),
      error_details: text.describe('More about the error.'),
      last_assistant_message: text.describe('The answer of the agent so far.'),
    }),
    matcherField: 'error',
    matcherExample: 'rate_limit',
  },
} as const satisfies Record<string, EventEntry>;

const subagent = {
  agent_type: z.string().describe('Type of the subagent.'),
  agent_id: text.describe('Id of the subagent.'),
};

const task = {
  task_id: z.string().describe('Id of the task.'),
  task_subject: text.describe('The task in one line.'),
  task_description: text.describe('The task in full.'),
  teammate_name: text.describe('Name of the teammate that the task is for.'),
  team_name: text.describe('Name of the team.'),
};

/** The fields of events on which a hook can only deny or allow the operation. */
const heldUp = {
  firedBy: 'host',
  specificOutput: z.looseObject(specific),
  strategy: 'field-replacement',
  may: { block: true, stop: true, inject: false },
  rewrites: [],
} as const;

/** Events of subagents and teammates, and of their tasks. */
export const subagentEvents = {
  SubagentStart: {
    ...observed,
    when: 'when a subagent starts',
    sample: { agent_id: 'a1', agent_type: 'explore' },
    firedBy: 'host',
    input: baseInputSchema.extend(subagent),
    specificOutput: z.looseObject(withContext("at the start of the subagent's conversation")),
    matcherField: 'agent_type',
    matcherExample: 'explore',
    may: { block: false, stop: false, inject: true },
  },
  SubagentStop: {
    when: 'when the answer of a subagent is complete',
    sample: { agent_id: 'a1', agent_type: 'explore', stop_hook_active: false, last_assistant_message: 'Found it.' },
    firedBy: 'host',
    input: baseInputSchema.extend({
      ...subagent,
      stop_hook_active: flag.describe('Whether a hook of this event denied the previous answer of the subagent, so that it continued.'),
      agent_transcript_path: text.describe('File that holds the transcript of the subagent.'),
      last_assistant_message: text.describe("The subagent's complete answer."),
      background_tasks: list.describe('Background tasks that the subagent left running.'),
      session_crons: list.describe('Tasks scheduled for later in the session.'),
    }),
    specificOutput: z.looseObject(withContext("after the subagent's answer")),
    matcherField: 'agent_type',
    matcherExample: 'explore',
    strategy: 'field-replacement',
    may: { block: 'feedback', stop: true, inject: true },
    effects: {
      deny: 'the subagent continues with the reason as its next prompt',
      stop: 'the subagent stops, even if another hook denies',
    },
    rewrites: [],
  },
  TaskCreated: {
    ...heldUp,
    when: 'before a task is created',
    sample: { task_id: '7', task_subject: 'Tidy up the notes' },
    input: baseInputSchema.extend(task),
    effects: { deny: 'the task is not created, and the model reads the reason', stop: 'the task is not created, and the agent loop ends' },
  },
  TaskCompleted: {
    ...heldUp,
    when: 'before a task is marked as done',
    sample: { task_id: '7', task_subject: 'Tidy up the notes' },
    input: baseInputSchema.extend(task),
    effects: { deny: 'the task stays open, and the model reads the reason', stop: 'the task stays open, and the agent loop ends' },
  },
  TeammateIdle: {
    ...heldUp,
    when: 'before a teammate goes idle',
    sample: { teammate_name: 'ada', team_name: 'notes' },
    input: baseInputSchema.extend({
      teammate_name: z.string().describe('Name of the teammate.'),
      team_name: text.describe('Name of the team.'),
    }),
    effects: {
      deny: 'the teammate continues with the reason as its next prompt',
      stop: 'the teammate stops, even if another hook denies',
    },
  },
} as const satisfies Record<string, EventEntry>;
