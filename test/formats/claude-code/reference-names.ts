import { claudeCode } from '@tenterhook/dialects';
import { eventEntry } from '@tenterhook/protocol';
import { topFields } from '../../../packages/dialects/src/claude-code/answers/fields.js';
import { type ClaudeEvent, claudeEvents, factsOf } from '../../../packages/dialects/src/claude-code/input/event-table.js';
import { writeFields } from '../../../packages/dialects/src/claude-code/input/payload.js';
import { parseOptions } from '../../../packages/dialects/src/claude-code/options.js';
import { knownToolNames } from '../../../packages/dialects/src/claude-code/tools/tool-table.js';
import { type ReferenceNames, settingsFieldsOf, variablesOf } from '../reference-names.js';

const events = Object.keys(claudeEvents) as ClaudeEvent[];
const host = parseOptions({});

/** The fields that a hook reads on stdin, where the agent sends every field of the event. */
function inputOf(event: ClaudeEvent): string[] {
  const fields = Object.keys(eventEntry(factsOf(event).eventName).input.shape);
  return Object.keys(writeFields(Object.fromEntries(fields.map((field) => [field, 'x'])), event, host));
}

const pairs = (namesOf: (event: ClaudeEvent) => readonly string[]) =>
  events.flatMap((event) => namesOf(event).map((name) => `${event} ${name}`));

/** What the dialect of Claude Code knows. */
export const names: ReferenceNames = {
  Settings: settingsFieldsOf(claudeCode()),
  Events: events,
  Matching: pairs((event) => [factsOf(event).subject ?? [], factsOf(event).values ?? []].flat()),
  Input: ['session_id', 'transcript_path', 'cwd', 'permission_mode', 'hook_event_name', ...pairs(inputOf)],
  Tools: knownToolNames,
  Output: [...Object.keys(topFields), ...pairs((event) => factsOf(event).fields)],
  'Exit codes': events.filter((event) => factsOf(event).rejects !== undefined),
  Environment: variablesOf(claudeCode(), 'CLAUDE').filter((name) => name !== 'CLAUDE_CONFIG_DIR'),
};
