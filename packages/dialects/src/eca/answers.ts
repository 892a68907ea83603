import {
  type Decoded,
  type HookDefinition,
  type HookEvent,
  type HookOutput,
  type HookWarning,
  type ReadableExit,
  verdictOf,
} from '@tenterhook/protocol';
import { hookOutputSchema, unusableValue } from '@tenterhook/protocol/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import type { AnswerFormat, Answering, ReadOutput } from '../shared/output/answer-format.js';
import { answerKeywords } from '../shared/output/answer-keywords.js';
import { decodeCommand } from '../shared/output/decode-command.js';
import { booleanRemedy, define, keptFields, reportOtherSpellings, wrongType } from '../shared/output/fields/printed-fields.js';
import { findForeignDecision } from '../shared/output/foreign-decision.js';
import { toToolOutput } from '../shared/tool-response.js';
import { type EcaType, entryOf } from './input/event-table.js';
import { toStdinFields } from './input/invocation.js';
import type { EcaHost } from './options.js';
import { dataOf } from './settings/hook-data.js';
import { toHostKeys } from './tools.js';

const answerSchema = z.object({
  additionalContext: z.string().optional(),
  replacedPrompt: z.string().optional(),
  updatedInput: z.record(z.string(), z.unknown()).optional(),
  replacedOutput: z.union([z.string(), z.array(z.unknown()), z.record(z.string(), z.unknown())]).optional(),
  approval: z.enum(['allow', 'ask', 'deny']).optional(),
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  followUp: z.string().optional(),
  systemMessage: z.string().optional(),
  suppressOutput: z.boolean().optional(),
});

/** The fields that a hook may print. */
type EcaAnswer = z.infer<typeof answerSchema>;

type Field = keyof EcaAnswer;

export const fieldNames = (): readonly string[] => Object.keys(answerSchema.shape);

const remedies: Readonly<Partial<Record<Field, string>>> = {
  approval: 'Write "deny", "ask" or "allow", in lower case.',
  continue: booleanRemedy,
  suppressOutput: booleanRemedy,
};

function isAnswerField(name: string): name is Field {
  return Object.hasOwn(answerSchema.shape, name);
}

/**
 * Returns the usable fields of a printed object. Fields that ECA does not define are passed on (decision 7). A field of the wrong
 * type, or without an effect for this type of hook, is left out with a warning.
 */
function readAnswer(
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
  reportOtherSpellings(others, fieldNames(), 'The output', warnings);
  const fields = Object.keys(printed);
  const isExplained = warnings.length > 0 || findForeignDecision(printed) !== undefined;
  if (fields.length > 0 && !fields.some(isAnswerField) && !isExplained) warnings.push(noAnswer);
  return { answer: answer as EcaAnswer, others, warnings };
}

/**
 * The warning for an object without a known field. ECA ignores such an object, but passes plain text to the model. A hook that
 * prints a JSON file for the model needs this warning, because the model does not see the file.
 */
const noAnswer: HookWarning = {
  code: 'no_effect',
  message: 'The output is an object without a known field. To add context, print text, or { "additionalContext": "…" }.',
};

