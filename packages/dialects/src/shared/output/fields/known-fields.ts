import { eventEntry, type HookEventName, type HookOutput, type HookWarning } from '@tenterhook/protocol';
import { canonicalOutputSchema, hookOutputSchema, unusableValue } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import { formatValue } from '../../text.js';
import { canonicalRequest, canonicalResponse, usableToolConfig } from './model-data.js';
import { booleanRemedy, define, type FieldSchema, keptFields, reportOtherSpellings, wrongType } from './printed-fields.js';

// A function, because reading the shape builds a schema. The schema is needed only after a hook has printed something.
const outputFields = (): Readonly<Record<string, FieldSchema>> => hookOutputSchema.shape;
const isReservedField = (name: string): boolean => Object.hasOwn(canonicalOutputSchema.shape, name);

/** The fields of a format whose top-level fields are the canonical ones. */
export interface FieldTable {
  /** Returns the fields of `hookSpecificOutput` on one event. */
  specificOf(eventName: HookEventName): Readonly<Record<string, FieldSchema>>;
  /** The fields that `hookSpecificOutput` has on any event. A field that the current event does not have causes a warning. */
  readonly specificOfAll: ReadonlySet<string>;
  /** True if unknown fields are kept (decision 7). False if they are dropped with a warning. */
  readonly passesUnknown: boolean;
}

/**
 * Returns a printed object as an output. A known field of the wrong type is dropped with a warning. A field with `null` counts as
 * missing.
 */
export function knownFields(
  printed: Readonly<Record<string, unknown>>,
  eventName: HookEventName,
  table: FieldTable,
): { output: HookOutput; warnings: HookWarning[] } {
  const warnings: HookWarning[] = [];
  const output: Record<string, unknown> = {};
  for (const field of keptFields(printed, (name) => Object.hasOwn(outputFields(), name), 'The output', warnings)) {
    const value = printed[field];
    // The fields of `hookSpecificOutput` are checked one by one later. Checked together, one field with too much nesting would
    // remove the decision too.
    const unusable = field === 'hookSpecificOutput' ? undefined : unusableValue(field, value);
    if (unusable !== undefined) {
      warnings.push(unusable);
      continue;
    }
    const schema = Object.hasOwn(outputFields(), field) ? outputFields()[field] : undefined;
    // The schema of `hookSpecificOutput` is not used, because it would copy the object with all unknown fields.
    const isRight = field === 'hookSpecificOutput' ? isPlainObject(value) : (schema?.safeParse(value).success ?? true);
    if (!isRight) warnings.push(wrongType(field, value, remedyFor(field)));
    else define(output, field, value);
  }
  const isMisplaced = (field: string) => table.specificOfAll.has(field) && field !== 'hookEventName';
  const advice = (field: string) => `${field} has no effect at the top level: put it into hookSpecificOutput.`;
  const shape = table.specificOf(eventName);
  handleUnknownFields(output, { known: outputFields(), where: 'The output', path: '', shape, isMisplaced, advice }, table, warnings);
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
  const isKnown = (name: string) => Object.hasOwn(shape, name) || isReservedField(name) || table.specificOfAll.has(name);
  for (const field of keptFields(printed, isKnown, 'hookSpecificOutput', warnings)) {
    const printedValue = printed[field];
    const path = `hookSpecificOutput.${field}`;
    const value = canonicalValue(field, printedValue, path, warnings);
    if (value === undefined) continue;
    const unusable = unusableValue(path, value);
    if (unusable !== undefined) {
      warnings.push(unusable);
      continue;
    }
    const schema = Object.hasOwn(shape, field) ? shape[field] : undefined;
    if (schema !== undefined) {
      if (schema.safeParse(value).success) define(kept, field, value);
      else warnings.push(wrongType(path, value, remedyFor(path)));
    } else if (isReservedField(field)) {
      warnings.push(reserved(path, shape));
    } else if (table.specificOfAll.has(field)) {
      warnings.push({ code: 'no_effect', message: `${path} has no effect on ${eventName}; it was dropped.` });
    } else define(kept, field, value);
  }
  const isMisplaced = (field: string) => Object.hasOwn(outputFields(), field);
  const advice = (field: string) => `hookSpecificOutput.${field} has no effect: put it next to hookSpecificOutput.`;
  handleUnknownFields(
    kept,
    { known: shape, where: 'hookSpecificOutput', path: 'hookSpecificOutput.', shape, isMisplaced, advice },
    table,
    warnings,
  );
  for (const field of Object.keys(eventEntry(eventName).input.shape)) {
    if (Object.hasOwn(shape, field) || !Object.hasOwn(kept, field)) continue;
    const message = `hookSpecificOutput.${field} has no effect: hooks of this format cannot change the input on ${eventName}. To refuse the input, deny.`;
    warnings.push({ code: 'rewrite_ignored', message });
  }
  const named = kept['hookEventName'];
  if (named !== undefined && named !== eventName) {
    // The answer is not dropped: a deny with a wrong event name is still a deny.
    warnings.push({
      code: 'wrong_event',
      message: `hookSpecificOutput.hookEventName must be "${eventName}", and is ${formatValue(named)}. The answer is used nevertheless. Write "hookEventName": "${eventName}".`,
    });
  }
  return kept;
}

