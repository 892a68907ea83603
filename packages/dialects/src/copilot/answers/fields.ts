import type { HookWarning } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import {
  checkedFields,
  type FieldCheck,
  flagCheck as flag,
  objectCheck as object,
  wordCheck as oneOf,
  textCheck as text,
} from '../../shared/output/fields/checked-fields.js';

type Fields = Readonly<Record<string, unknown>>;

/** What the value of each field must be. A field with `null` counts as missing. */
const checks: Readonly<Record<string, FieldCheck>> = {
  permissionDecision: oneOf('deny', 'ask', 'allow', 'block'),
  permissionDecisionReason: text,
  // Copilot does not have `deny`, `ask` and `allow` here, but a deny must not be lost.
  decision: [
    (value) => ['block', 'deny', 'ask', 'allow', 'approve'].includes(value as string) || isPlainObject(value),
    'Write "block", in lower case.',
  ],
  reason: text,
  behavior: oneOf('deny', 'allow', 'block', 'ask'),
  message: text,
  interrupt: flag,
  continue: flag,
  stopReason: text,
  additionalContext: text,
  systemMessage: text,
  modifiedArgs: object,
  updatedInput: object,
  modifiedResult: [
    (value) => isPlainObject(value) && typeof value['textResultForLlm'] === 'string',
    'Write { "resultType": "success", "textResultForLlm": "…" }.',
  ],
  modifiedPrompt: text,
  modifiedResponse: [() => true, ''],
  modifiedTransformedPrompt: text,
  metaToUse: [() => true, ''],
  hookEventName: text,
};

const nestedOnly = ['updatedInput', 'hookEventName'];

/** The fields at the top level of an answer. */
export const topFields: readonly string[] = Object.keys(checks).filter((field) => !nestedOnly.includes(field));

/** The fields inside of `hookSpecificOutput`. */
export const nestedFields: readonly string[] = [
  'hookEventName',
  'permissionDecision',
  'permissionDecisionReason',
  'decision',
  'reason',
  'behavior',
  'message',
  'interrupt',
  'updatedInput',
  'modifiedArgs',
  'additionalContext',
];

/** Returns the known fields of an object. A field of the wrong type is left out, with a warning. */
export function readFields(printed: Fields, known: readonly string[], path: string, warnings: HookWarning[]): Fields {
  return checkedFields(printed, known, (field) => checks[field] as FieldCheck, path, warnings);
}
