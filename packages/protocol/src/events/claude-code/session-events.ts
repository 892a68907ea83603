import * as z from '@tenterhook/runtime/schema';
import { type EventEntry, noEffects, observed } from '../event-entry.js';
import { baseInputSchema, count, envFile, flag, list, object, specific, text, watchPaths, withContext } from '../event-fields.js';

/** Events of a session as a whole: its history, its settings, its instructions. */
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

/** Events of the folders and files that an agent works in. */
export const workspaceEvents = {
  CwdChanged: {
    ...observed,
    when: 'when the working directory of the session has changed',
    firedBy: 'host',
    input: baseInputSchema.extend({
      new_cwd: z.string().describe('The working directory now.'),
      old_cwd: text.describe('The one before.'),
      env_file: envFile,
    }),
    specificOutput: z.looseObject({ ...specific, watchPaths }),
  },
  DirectoryAdded: {
    ...observed,
    when: 'when a folder was added to those that the agent works in',
    firedBy: 'host',
    input: baseInputSchema.extend({
      directory: z.string().describe('The folder.'),
      source: text.describe('Who added it.'),
    }),
  },
  FileChanged: {
    ...observed,
    when: 'when a file that hooks wanted watched has changed on the disk',
    firedBy: 'host',
    input: baseInputSchema.extend({
      file_path: z.string().describe('The file, absolute.'),
      event: text.describe('What became of it: change, add, or unlink.'),
      env_file: envFile,
    }),
    specificOutput: z.looseObject({ ...specific, watchPaths }),
    matcherField: 'file_path',
    matcherExample: '.env',
  },
  WorktreeCreate: {
    when: 'when a worktree is to be made for a session or a subagent',
    firedBy: 'host',
    input: baseInputSchema.extend({ name: z.string().describe('Name of the worktree.') }),
    specificOutput: z.looseObject({
      ...specific,
      worktreePath: z.string().optional().describe('Where the hook has made it, absolute: the agent makes none of its own.'),
    }),
    strategy: 'field-replacement',
    may: { block: true, stop: false, inject: false },
    effects: { deny: 'there is no worktree, and what needs it does not start', stop: noEffects.stop },
    rewrites: [],
  },
  WorktreeRemove: {
    ...observed,
    when: 'when a worktree is to be removed',
    firedBy: 'host',
    input: baseInputSchema.extend({ worktree_path: z.string().describe('Where it is.') }),
  },
} as const satisfies Record<string, EventEntry>;

const modelSwitch = {
  to_model: z.string().describe('The model that the session goes on with.'),
  from_model: text.describe('The one before.'),
  requested_model: text.describe('What was asked for, as it was written.'),
  source: text.describe('Who asked: command, picker, sdk; after the switch also auto and resume.'),
  context_tokens: count.describe('Tokens of the conversation.'),
  prompt_cache_warm: flag.describe("Whether the conversation is in the cache of the model before, and not in the next one's."),
  cache_ttl: text.describe('How long it stays there: 5m or 1h.'),
  estimated_cache_write_usd: count.describe('What it costs to read the conversation anew, in US dollars.'),
  pricing: object.describe('What the models cost.'),
};

/** Events of a switch from one model to another within a session. */
export const modelSwitchEvents = {
  PreModelSwitch: {
    when: 'before the session goes on with another model',
    firedBy: 'host',
    input: baseInputSchema.extend(modelSwitch),
    specificOutput: z.looseObject(specific),
    strategy: 'field-replacement',
    may: { block: true, stop: false, inject: false },
    effects: { deny: 'the session keeps its model', stop: noEffects.stop },
    rewrites: [],
  },
  PostModelSwitch: {
    ...observed,
    when: 'after the session went on with another model',
    firedBy: 'host',
    input: baseInputSchema.extend(modelSwitch),
    specificOutput: z.looseObject(withContext('behind the conversation so far')),
    may: { block: false, stop: false, inject: true },
  },
} as const satisfies Record<string, EventEntry>;
