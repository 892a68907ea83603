import * as z from '@tenterhook/runtime/schema';
import { type EventEntry, observed } from '../event-entry.js';
import { baseInputSchema, count, flag, list, specific, suppressOriginalPrompt, text, withContext } from '../event-fields.js';

/** Events between a prompt and the end of its answer. */
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

const subagent = {
  agent_type: z.string().describe('What kind of subagent it is.'),
  agent_id: text.describe('Id of the subagent.'),
};

const task = {
  task_id: z.string().describe('Id of the task.'),
  task_subject: text.describe('What is to be done, in a line.'),
  task_description: text.describe('The same at length.'),
  teammate_name: text.describe('Who the task is for.'),
  team_name: text.describe('The team.'),
};

/** The fields of events that a hook can only allow or deny. */
const heldUp = {
  firedBy: 'host',
  specificOutput: z.looseObject(specific),
  strategy: 'field-replacement',
  may: { block: true, stop: true, inject: false },
  rewrites: [],
} as const;

/** Events of agents that work for an agent, and of their tasks. */
export const subagentEvents = {
  SubagentStart: {
    ...observed,
    when: 'when a subagent starts',
    firedBy: 'host',
    input: baseInputSchema.extend(subagent),
    specificOutput: z.looseObject(withContext("at the beginning of the subagent's conversation")),
    matcherField: 'agent_type',
    matcherExample: 'explore',
    may: { block: false, stop: false, inject: true },
  },
  SubagentStop: {
    when: 'when the answer of a subagent is complete',
    firedBy: 'host',
    input: baseInputSchema.extend({
      ...subagent,
      stop_hook_active: flag.describe('Whether the subagent is already going on because a hook of this event denied.'),
      agent_transcript_path: text.describe('File that holds the transcript of the subagent.'),
      last_assistant_message: text.describe("The subagent's complete answer."),
      background_tasks: list.describe('What the subagent has left running.'),
      session_crons: list.describe('What is planned for later in the session.'),
    }),
    specificOutput: z.looseObject(withContext("behind the subagent's answer")),
    matcherField: 'agent_type',
    matcherExample: 'explore',
    strategy: 'field-replacement',
    may: { block: 'feedback', stop: true, inject: true },
    effects: {
      deny: 'the subagent goes on with the reason as its next prompt',
      stop: 'the subagent stops, also where another hook denies',
    },
    rewrites: [],
  },
  TaskCreated: {
    ...heldUp,
    when: 'when a task is about to be put on the list',
    input: baseInputSchema.extend(task),
    effects: { deny: 'the task is not created, and the model reads the reason', stop: 'the task is not created, and the agent loop ends' },
  },
  TaskCompleted: {
    ...heldUp,
    when: 'when a task is about to be marked as done',
    input: baseInputSchema.extend(task),
    effects: { deny: 'the task stays open, and the model reads the reason', stop: 'the task stays open, and the agent loop ends' },
  },
  TeammateIdle: {
    ...heldUp,
    when: 'when an agent of a team has nothing left to do',
    input: baseInputSchema.extend({
      teammate_name: z.string().describe('Which one.'),
      team_name: text.describe('The team.'),
    }),
    effects: {
      deny: 'the teammate goes on with the reason as its next prompt',
      stop: 'the teammate stops, also where another hook denies',
    },
  },
} as const satisfies Record<string, EventEntry>;
