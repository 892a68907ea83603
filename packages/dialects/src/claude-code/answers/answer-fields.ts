import { type HookWarning, isPlainObject, unusableValue } from '@tenterhook/protocol';
import * as z from 'zod';
import { booleanRemedy, define, keptFields, wrongType } from '../../output/printed-fields.js';
import { reportOtherSpellings } from '../../output/report-other-spellings.js';
import { shown } from '../../shown.js';
import { type ClaudeEvent, claudeEvents, factsOf } from '../event-facts.js';
import { counted } from './answer-decision.js';

type Fields = Readonly<Record<string, unknown>>;

const text = z.string();
/** A text, the parts of an MCP server, or an object of the tool. */
const toolResult = z.union([text, z.array(z.unknown()), z.record(z.string(), z.unknown())]);
/** What stands beside `hookSpecificOutput`; decisions are looked at by themselves. */
const topFields: Readonly<Record<string, z.ZodType>> = {
  continue: z.boolean(),
  stopReason: text,
  suppressOutput: z.boolean(),
  systemMessage: text,
  terminalSequence: text,
  decision: z.unknown(),
  reason: text,
  hookSpecificOutput: z.record(z.string(), z.unknown()),
  async: z.boolean(),
  asyncTimeout: z.number(),
};

const specificFields: Readonly<Record<string, z.ZodType>> = {
  permissionDecision: z.unknown(),
  permissionDecisionReason: text,
  updatedInput: z.record(z.string(), z.unknown()),
  additionalContext: text,
  updatedToolOutput: toolResult,
  updatedMCPToolOutput: toolResult,
  decision: z.unknown(),
  retry: z.boolean(),
  sessionTitle: text,
  suppressOriginalPrompt: z.boolean(),
  initialUserMessage: text,
  watchPaths: z.array(z.string()),
  displayContent: text,
  worktreePath: text,
  action: z.enum(['accept', 'decline', 'cancel']),
};

/** Every field that some event knows: on another event it would have no effect, and nobody would know. */
const fieldsOfAll = new Set<string>(Object.values(claudeEvents).flatMap(({ fields }) => [...fields]));

export interface AnswerFields {
  readonly top: Fields;
  readonly specific: Fields;
}

/** Whether an object that stands among lines of text is an answer. */
export function isAnswer(object: Fields): boolean {
  return Object.keys(object).some((field) => Object.hasOwn(topFields, field));
}

/** The fields of a printed object that count. What has the wrong type, or what nobody reads on this event, is dropped with a warning each. */
export function answerFields(printed: Fields, event: ClaudeEvent, warnings: HookWarning[]): AnswerFields {
  const top = checked(printed, (name) => Object.hasOwn(topFields, name), topFields, '', warnings);
  reportOtherSpellings(printed, Object.keys(topFields), 'The output', warnings);
  for (const field of Object.keys(printed)) {
    if (Object.hasOwn(topFields, field)) continue;
    const isMisplaced = fieldsOfAll.has(field) && field !== 'decision';
    const message = isMisplaced
      ? `${field} has no effect where it stands: put it into hookSpecificOutput.`
      : `${shown(field)} is no field of this format; it was dropped.`;
    warnings.push({ code: isMisplaced ? 'no_effect' : 'reserved_field', message });
  }
  const given = top['hookSpecificOutput'];
  return { top, specific: isPlainObject(given) ? ofEvent(given, event, warnings) : {} };
}

function ofEvent(printed: Fields, event: ClaudeEvent, warnings: HookWarning[]): Fields {
  const named = printed['hookEventName'];
  if (named !== event) return objectionOf(printed, named, event, warnings);
  const { fields } = factsOf(event);
  const isRead = (name: string) => fields.includes(name) || name === 'permissionDecision';
  const kept = checked(printed, isRead, specificFields, 'hookSpecificOutput.', warnings);
  for (const field of Object.keys(printed)) {
    if (field === 'hookEventName' || isRead(field)) continue;
    const isElsewhere = fieldsOfAll.has(field);
    const message = isElsewhere
      ? `hookSpecificOutput.${field} has no effect on ${event}; it was dropped.`
      : `hookSpecificOutput.${shown(field)} is no field of this format; it was dropped.`;
    warnings.push({ code: isElsewhere ? 'no_effect' : 'reserved_field', message });
  }
  reportOtherSpellings(printed, ['hookEventName', ...fields], 'hookSpecificOutput', warnings);
  return kept;
}

/** What is addressed to another event is none of this one's; what is addressed to none may be an objection that must not be lost (decision 68). */
function objectionOf(printed: Fields, named: unknown, event: ClaudeEvent, warnings: HookWarning[]): Fields {
  const what = named === undefined ? 'has no hookEventName' : `has the hookEventName ${shown(named)}`;
  const said = printed['permissionDecision'];
  const isObjection = said === 'deny' || said === 'ask' || said === 'block' || said === 'defer';
  const loss = isObjection && named !== undefined ? `; its permissionDecision ${shown(said)} does not count` : '';
  warnings.push({
    code: 'wrong_event',
    message: `hookSpecificOutput ${what} and not "${event}"; it was dropped${loss}. Write "hookEventName": "${event}".`,
  });
  if (!isObjection || named !== undefined) return {};
  warnings.push(
    counted(said === 'ask' || said === 'defer' ? 'ask' : 'deny', `hookSpecificOutput ${what}, and its permissionDecision is an objection`),
  );
  return { permissionDecision: said, permissionDecisionReason: printed['permissionDecisionReason'] };
}

function checked(
  printed: Fields,
  isKnown: (name: string) => boolean,
  schemas: Readonly<Record<string, z.ZodType>>,
  where: string,
  warnings: HookWarning[],
): Fields {
  const kept: Record<string, unknown> = {};
  for (const field of keptFields(printed, isKnown, where === '' ? 'The output' : 'hookSpecificOutput', warnings)) {
    if (!isKnown(field)) continue;
    const value = printed[field];
    const path = `${where}${field}`;
    const problem = field === 'hookSpecificOutput' ? undefined : unusableValue(path, value);
    if (problem !== undefined) warnings.push(problem);
    else if (schemas[field]?.safeParse(value).success === false) warnings.push(wrongType(path, value, remedyFor(field)));
    else define(kept, field, value);
  }
  return kept;
}

function remedyFor(field: string): string {
  return ['continue', 'suppressOutput', 'async', 'retry', 'suppressOriginalPrompt'].includes(field) ? booleanRemedy : '';
}
