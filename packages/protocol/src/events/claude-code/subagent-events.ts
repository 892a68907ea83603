import * as z from 'zod';
import type { EventEntry } from '../event-entry.js';
import { baseInputSchema, flag, list, specific, text, withContext } from '../event-fields.js';
import { observed } from '../observed-event.js';

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

/** What may be held up, and says nothing else than yes or no. */
const heldUp = {
  firedBy: 'host',
  specificOutput: z.looseObject(specific),
  strategy: 'field-replacement',
  may: { block: true, stop: true, inject: false },
  rewrites: [],
} as const;

/** Agents that work for an agent, and what they work on. */
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
