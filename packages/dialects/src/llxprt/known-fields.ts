import {
  canonicalOutputSchema,
  eventCatalogue,
  eventEntry,
  type HookEventName,
  type HookOutput,
  type HookWarning,
  hookOutputSchema,
  isPlainObject,
  unusableValue,
} from '@tenterhook/protocol';
import { booleanRemedy, define, type FieldSchema, keptFields, wrongType } from '../output/printed-fields.js';
import { reportOtherSpellings } from '../output/report-other-spellings.js';
import { shown } from '../shown.js';
import { canonicalRequest, canonicalResponse } from './model-data.js';

const outputFields: Readonly<Record<string, FieldSchema>> = hookOutputSchema.shape;
const reservedFields = new Set(Object.keys(canonicalOutputSchema.shape));
/** Every field that some event knows: printed on an event that does not, it would have no effect and nobody would know. */
const specificFieldsOfAll = new Set(Object.values(eventCatalogue).flatMap((entry) => Object.keys(entry.specificOutput.shape)));

/**
 * A printed object as an output: known fields of the wrong type are dropped, one warning each, unknown ones pass (decision 7).
 * `null` is a way of saying nothing and is dropped without one.
 */
export function knownFields(
  printed: Readonly<Record<string, unknown>>,
  eventName: HookEventName,
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
  reportOtherSpellings(output, Object.keys(outputFields), 'The output', warnings);
  for (const field of Object.keys(output)) {
    if (!Object.hasOwn(outputFields, field) && specificFieldsOfAll.has(field) && field !== 'hookEventName') {
      warnings.push({ code: 'no_effect', message: `${field} has no effect where it stands: put it into hookSpecificOutput.` });
    }
  }
  const specific = output['hookSpecificOutput'];
  if (specific !== undefined) output['hookSpecificOutput'] = knownSpecificFields(specific as Record<string, unknown>, eventName, warnings);
  return { output: output as HookOutput, warnings };
}

function knownSpecificFields(printed: Record<string, unknown>, eventName: HookEventName, warnings: HookWarning[]): Record<string, unknown> {
  const shape = eventEntry(eventName).specificOutput.shape as Readonly<Record<string, FieldSchema>>;
  const kept: Record<string, unknown> = {};
  const isKnown = (name: string) => Object.hasOwn(shape, name) || reservedFields.has(name) || specificFieldsOfAll.has(name);
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
      warnings.push({ code: 'reserved_field', message: `${path} is no field of this format; it was dropped.` });
    } else if (specificFieldsOfAll.has(field)) {
      warnings.push({ code: 'no_effect', message: `${path} has no effect on ${eventName}; it was dropped.` });
    } else define(kept, field, value);
  }
  reportOtherSpellings(kept, Object.keys(shape), 'hookSpecificOutput', warnings);
  for (const field of Object.keys(kept)) {
    if (!Object.hasOwn(shape, field) && Object.hasOwn(outputFields, field)) {
      warnings.push({
        code: 'no_effect',
        message: `hookSpecificOutput.${field} has no effect where it stands: put it beside hookSpecificOutput.`,
      });
    }
  }
  const named = kept['hookEventName'];
  if (named !== undefined && named !== eventName) {
    // Warned about and not dropped: a deny in the wrong envelope is still a deny.
    warnings.push({ code: 'wrong_event', message: `hookSpecificOutput.hookEventName is ${shown(named)}, and the event is ${eventName}.` });
  }
  return kept;
}

function remedyFor(path: string): string {
  const field = path.slice(path.lastIndexOf('.') + 1);
  if (field === 'decision' || field === 'permissionDecision') return 'Write "deny", "ask" or "allow", in small letters.';
  return field === 'continue' || field === 'suppressOutput' ? booleanRemedy : '';
}
