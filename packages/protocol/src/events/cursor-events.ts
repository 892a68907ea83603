import * as z from '@tenterhook/runtime/schema';
import { type EventEntry, noEffects, observed } from './event-entry.js';
import { baseInputSchema, count, list, specific, text } from './event-fields.js';

const file = { file_path: z.string().describe('Path of the file.') };

/** Events that only Cursor's format has. */
export const cursorEvents = {
  AfterAgentThought: {
    ...observed,
    when: 'after the model has completed a thought',
    sample: { text: 'The notes are in two folders.', duration_ms: 900 },
    firedBy: 'host',
    input: baseInputSchema.extend({
      text: z.string().describe('The thought.'),
      duration_ms: count.describe('How long the thought took, in milliseconds.'),
    }),
  },
  BeforeTabFileRead: {
    when: 'before a file is read to complete what the user types',
    sample: { file_path: '/srv/app/notes.md', content: 'hello' },
    firedBy: 'host',
    input: baseInputSchema.extend({ ...file, content: text.describe('The content of the file.') }),
    specificOutput: z.looseObject(specific),
    strategy: 'field-replacement',
    may: { block: true, stop: false, inject: false },
    effects: { deny: 'the file is not read', stop: noEffects.stop },
    rewrites: [],
  },
  AfterTabFileEdit: {
    ...observed,
    when: 'after a completion of what the user types has changed a file',
    sample: { file_path: '/srv/app/notes.md', edits: [{ old_string: 'a', new_string: 'b' }] },
    firedBy: 'host',
    input: baseInputSchema.extend({ ...file, edits: list.describe('The changes, each with `old_string` and `new_string`.') }),
  },
  WorkspaceOpen: {
    ...observed,
    when: 'when a workspace is opened',
    sample: {},
    firedBy: 'host',
    input: baseInputSchema,
    specificOutput: z.looseObject({
      ...specific,
      pluginPaths: z.array(z.string()).optional().describe('Paths of plugins to load.'),
    }),
  },
} as const satisfies Record<string, EventEntry>;
