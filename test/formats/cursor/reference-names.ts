import { cursor } from '@tenterhook/dialects';
import { answerFields } from '../../../packages/dialects/src/cursor/answers/read-answer.js';
import { cursorEventNames } from '../../../packages/dialects/src/cursor/input/event-table.js';
import { knownToolNames } from '../../../packages/dialects/src/cursor/tools/tool-table.js';
import { type ReferenceNames, settingsFieldsOf, variablesOf } from '../reference-names.js';

export const names: ReferenceNames = {
  Fields: settingsFieldsOf(cursor()).filter((field) => !['recheck', 'mode'].includes(field)),
  Events: cursorEventNames,
  Answers: answerFields,
  Tools: knownToolNames,
  Environment: variablesOf(cursor(), 'CURSOR|CLAUDE'),
};
