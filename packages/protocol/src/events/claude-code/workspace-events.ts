import * as z from 'zod';
import type { EventEntry } from '../event-entry.js';
import { baseInputSchema, envFile, specific, text, watchPaths } from '../event-fields.js';
import { noEffects, observed } from '../observed-event.js';

/** Folders and files that an agent works in. */
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
