import { antigravity } from '@tenterhook/dialects';
import { answerFields } from '../../../packages/dialects/src/antigravity/answers/read-answer.js';
import { antigravityEventNames } from '../../../packages/dialects/src/antigravity/input/event-table.js';
import { knownToolNames } from '../../../packages/dialects/src/antigravity/tools/tool-table.js';
import { type ReferenceNames, settingsFieldsOf } from '../reference-names.js';

export const names: ReferenceNames = {
  Fields: settingsFieldsOf(antigravity()).filter((field) => !['recheck', 'mode', 'onError'].includes(field)),
  Events: antigravityEventNames,
  Answers: answerFields,
  Tools: knownToolNames,
};
