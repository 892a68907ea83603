import { type Decoded, type HookDefinition, type HookEvent, type ReadableExit, verdictOf } from '@tenterhook/protocol';
import type { AnswerFormat, Answering, ReadOutput } from '../shared/output/answer-format.js';
import { answerWords } from '../shared/output/answer-keywords.js';
import { decodeCommand } from '../shared/output/decode-command.js';
import { type EcaAnswer, isAnswerField, readAnswer } from './answer-fields.js';
import { entryOf } from './event-types.js';
import { dataOf } from './hook-data.js';
import type { EcaHost } from './options.js';
import { toHostKeys } from './tool.js';

/** Exit code, stdout and stderr of an ECA hook to a canonical output (decisions 49 to 52, 57 to 59). */
export function createDecode(host: EcaHost) {
  const format: AnswerFormat = {
    what: 'An ECA hook',
    words: answerWords({
      decisions: [['approval']],
      values: ['deny', 'ask', 'allow'],
      ownFields: ['updatedInput', 'replacedPrompt'],
    }),
    read: (object, answering, rejects) => read(object, answering, rejects, host),
    // A hook that prints a file as context prints what stands in it; an object in it is an answer only if it looks like one.
    isAnswer: (object) => Object.keys(object).some(isAnswerField),
    ofText,
    takesOtherJsonAsText: true,
    rejects: (hook) => entryOf(dataOf(hook).type).rejects === true,
    relativePaths: 'a relative one counts from the workspace folder',
  };
  return (exit: ReadableExit, event: HookEvent, hook: HookDefinition): Decoded => decodeCommand(exit, event, hook, format);
}

function ofText(text: string, { hook }: Answering): Partial<ReadOutput> {
  const { type } = dataOf(hook);
  if (entryOf(type).takesContext) return { output: { hookSpecificOutput: { additionalContext: text } } };
  return { warnings: [{ code: 'no_effect', message: `Text on stdout is context for the model, and ${type} has none; it was dropped.` }] };
}

function read(object: Readonly<Record<string, unknown>>, { event, hook }: Answering, rejects: boolean, host: EcaHost): ReadOutput {
  const { answer, others, warnings } = readAnswer(object, dataOf(hook).type);
  const { continue: goesOn, stopReason, suppressOutput, approval } = answer;
  const isDeny = rejects || verdictOf(approval) === 'deny';
  // Beside a rejection the context says why, and is told as that alone; whoever is asked wants to know it too.
  const reason = isDeny || verdictOf(approval) === 'ask' ? answer.additionalContext : undefined;
  const specific = specificOf(answer, event, isDeny, host);
  const output = {
    ...others,
    ...(goesOn === undefined ? {} : { continue: goesOn }),
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(suppressOutput === undefined ? {} : { suppressOutput }),
    ...(approval === undefined ? {} : { decision: approval }),
    ...(reason === undefined || reason === '' ? {} : { reason }),
    ...(Object.keys(specific).length === 0 ? {} : { hookSpecificOutput: specific }),
  };
  return { output, warnings };
}

function specificOf(answer: EcaAnswer, { input }: HookEvent, isDeny: boolean, host: EcaHost): Record<string, unknown> {
  const { additionalContext, replacedPrompt, updatedInput } = answer;
  return {
    ...(additionalContext === undefined || isDeny ? {} : { additionalContext }),
    ...(replacedPrompt === undefined ? {} : { replacedPrompt }),
    ...(updatedInput === undefined ? {} : { tool_input: toHostKeys(updatedInput, input, host) }),
  };
}
