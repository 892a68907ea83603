import type { HookWarning } from '@tenterhook/protocol';
import { unusableValue } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import { suggestName } from '@tenterhook/runtime/text';
import { booleanRemedy, define, keptFields, reportOtherSpellings, wrongType } from '../../shared/output/fields/printed-fields.js';
import { formatValue } from '../../shared/text.js';
import { type ClaudeEvent, claudeEvents, factsOf } from '../input/event-table.js';
import { findObjection, type Misplacement, withMisplacedDecision } from './decision.js';

type Fields = Readonly<Record<string, unknown>>;

const text = z.string();
/** A text, the content parts of an MCP result, or an object of the tool itself. */
const toolResult = z.union([text, z.array(z.unknown()), z.record(z.string(), z.unknown())]);
export const topFields: Readonly<Record<string, z.ZodType>> = {
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

/** The fields that `hookSpecificOutput` has on any event. A field that the current event does not have causes a warning. */
const fieldsOfAll = new Set<string>(Object.values(claudeEvents).flatMap(({ fields }) => [...fields]));

export interface AnswerFields {
  readonly top: Fields;
  readonly specific: Fields;
}

/** Tests whether an object in the output is an answer, that is, has a top-level field of answers. Other objects are ordinary text. */
export function isAnswer(object: Fields): boolean {
  return Object.keys(object).some((field) => Object.hasOwn(topFields, field));
}

/** Returns the usable fields of a printed object. A field of the wrong type or of another event is left out, with a warning. */
export function readFields(printed: Fields, event: ClaudeEvent, warnings: HookWarning[]): AnswerFields {
  const top = keepValid(printed, (name) => Object.hasOwn(topFields, name), topFields, '', warnings);
  reportOtherSpellings(printed, Object.keys(topFields), 'The output', warnings);
  const others = Object.keys(printed).filter((field) => !Object.hasOwn(topFields, field) && printed[field] !== null);
  const isCounted = findObjection(printed) !== undefined;
  const misplaced = others.filter((field) => fieldsOfAll.has(field) && !(isCounted && field.startsWith('permissionDecision')));
  reportFields(misplaced, 'no_effect', '', 'no effect at the top level: write it into hookSpecificOutput', warnings);
  reportUnknown(others, '', Object.keys(topFields), warnings);
  const given = top['hookSpecificOutput'];
  const specific = isPlainObject(given) ? readSpecific(given, event, warnings) : {};
  return {
    top,
    specific: withMisplacedDecision(specific, printed, atTopLevel, warnings),
  };
}

const atTopLevel: Misplacement = {
  path: '',
  why: 'is at the top level, where Claude Code does not read it',
  remedy: 'Write the field into hookSpecificOutput.',
};

function readSpecific(printed: Fields, event: ClaudeEvent, warnings: HookWarning[]): Fields {
  const named = printed['hookEventName'];
  const { fields } = factsOf(event);
  if (named !== event) {
    const what = named === undefined ? 'is missing' : `is ${formatValue(named)}`;
    const effect =
      findObjection(printed) === undefined ? 'hookSpecificOutput is ignored' : 'only the deny or ask in hookSpecificOutput has an effect';
    const message = `hookSpecificOutput.hookEventName must be "${event}", and ${what}: ${effect}. Write "hookEventName": "${event}".`;
    warnings.push({ code: 'wrong_event', message });
    const why = `is ignored by Claude Code, because hookEventName ${what}`;
    return withMisplacedDecision({}, printed, { path: 'hookSpecificOutput.', why }, warnings);
  }
  const isRead = (name: string) => fields.includes(name) || name === 'permissionDecision' || name === 'permissionDecisionReason';
  const kept = keepValid(printed, isRead, specificFields, 'hookSpecificOutput.', warnings);
  const others = Object.keys(printed).filter((field) => field !== 'hookEventName' && !isRead(field) && printed[field] !== null);
  const ofOthers = others.filter((field) => fieldsOfAll.has(field));
  reportFields(ofOthers, 'no_effect', 'hookSpecificOutput.', `no effect on ${event}; it was dropped`, warnings);
  reportUnknown(others, 'hookSpecificOutput.', fields, warnings);
  reportOtherSpellings(printed, ['hookEventName', ...fields], 'hookSpecificOutput', warnings);
  if (Object.hasOwn(printed, 'updatedToolOutput') && printed['updatedToolOutput'] === null) {
    const message = 'hookSpecificOutput.updatedToolOutput must be a string, and is null; the result is not replaced.';
    warnings.push({ code: 'wrong_type', message });
  }
  return withMisplacedDecision(kept, printed, { path: 'hookSpecificOutput.', why: `is not read by Claude Code on ${event}` }, warnings);
}

function reportFields(fields: readonly string[], code: HookWarning['code'], where: string, what: string, warnings: HookWarning[]): void {
  for (const field of fields) warnings.push({ code, message: `${where}${field} has ${what}.` });
}

/** Adds one warning for all unknown fields, because a faulty program can print thousands of them. */
function reportUnknown(others: readonly string[], where: string, known: readonly string[], warnings: HookWarning[]): void {
  const unknown = others.filter((field) => !fieldsOfAll.has(field));
  if (unknown.length === 0) return;
  const named = unknown.slice(0, 5).map((field) => `${where}${formatValue(field)}`);
  const more = unknown.length > named.length ? ` and ${unknown.length - named.length} more` : '';
  const remedy = suggestName(unknown[0]?.slice(0, 64), known, `Known fields are ${known.join(', ')}.`);
  const message = `${named.join(', ')}${more}: unknown in this format; dropped. ${remedy}`;
  warnings.push({ code: 'reserved_field', message });
}

function keepValid(
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
    else if (schemas[field]?.safeParse(value).success === false) warnings.push(wrongType(path, value, getRemedy(field)));
    else define(kept, field, value);
  }
  return kept;
}

function getRemedy(field: string): string {
  return ['continue', 'suppressOutput', 'async', 'retry', 'suppressOriginalPrompt'].includes(field) ? booleanRemedy : '';
}
