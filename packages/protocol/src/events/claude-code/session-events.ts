import * as z from '@tenterhook/runtime/schema';
import { type EventEntry, noEffects, observed } from '../event-entry.js';
import {
  baseInputSchema,
  compressTriggers,
  count,
  envFile,
  flag,
  list,
  object,
  specific,
  text,
  watchPaths,
  withContext,
} from '../event-fields.js';

/** Events of a whole session: its history, settings and instructions. */
export const sessionEvents = {
  PostCompress: {
    ...observed,
    when: 'after the history was compressed',
    sample: { trigger: 'manual', compact_summary: 'The notes are tidy.' },
    input: baseInputSchema.extend({
      trigger: z.enum(compressTriggers).describe('What started the compression: the user or the agent itself.'),
      compact_summary: text.describe('The summary that replaces the history.'),
    }),
    matcherField: 'trigger',
    matcherValues: compressTriggers,
    matcherExample: 'manual',
  },
  Setup: {
    ...observed,
    when: 'when the agent sets up or maintains a project outside a session',
    sample: { trigger: 'init' },
    firedBy: 'host',
    input: baseInputSchema.extend({
      trigger: z.string().describe('Why the event fires: init or maintenance.'),
      env_file: envFile,
    }),
    specificOutput: z.looseObject(withContext('at the start of the next conversation')),
    matcherField: 'trigger',
    matcherExample: 'init',
    may: { block: false, stop: false, inject: true },
  },
  ConfigChange: {
    when: 'when settings have changed, before the change takes effect',
    sample: { source: 'project_settings', file_path: '/srv/app/settings.json' },
    firedBy: 'host',
    input: baseInputSchema.extend({
      source: z
        .string()
        .describe('Which settings have changed: user_settings, project_settings, local_settings, policy_settings, skills and others.'),
      file_path: text.describe('The file that has changed.'),
    }),
    specificOutput: z.looseObject(specific),
    matcherField: 'source',
    matcherExample: 'project_settings',
    strategy: 'field-replacement',
    may: { block: true, stop: false, inject: false },
    effects: { deny: 'the change does not take effect, unless an administrator made it', stop: noEffects.stop },
    rewrites: [],
  },
  InstructionsLoaded: {
    ...observed,
    when: 'after an instructions file was read into the conversation',
    sample: { file_path: '/srv/app/AGENTS.md', memory_type: 'Project', load_reason: 'session_start' },
    firedBy: 'host',
    input: baseInputSchema.extend({
      file_path: z.string().describe('Path of the instructions file.'),
      memory_type: text.describe('Owner of the instructions.'),
      load_reason: text.describe('Why the file was read now: session_start, nested_traversal, path_glob_match, include or compact.'),
      globs: list.describe('Path patterns that the instructions apply to.'),
      trigger_file_path: text.describe('The file whose use made the agent read the instructions.'),
      parent_file_path: text.describe('The instructions file that refers to this file.'),
    }),
    matcherField: 'load_reason',
    matcherExample: 'session_start',
  },
} as const satisfies Record<string, EventEntry>;

/** Events of the folders and files of the agent's workspace. */
export const workspaceEvents = {
  CwdChanged: {
    ...observed,
    when: 'after the working directory of the session has changed',
    sample: { old_cwd: '/srv', new_cwd: '/srv/app' },
    firedBy: 'host',
    input: baseInputSchema.extend({
      new_cwd: z.string().describe('The new working directory.'),
      old_cwd: text.describe('The previous working directory.'),
      env_file: envFile,
    }),
    specificOutput: z.looseObject({ ...specific, watchPaths }),
  },
  DirectoryAdded: {
    ...observed,
    when: 'after a folder was added to the workspace of the agent',
    sample: { directory: '/srv/lib', source: 'slash_command' },
    firedBy: 'host',
    input: baseInputSchema.extend({
      directory: z.string().describe('Path of the folder.'),
      source: text.describe('What added the folder: slash_command or register_repo_root.'),
    }),
    matcherField: 'source',
    matcherExample: 'slash_command',
  },
  FileChanged: {
    ...observed,
    when: 'after a file that hooks asked to watch has changed on disk',
    sample: { file_path: '/srv/app/.env', event: 'change' },
    firedBy: 'host',
    input: baseInputSchema.extend({
      file_path: z.string().describe('Absolute path of the file.'),
      event: text.describe('What happened to the file: change, add or unlink.'),
      env_file: envFile,
    }),
    specificOutput: z.looseObject({ ...specific, watchPaths }),
    matcherField: 'file_path',
    matcherExample: '.env',
  },
  WorktreeCreate: {
    when: 'before a worktree is created for a session or a subagent',
    sample: { name: 'fix-7' },
    firedBy: 'host',
    input: baseInputSchema.extend({ name: z.string().describe('Name of the worktree.') }),
    specificOutput: z.looseObject({
      ...specific,
      worktreePath: z
        .string()
        .optional()
        .describe('Absolute path of a worktree that the hook has created. If it is set, the agent does not create a worktree.'),
    }),
    strategy: 'field-replacement',
    may: { block: true, stop: false, inject: false },
    effects: { deny: 'no worktree is created, and the session or subagent that needs it does not start', stop: noEffects.stop },
    rewrites: [],
  },
  WorktreeRemove: {
    ...observed,
    when: 'before a worktree is removed',
    sample: { worktree_path: '/srv/fix-7' },
    firedBy: 'host',
    input: baseInputSchema.extend({ worktree_path: z.string().describe('Path of the worktree.') }),
  },
} as const satisfies Record<string, EventEntry>;

const modelSwitch = {
  to_model: z.string().describe('The new model of the session.'),
  from_model: text.describe('The previous model.'),
  requested_model: text.describe('The requested model, as the user wrote it.'),
  source: text.describe('What requested the switch: command, picker or sdk. PostModelSwitch also has auto and resume.'),
  context_tokens: count.describe('Number of tokens of the conversation.'),
  prompt_cache_warm: flag.describe('Whether the previous model has the conversation in its cache and the new one does not.'),
  cache_ttl: text.describe('Lifetime of the cache: 5m or 1h.'),
  estimated_cache_write_usd: count.describe('What it costs, in US dollars, if the new model reads the whole conversation.'),
  pricing: object.describe('Prices of the models.'),
};

/** Events of a switch from one model to another within a session. */
export const modelSwitchEvents = {
  PreModelSwitch: {
    when: 'before the session switches to another model',
    sample: { from_model: 'small', to_model: 'large', source: 'command' },
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
    when: 'after the session has switched to another model',
    sample: { from_model: 'small', to_model: 'large', source: 'command' },
    firedBy: 'host',
    input: baseInputSchema.extend(modelSwitch),
    specificOutput: z.looseObject(withContext('at the end of the conversation')),
    may: { block: false, stop: false, inject: true },
  },
} as const satisfies Record<string, EventEntry>;
