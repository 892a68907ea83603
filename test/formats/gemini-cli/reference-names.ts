import { geminiCli } from '@tenterhook/dialects';
import { hookOutputSchema } from '@tenterhook/protocol/internal';
import { geminiEvent, geminiEventNames } from '../../../packages/dialects/src/gemini-cli/input/event-table.js';
import { knownToolNames } from '../../../packages/dialects/src/gemini-cli/tools.js';
import { type ReferenceNames, settingsFieldsOf, variablesOf } from '../reference-names.js';

const pairs = (namesOf: (event: (typeof geminiEventNames)[number]) => readonly string[]) =>
  geminiEventNames.flatMap((event) => namesOf(event).map((name) => `${event} ${name}`));

/** What the dialect of Gemini CLI knows. */
export const names: ReferenceNames = {
  Settings: settingsFieldsOf(geminiCli()),
  Events: geminiEventNames,
  Matching: pairs((event) => [geminiEvent(event).subject ?? []].flat()),
  Input: ['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'timestamp', ...pairs((event) => geminiEvent(event).fields)],
  Tools: knownToolNames,
  Output: [...Object.keys(hookOutputSchema.shape), ...pairs((event) => geminiEvent(event).outputs)],
  Environment: variablesOf(geminiCli(), 'GEMINI|CLAUDE').filter((name) => name !== 'GEMINI_CLI_HOME'),
};
