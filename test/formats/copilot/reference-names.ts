import { copilot } from '@tenterhook/dialects';
import { nestedFields, topFields } from '../../../packages/dialects/src/copilot/answers/fields.js';
import { canonicalEvents } from '../../../packages/dialects/src/copilot/input/event-table.js';
import { knownToolNames } from '../../../packages/dialects/src/copilot/tools/tool-table.js';
import { type ReferenceNames, settingsFieldsOf, variablesOf } from '../reference-names.js';

export const names: ReferenceNames = {
  Fields: settingsFieldsOf(copilot()).filter((field) => !['recheck', 'mode', 'onError'].includes(field)),
  Events: Object.keys(canonicalEvents),
  Answers: [...new Set([...topFields, ...nestedFields])],
  Tools: knownToolNames,
  Environment: variablesOf(copilot(), 'COPILOT|CLAUDE'),
};
