import {
  canonicalOutputSchema,
  type HookEventName,
  type HookOutput,
  type HookWarning,
  hookOutputSchema,
  unusableValue,
} from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { formatValue } from '../text.js';
import { canonicalRequest, canonicalResponse } from './model-data.js';
import { booleanRemedy, define, type FieldSchema, keptFields, reportOtherSpellings, wrongType } from './printed-fields.js';

const outputFields: Readonly<Record<string, FieldSchema>> = hookOutputSchema.shape;
const reservedFields = new Set(Object.keys(canonicalOutputSchema.shape));

/** Which fields the outputs of a format have whose top level is the canonical one. */
export interface FieldTable {
  /** The fields of hookSpecificOutput on an event. */
  specificOf(eventName: HookEventName): Readonly<Record<string, FieldSchema>>;
  /** Every field that some event knows: printed on an event that does not, it would have no effect and nobody would know. */
  readonly specificOfAll: ReadonlySet<string>;
  /** Whether fields that the format does not know pass through (decision 7), or are dropped with a warning each. */
  readonly passesUnknown: boolean;
}

/**
 * A printed object as an output: known fields of the wrong type are dropped, one warning each. `null` is a way of saying nothing and is
 * dropped without one.
 */
export function knownFields(
  printed: Readonly<Record<string, unknown>>,
  eventName: HookEventName,
  table: FieldTable,
): { output: HookOutput; warnings: HookWarning[] } {
  const warnings: HookWarning[] = [];
  const output: Record<string, unknown> = {};
  for (const field of keptFields(printed, (name) => Object.hasOwn(outputFields, name), 'The output', warnings)) {
    const value = printed[field];
    // hookSpecificOutput is looked at a field at a time: one that is too deep must not take a decision beside it along.
    const unusable = field === 'hookSpecificOutput' ? undefined : unusableValue(field, value);
    if (unusable !== undefined) {
      warnings.push(unusable);
      continue;
    }
    const schema = Object.hasOwn(outputFields, field) ? outputFields[field] : undefined;
    // Not by its schema, which would copy it with all its unknown fields.
    const isRight = field === 'hookSpecificOutput' ? isPlainObject(value) : (schema?.safeParse(value).success ?? true);
    if (!isRight) warnings.push(wrongType(field, value, remedyFor(field)));
    else define(output, field, value);
  }
  const isMisplaced = (field: string) => table.specificOfAll.has(field) && field !== 'hookEventName';
  const advice = (field: string) => `${field} has no effect where it stands: put it into hookSpecificOutput.`;
  settleStrangers(output, { known: outputFields, where: 'The output', path: '', isMisplaced, advice }, table, warnings);
  const specific = output['hookSpecificOutput'];
  if (specific !== undefined) {
    output['hookSpecificOutput'] = knownSpecificFields(specific as Record<string, unknown>, eventName, table, warnings);
  }
  return { output: output as HookOutput, warnings };
}

function knownSpecificFields(
  printed: Record<string, unknown>,
  eventName: HookEventName,
  table: FieldTable,
  warnings: HookWarning[],
): Record<string, unknown> {
  const shape = table.specificOf(eventName);
  const kept: Record<string, unknown> = {};
  const isKnown = (name: string) => Object.hasOwn(shape, name) || reservedFields.has(name) || table.specificOfAll.has(name);
  for (const field of keptFields(printed, isKnown, 'hookSpecificOutput', warnings)) {
    const printedValue = printed[field];
    const value =
      field === 'llm_request' ? canonicalRequest(printedValue) : field === 'llm_response' ? canonicalResponse(printedValue) : printedValue;
    const path = `hookSpecificOutput.${field}`;
    const unusable = unusableValue(path, value);
    if (unusable !== undefined) {
      warnings.push(unusable);
      continue;
    }
    const schema = Object.hasOwn(shape, field) ? shape[field] : undefined;
    if (schema !== undefined) {
      if (schema.safeParse(value).success) define(kept, field, value);
      else warnings.push(wrongType(path, value, remedyFor(path)));
    } else if (reservedFields.has(field)) {
      warnings.push(reserved(path));
    } else if (table.specificOfAll.has(field)) {
      warnings.push({ code: 'no_effect', message: `${path} has no effect on ${eventName}; it was dropped.` });
    } else define(kept, field, value);
  }
  const isMisplaced = (field: string) => Object.hasOwn(outputFields, field);
  const advice = (field: string) => `hookSpecificOutput.${field} has no effect where it stands: put it beside hookSpecificOutput.`;
  settleStrangers(kept, { known: shape, where: 'hookSpecificOutput', path: 'hookSpecificOutput.', isMisplaced, advice }, table, warnings);
  const named = kept['hookEventName'];
  if (named !== undefined && named !== eventName) {
    // Warned about and not dropped: a deny in the wrong envelope is still a deny.
    warnings.push({
      code: 'wrong_event',
      message: `hookSpecificOutput.hookEventName is ${formatValue(named)}, and the event is ${eventName}.`,
    });
  }
  return kept;
}

/** A level of an output, as it is told of. */
interface Level {
  readonly known: Readonly<Record<string, unknown>>;
  readonly where: string;
  /** Stands before a field of it. */
  readonly path: string;
  /** Whether a field belongs to the other level. */
  isMisplaced(field: string): boolean;
  advice(field: string): string;
}

/** What is to be said of the fields of a level that are none of it, once each. In a format that does not pass them on they go. */
function settleStrangers(fields: Record<string, unknown>, level: Level, { passesUnknown }: FieldTable, warnings: HookWarning[]): void {
  const isSaid = reportOtherSpellings(fields, Object.keys(level.known), level.where, warnings);
  for (const field of Object.keys(fields)) {
    if (Object.hasOwn(level.known, field)) continue;
    if (level.isMisplaced(field)) warnings.push({ code: 'no_effect', message: level.advice(field) });
    else if (!passesUnknown && !isSaid.has(field)) warnings.push(reserved(`${level.path}${field}`));
    if (!passesUnknown) delete fields[field];
  }
}

function reserved(path: string): HookWarning {
  return { code: 'reserved_field', message: `${bounded(path)} is no field of this format; it was dropped.` };
}

function remedyFor(path: string): string {
  const field = path.slice(path.lastIndexOf('.') + 1);
  if (field === 'decision' || field === 'permissionDecision') return 'Write "deny", "ask" or "allow", in small letters.';
  return field === 'continue' || field === 'suppressOutput' ? booleanRemedy : '';
}

/** A field that the format does not know may have a name of any length. */
function bounded(path: string): string {
  return path.length > 100 ? `${path.slice(0, 99)}…` : path;
}
