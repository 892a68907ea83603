import { codex } from '@tenterhook/dialects';
import { universalFields } from '../../../packages/dialects/src/codex/answers/violations.js';
import { type CodexEvent, codexEventNames, factsOf } from '../../../packages/dialects/src/codex/input/event-table.js';
import { knownToolNames } from '../../../packages/dialects/src/codex/tools/tool-table.js';
import { type ReferenceNames, settingsFieldsOf, variablesOf } from '../reference-names.js';

const pairs = (namesOf: (event: CodexEvent) => readonly string[]) =>
  codexEventNames.flatMap((event) => namesOf(event).map((name) => `${event} ${name}`));

/** What the dialect of Codex knows. */
export const names: ReferenceNames = {
  Settings: settingsFieldsOf(codex()),
  Events: codexEventNames,
  Matching: pairs((event) => [factsOf(event).subject ?? []].flat()),
  Input: ['session_id', 'transcript_path', 'cwd', 'hook_event_name', ...pairs((event) => factsOf(event).input)],
  Tools: knownToolNames,
  Output: [...universalFields, ...pairs((event) => [...factsOf(event).top, ...(factsOf(event).specific ?? [])])],
  Environment: variablesOf(codex(), 'CODEX|PLUGIN|CLAUDE').filter((name) => name !== 'CODEX_HOME'),
};