function problemOf(field: string, value: unknown, type: EcaType): HookWarning | undefined {
  if (!isAnswerField(field)) return strange(field);
  if (field === 'followUp' && isBlank(value) && isUsed(field, type))
    return { code: 'no_effect', message: 'followUp is blank, so the agent does not continue; it was dropped.' };
  if (!isUsed(field, type) && !isObjectionToPrompt(field, value, type))
    return { code: 'no_effect', message: `${field} has no effect on ${type}; it was dropped.` };
  return answerSchema.shape[field].safeParse(value).success ? undefined : wrongType(field, value, remedies[field]);
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

function counted(decision: 'deny' | 'ask', type: EcaType): HookWarning {
  const code = decision === 'deny' ? 'deny_counted' : 'ask_counted';
  return {
    code,
    message: `ECA ignores the approval of a ${type} hook; Tenterhook treats it as "${decision}". To reject in both, exit with 2.`,
  };
}

/** Returns a warning for a canonical field that ECA does not have. The field is dropped, because it has no effect in ECA. */
function strange(field: string): HookWarning | undefined {
  if (!Object.hasOwn(hookOutputSchema.shape, field)) return undefined;
  return { code: 'reserved_field', message: `${field} is not a field of this format; it was dropped.` };
}

/**
 * Tests for a deny or ask of a preRequest hook. ECA ignores it, but Tenterhook obeys it, because a deny must not be lost (decisions
 * 66 and 68).
 */
function isObjectionToPrompt(field: string, value: unknown, type: EcaType): boolean {
  return field === 'approval' && type === 'preRequest' && (value === 'deny' || value === 'ask');
}

function isUsed(field: Field, type: EcaType): boolean {
  switch (field) {
    case 'additionalContext':
      return entryOf(type).takesContext === true;
    case 'replacedPrompt':
      return type === 'preRequest';
    case 'replacedOutput':
      return type === 'postToolCall';
    case 'followUp':
      return entryOf(type).takesFollowUp === true;
    case 'systemMessage':
      return entryOf(type).hasChatView === true;
    case 'updatedInput':
    case 'approval':
      return type === 'preToolCall';
    default:
      return true;
  }
}

/**
 * Returns the function that converts the exit code, stdout and stderr of an ECA hook into canonical output (decisions 49 to 52, 57
 * to 59).
 */
export function createDecode(host: EcaHost) {
  const words = answerKeywords({
    decisions: [['approval']],
    values: ['deny', 'ask', 'allow'],
    ownFields: ['updatedInput', 'replacedPrompt', 'replacedOutput', 'followUp'],
  });
  const format: AnswerFormat = {
    what: 'An ECA hook',
    words,
    read: (object, answering, rejects) => read(object, answering, rejects, host),
    received: ({ event, hook }) => {
      const { approval: _answer, ...received } = toStdinFields(event, hook, host);
      return received;
    },
    // A hook may print a file as context, and the file may be a JSON object without a known field.
    isAnswer: (object) => Object.keys(object).some(isAnswerField),
    ofText,
    takesOtherJsonAsText: true,
    denial: (hook) => (entryOf(dataOf(hook).type).takesFollowUp ? '{"followUp":"…"}' : words.example),
    rejects: (hook) => entryOf(dataOf(hook).type).rejects === true,
    relativePaths: 'a relative path starts in the workspace folder',
  };
  return (exit: ReadableExit, event: HookEvent, hook: HookDefinition): Decoded => decodeCommand(exit, event, hook, format);
}

function ofText(text: string, { hook }: Answering): Partial<ReadOutput> {
  const { type } = dataOf(hook);
  if (entryOf(type).takesContext) return { output: { hookSpecificOutput: { additionalContext: text } } };
  return {
    warnings: [{ code: 'no_effect', message: `Text on stdout is context for the model, but ${type} cannot add context; it was dropped.` }],
  };
}

function read(object: Readonly<Record<string, unknown>>, { event, hook }: Answering, rejects: boolean, host: EcaHost): ReadOutput {
  const { answer, others, warnings } = readAnswer(object, dataOf(hook).type);
  const { continue: goesOn, stopReason, suppressOutput, approval, followUp } = answer;
  const isDeny = rejects || verdictOf(approval) === 'deny';
  // `additionalContext` has three uses. With a deny it is only the reason. With an ask it is the reason for the user and also
  // context. Otherwise it is context. `followUp` is the next prompt of the agent, so it is the reason of a deny after an answer
  // (decision 20).
  const reason = followUp ?? (isDeny || verdictOf(approval) === 'ask' ? answer.additionalContext : undefined);
  const specific = specificOf(answer, event, isDeny, host);
  const output = {
    ...others,
    ...omitUndefined({
      continue: goesOn,
      stopReason,
      suppressOutput,
      decision: followUp === undefined ? approval : ('deny' as const),
      reason: reason || undefined,
      hookSpecificOutput: Object.keys(specific).length === 0 ? undefined : specific,
    }),
  };
  return { output, warnings };
}

function specificOf(answer: EcaAnswer, { input }: HookEvent, isDeny: boolean, host: EcaHost): Record<string, unknown> {
  const { additionalContext, replacedPrompt, updatedInput, replacedOutput, systemMessage } = answer;
  return omitUndefined({
    additionalContext: isDeny ? undefined : additionalContext,
    replacedPrompt,
    // In ECA only the user sees `systemMessage` (decision 65).
    userMessage: systemMessage || undefined,
    updatedToolOutput: replacedOutput === undefined ? undefined : toToolOutput(replacedOutput),
    tool_input: updatedInput === undefined ? undefined : toHostKeys(updatedInput, input, host),
  });
}
