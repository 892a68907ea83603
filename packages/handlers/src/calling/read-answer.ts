import type { HookWarning } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeThrown, describeValue, nearestName } from '@tenterhook/runtime/text';
import type { HookEventType } from '../definition/hook-event-type.js';
import type { ReadAnswer } from './answer.js';
import { readModified } from './read-modified.js';

const defaultDelayMs = 1000;
export const maxDelayMs = 60_000;

const knownFields = ['action', 'reason', 'modified', 'retry_delay_ms', 'delayMs'];

const none: readonly HookWarning[] = Object.freeze([]);
const goOn: ReadAnswer = Object.freeze({ answer: Object.freeze({ kind: 'continue' as const }), warnings: none });

/** Never throws: what a handler returned may be anything, a getter that throws included. */
export function readAnswer(value: unknown, eventType: HookEventType): ReadAnswer {
  if (value === undefined || value === null) return goOn;
  try {
    return readAction(value, eventType);
  } catch (error) {
    return { failure: `its answer could not be read: ${describeThrown(error)}` };
  }
}

function readAction(value: unknown, eventType: HookEventType): ReadAnswer {
  if (!isPlainObject(value)) return { failure: `it answered ${describeValue(value)}; ${due}` };
  const { action } = value;
  if (action === 'Continue') return readContinue(value, eventType);
  switch (typeof action === 'string' ? action.toLowerCase() : action) {
    case 'continue':
      return readContinue(value, eventType);
    case 'block':
      return readBlock(value);
    case 'skip':
      return { answer: { kind: 'skip' }, warnings: unused(value) };
    case 'retry':
      return readRetry(value);
    default:
      return { failure: `its action is ${action === undefined ? 'missing' : describeValue(action)}; ${due}` };
  }
}

const due =
  "answer { action: 'Block', reason }, { action: 'Continue', modified }, { action: 'Retry', retry_delay_ms } or { action: 'Skip' }";

/** A field in other letters may be a redaction that would be lost: then the call has failed. */
function readContinue(value: Record<string, unknown>, eventType: HookEventType): ReadAnswer {
  const { modified } = value;
  const read = modified === undefined || modified === null ? goOn : readModified(modified, eventType);
  // Most answers have nothing that is not known, and looking closer costs as much as all the rest of reading one.
  if (hasKnownFieldsOnly(value) || 'failure' in read) return read;
  const unknown = unknownFields(value);
  const [first] = unknown;
  if (first?.nearest !== undefined) return { failure: `its answer has no field "${first.field}". Did you mean "${first.nearest}"?` };
  return { ...read, warnings: [...read.warnings, ...unknownWarnings(value)] };
}

function hasKnownFieldsOnly(value: Record<string, unknown>): boolean {
  for (const field in value) if (!knownFields.includes(field)) return false;
  return true;
}

/** Once it has said Block, nothing else in the answer can take that back. */
function readBlock(value: Record<string, unknown>): ReadAnswer {
  try {
    const { reason } = value;
    const isText = typeof reason === 'string' && reason !== '';
    const warnings = [...unknownWarnings(value), ...unused(value)];
    if (reason !== undefined && reason !== null && typeof reason !== 'string') {
      warnings.push({ code: 'wrong_type', message: `reason is ${describeValue(reason)} and no text; "Blocked" stands in its place.` });
    }
    return { answer: { kind: 'block', reason: isText ? reason : 'Blocked' }, warnings };
  } catch (error) {
    const message = `The rest of the answer could not be read: ${describeThrown(error)}`;
    return { answer: { kind: 'block', reason: 'Blocked' }, warnings: [{ code: 'wrong_type', message }] };
  }
}

function readRetry(value: Record<string, unknown>): ReadAnswer {
  const given = value['retry_delay_ms'] ?? value['delayMs'];
  const isDelay = typeof given === 'number' && given >= 0;
  const delayMs = isDelay ? Math.min(given, maxDelayMs) : defaultDelayMs;
  const warnings = [...unknownWarnings(value), ...unused(value)];
  if (given !== undefined && given !== null && !isDelay) {
    const message = `retry_delay_ms is ${describeValue(given)} and no number of milliseconds; ${defaultDelayMs} is used.`;
    warnings.push({ code: 'wrong_type', message });
  } else if (isDelay && given > maxDelayMs) {
    warnings.push({ code: 'no_effect', message: `A retry waits ${maxDelayMs} ms at most; ${given} ms were asked for.` });
  }
  return { answer: { kind: 'retry', delayMs }, warnings };
}

/** Only Continue modifies: what was written beside another action is not lost without a word. */
function unused({ action, modified }: Record<string, unknown>): readonly HookWarning[] {
  if (modified === undefined || modified === null) return none;
  return [{ code: 'rewrite_ignored', message: `"modified" counts with Continue alone; beside ${String(action)} it is not applied.` }];
}

function unknownFields(value: Record<string, unknown>): { readonly field: string; readonly nearest: string | undefined }[] {
  const fields: { field: string; nearest: string | undefined }[] = [];
  for (const field in value) {
    if (knownFields.includes(field) || !Object.hasOwn(value, field)) continue;
    fields.push({ field, nearest: nearestName(field, knownFields) });
    if (fields.length === maxUnknownFields) break;
  }
  return fields.sort((a, b) => Number(b.nearest !== undefined) - Number(a.nearest !== undefined));
}

/** More would say nothing new. */
const maxUnknownFields = 16;

function unknownWarnings(value: Record<string, unknown>): HookWarning[] {
  return unknownFields(value).map(({ field, nearest }) => {
    const hint = nearest === undefined ? `It has ${knownFields.join(', ')}.` : `Did you mean "${nearest}"?`;
    // A field that is like no known one hides nothing: a guard that adds a note of its own has not failed (`other_spelling` would say so).
    return {
      code: nearest === undefined ? 'no_effect' : 'other_spelling',
      message: `An answer has no field ${describeValue(field)}. ${hint}`,
    };
  });
}