/** Returns a printed value in canonical form, or undefined if nothing in it has an effect. */
function canonicalValue(field: string, printed: unknown, path: string, warnings: HookWarning[]): unknown {
  if (field === 'llm_request') return canonicalRequest(printed);
  if (field === 'llm_response') return canonicalResponse(printed);
  return field === 'toolConfig' ? usableToolConfig(printed, path, warnings) : printed;
}

/** One level of an output: the top level, or `hookSpecificOutput`. Contains what messages need. */
interface Level {
  readonly known: Readonly<Record<string, unknown>>;
  readonly where: string;
  /** The prefix of the field names in messages. */
  readonly path: string;
  /** The fields of `hookSpecificOutput` on the event. */
  readonly shape: Readonly<Record<string, FieldSchema>>;
  /** Tests whether a field belongs to the other level of the output. */
  isMisplaced(field: string): boolean;
  advice(field: string): string;
}

/** Reports the unknown fields of an object, and removes them if the format drops unknown fields. */
function handleUnknownFields(fields: Record<string, unknown>, level: Level, { passesUnknown }: FieldTable, warnings: HookWarning[]): void {
  const isSaid = reportOtherSpellings(fields, Object.keys(level.known), level.where, warnings);
  for (const field of Object.keys(fields)) {
    if (Object.hasOwn(level.known, field)) continue;
    if (level.isMisplaced(field)) warnings.push({ code: 'no_effect', message: level.advice(field) });
    // A dropped field is reported. A kept field is reported if Tenterhook or another agent has a field of this name, because its
    // author expects an effect.
    else if ((!passesUnknown || isReservedField(field)) && !isSaid.has(field))
      warnings.push(reserved(`${level.path}${field}`, level.shape));
    if (!passesUnknown || isReservedField(field)) delete fields[field];
  }
}

function reserved(path: string, shape: Readonly<Record<string, FieldSchema>>): HookWarning {
  const isInput = path.endsWith('updatedInput') && Object.hasOwn(shape, 'tool_input');
  const remedy = isInput ? ' Write { "hookSpecificOutput": { "tool_input": { … } } }, with the changed fields.' : '';
  return { code: 'reserved_field', message: `${bounded(path)} is not a field of this format; it was dropped.${remedy}` };
}

function remedyFor(path: string): string {
  const field = path.slice(path.lastIndexOf('.') + 1);
  if (field === 'decision' || field === 'permissionDecision') return 'Write "deny", "ask" or "allow", in lower case.';
  return field === 'continue' || field === 'suppressOutput' ? booleanRemedy : '';
}

function bounded(path: string): string {
  return path.length > 100 ? `${path.slice(0, 99)}…` : path;
}
