import { type HookOutput, type HookWarning, hookOutputSchema, unusableValue } from '@tenterhook/protocol';
import * as z from 'zod';
import { decidesElsewhere, isObjection } from '../shared/output/answer-keywords.js';
import { booleanRemedy, define, keptFields, reportOtherSpellings, wrongType } from '../shared/output/printed-fields.js';
import { type EcaType, entryOf } from './event-types.js';

const answerSchema = z.object({
  additionalContext: z.string().optional(),
  replacedPrompt: z.string().optional(),
  updatedInput: z.record(z.string(), z.unknown()).optional(),
  approval: z.enum(['allow', 'ask', 'deny']).optional(),
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  suppressOutput: z.boolean().optional(),
});

/** What a hook may print. */
export type EcaAnswer = z.infer<typeof answerSchema>;

type Field = keyof EcaAnswer;

const fieldNames = Object.keys(answerSchema.shape);

const remedies: Readonly<Partial<Record<Field, string>>> = {
  approval: 'Write "deny", "ask" or "allow", in small letters.',
  continue: booleanRemedy,
  suppressOutput: booleanRemedy,
};

/** Fields of ECA's later versions, of which one takes something out of a result: lost in silence, it would seem to have done so. */
const laterFields = ['replacedOutput', 'followUp'];

export function isAnswerField(name: string): name is Field {
  return Object.hasOwn(answerSchema.shape, name);
}

/**
 * The fields of a printed object that count, and those that ECA does not know, which pass through (decision 7). What has the wrong type, or
 * what its type of hook cannot use, is dropped with a warning each.
 */
export function readAnswer(
  printed: Readonly<Record<string, unknown>>,
  type: EcaType,
): { answer: EcaAnswer; others: HookOutput; warnings: HookWarning[] } {
  const warnings: HookWarning[] = [];
  const answer: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  for (const field of keptFields(printed, isAnswerField, 'The output', warnings)) {
    const value = printed[field];
    const problem = unusableValue(field, value) ?? problemOf(field, value, type);
    if (problem !== undefined) warnings.push(problem);
    else if (isObjectionToPrompt(field, value, type)) warnings.push(counted(value as 'deny' | 'ask', type));
    if (problem === undefined) define(isAnswerField(field) ? answer : others, field, value);
  }
  reportOtherSpellings(others, fieldNames, 'The output', warnings);
  // Whoever prints another agent's decision means something by it; ECA's own was looked at above.
  const { approval: _own, ...elsewhere } = printed;
  const isSaid = isObjection(answer['approval']) || warnings.some(({ code }) => code === 'other_spelling');
  if (!isSaid && decidesElsewhere(elsewhere)) warnings.push(decidedElsewhere);
  const fields = Object.keys(printed);
  if (fields.length > 0 && !fields.some(isAnswerField) && warnings.length === 0) warnings.push(noAnswer);
  return { answer: answer as EcaAnswer, others, warnings };
}

const decidedElsewhere: HookWarning = {
  code: 'other_spelling',
  message: 'The output decides in the words of another format, which has no effect. Write { "approval": "deny" }.',
};

/** In ECA as well it is no context, as a text would be; whoever prints a file for the model would search for long. */
const noAnswer: HookWarning = {
  code: 'no_effect',
  message: 'The output is an object without a field of an answer. For context, print text, or { "additionalContext": "…" }.',
};

function problemOf(field: string, value: unknown, type: EcaType): HookWarning | undefined {
  if (!isAnswerField(field)) return strange(field);
  if (!isUsed(field, type) && !isObjectionToPrompt(field, value, type))
    return { code: 'no_effect', message: `${field} has no effect on ${type}; it was dropped.` };
  return answerSchema.shape[field].safeParse(value).success ? undefined : wrongType(field, value, remedies[field]);
}

function counted(decision: 'deny' | 'ask', type: EcaType): HookWarning {
  const code = decision === 'deny' ? 'deny_counted' : 'ask_counted';
  return {
    code,
    message: `ECA reads no approval of a ${type} hook; "${decision}" counts here all the same. Exit with 2 to reject in both.`,
  };
}

/** A field of the canonical output would be obeyed if it passed through, and ECA's hooks have none. */
function strange(field: string): HookWarning | undefined {
  if (!laterFields.includes(field) && !Object.hasOwn(hookOutputSchema.shape, field)) return undefined;
  return { code: 'reserved_field', message: `${field} is no field of this format; it was dropped.` };
}

/** A word against a prompt, on a type where ECA would not read it, must not be read as none (decisions 66 and 68). */
function isObjectionToPrompt(field: string, value: unknown, type: EcaType): boolean {
  return field === 'approval' && type === 'preRequest' && (value === 'deny' || value === 'ask');
}

function isUsed(field: Field, type: EcaType): boolean {
  switch (field) {
    case 'additionalContext':
      return entryOf(type).takesContext === true;
    case 'replacedPrompt':
      return type === 'preRequest';
    case 'updatedInput':
    case 'approval':
      return type === 'preToolCall';
    default:
      return true;
  }
}
