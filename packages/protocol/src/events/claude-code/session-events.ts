import * as z from 'zod';
import type { EventEntry } from '../event-entry.js';
import { baseInputSchema, envFile, list, specific, text, withContext } from '../event-fields.js';
import { noEffects, observed } from '../observed-event.js';

/** What befalls a session as a whole: its history, its settings, its instructions. */
export const sessionEvents = {
  PostCompress: {
    ...observed,
    when: 'after the history was compressed',
    input: baseInputSchema.extend({
      trigger: z.enum(['manual', 'auto']).describe('Who asked for it: the user, or the agent itself.'),
      compact_summary: text.describe('What stands in the place of the history now.'),
    }),
    matcherField: 'trigger',
    matcherExample: 'manual',
  },
  Setup: {
    ...observed,
    when: 'when the agent prepares a project, or looks after it, and no session runs',
    firedBy: 'host',
    input: baseInputSchema.extend({
      trigger: z.string().describe('Why: init, or maintenance.'),
      env_file: envFile,
    }),
    specificOutput: z.looseObject(withContext('at the beginning of the next conversation')),
    matcherField: 'trigger',
    matcherExample: 'init',
    may: { block: false, stop: false, inject: true },
  },
  ConfigChange: {
    when: 'when settings have changed and are about to count',
    firedBy: 'host',
    input: baseInputSchema.extend({
      source: z.string().describe('Whose settings: user_settings, project_settings, local_settings, policy_settings, skills and others.'),
      file_path: text.describe('The file that has changed.'),
    }),
    specificOutput: z.looseObject(specific),
    strategy: 'field-replacement',
    may: { block: true, stop: false, inject: false },
    effects: { deny: "the change does not count, unless it is an administrator's", stop: noEffects.stop },
    rewrites: [],
  },
  InstructionsLoaded: {
    ...observed,
    when: 'when a file of instructions was read into the conversation',
    firedBy: 'host',
    input: baseInputSchema.extend({
      file_path: z.string().describe('The file.'),
      memory_type: text.describe('Whose instructions they are.'),
      load_reason: text.describe('Why it was read now.'),
      globs: list.describe('The paths that the instructions are for.'),
      trigger_file_path: text.describe('The file whose use made the agent read it.'),
      parent_file_path: text.describe('The file of instructions that names it.'),
    }),
  },
} as const satisfies Record<string, EventEntry>;
