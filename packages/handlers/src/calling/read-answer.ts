import type { HookWarning } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeThrown, describeValue, nearestName } from '@tenterhook/runtime/text';
import type { HookEventType } from '../definition/hook-event-type.js';

/** A validated answer. `modified` has all arguments of the tool. For other events it has the rewritten fields (decision 48a). */
export type Answer =
  | { readonly kind: 'continue'; readonly modified?: Readonly<Record<string, unknown>> }
  | { readonly kind: 'block'; readonly reason: string }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'skip' };

export type ReadAnswer =
  | { readonly answer: Answer; readonly warnings: readonly HookWarning[] }
  /** Why the answer is invalid. An invalid answer counts as a failed call. */
  | { readonly failure: string };

const defaultDelayMs = 1000;
export const maxDelayMs = 60_000;

const knownFields = ['action', 'reason', 'modified', 'retry_delay_ms', 'delayMs'];

const none: readonly HookWarning[] = Object.freeze([]);
const goOn: ReadAnswer = Object.freeze({ answer: Object.freeze({ kind: 'continue' as const }), warnings: none });

/** Validates what a handler returned. Never throws, even if a getter of the returned value throws. */
export function readAnswer(value: unknown, eventType: HookEventType): ReadAnswer {
  if (value === undefined || value === null) return goOn;
  try {
    return readAction(value, eventType);
  } catch (error) {
    return { failure: `reading the answer failed: ${describeThrown(error)}` };
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

/**
 * Reads the action Continue. A misspelt field makes the call fail: the field may be meant to remove a secret, which would stay if
 * the field were ignored.
 */
function readContinue(value: Record<string, unknown>, eventType: HookEventType): ReadAnswer {
  const { modified } = value;
  const read = modified === undefined || modified === null ? goOn : readModified(modified, eventType);
  // Most answers have only known fields. They skip the check for misspelt fields, because it takes as long as reading the answer.
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

/** Reads the action Block. Invalid other fields cause only a warning, so that a deny is never lost. */
function readBlock(value: Record<string, unknown>): ReadAnswer {
  try {
    const { reason } = value;
    const isText = typeof reason === 'string' && reason !== '';
    const warnings = [...unknownWarnings(value), ...unused(value)];
    if (reason !== undefined && reason !== null && typeof reason !== 'string') {
      warnings.push({
        code: 'wrong_type',
        message: `reason must be a string, and is ${describeValue(reason)}; "Blocked" is used instead.`,
      });
    }
    return { answer: { kind: 'block', reason: isText ? reason : 'Blocked' }, warnings };
  } catch (error) {
    const message = `Reading the rest of the answer failed: ${describeThrown(error)}`;
    return { answer: { kind: 'block', reason: 'Blocked' }, warnings: [{ code: 'wrong_type', message }] };
  }
}

function readRetry(value: Record<string, unknown>): ReadAnswer {
  const given = value['retry_delay_ms'] ?? value['delayMs'];
  const isDelay = typeof given === 'number' && given >= 0;
  const delayMs = isDelay ? Math.min(given, maxDelayMs) : defaultDelayMs;
  const warnings = [...unknownWarnings(value), ...unused(value)];
  if (given !== undefined && given !== null && !isDelay) {
    const message = `retry_delay_ms must be a number of milliseconds, and is ${describeValue(given)}; ${defaultDelayMs} is used.`;
    warnings.push({ code: 'wrong_type', message });
  } else if (isDelay && given > maxDelayMs) {
    warnings.push({ code: 'no_effect', message: `retry_delay_ms is ${given}, and a retry waits at most ${maxDelayMs} ms.` });
  }
  return { answer: { kind: 'retry', delayMs }, warnings };
}

/** Warns about `modified` in an answer other than Continue, because it is then ignored. */
function unused({ action, modified }: Record<string, unknown>): readonly HookWarning[] {
  if (modified === undefined || modified === null) return none;
  return [{ code: 'rewrite_ignored', message: `"modified" has an effect only with Continue; with ${String(action)} it is ignored.` }];
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

/** Further unknown fields of an answer get no warning. */
const maxUnknownFields = 16;

function unknownWarnings(value: Record<string, unknown>): HookWarning[] {
  return unknownFields(value).map(({ field, nearest }) => {
    const hint = nearest === undefined ? `Its fields are ${knownFields.join(', ')}.` : `Did you mean "${nearest}"?`;
    // The code `other_spelling` makes a guard fail. A field that is not similar to a known field was not misspelt, so it gets
    // another code.
    return {
      code: nearest === undefined ? 'no_effect' : 'other_spelling',
      message: `An answer has no field ${describeValue(field)}. ${hint}`,
    };
  });
}

/**
 * The fields of each event that a handler can rewrite, with their types (decision 48a). The list of `pre_tool_use` is empty,
 * because its arguments are replaced as a whole.
 */
const rewritable: Readonly<Record<HookEventType, Readonly<Record<string, 'string' | 'number' | 'boolean'>>>> = {
  pre_tool_use: {},
  post_tool_use: { success: 'boolean', output: 'string', exit_code: 'number', duration_ms: 'number' },
  generate_start: { prompt: 'string', system_prompt: 'string' },
  generate_end: { response_text: 'string' },
  session_start: {},
  session_end: {},
};

/** Fields that may be null in an event. A handler may return the whole event, so null in these fields is not a rewrite. */
const nullable: ReadonlySet<string> = new Set(['exit_code', 'system_prompt']);

/**
 * Returns `modified` as a copy in plain JSON, because the handler may change its object later. A known field with the wrong type
 * makes the call fail: it may be meant to remove a secret, which would otherwise stay. A field that cannot be rewritten causes a
 * warning.
 */
function readModified(modified: unknown, eventType: HookEventType): ReadAnswer {
  const copy: unknown = isPlainObject(modified) ? JSON.parse(JSON.stringify(modified)) : undefined;
  if (!isPlainObject(copy)) return { failure: 'its "modified" is not an object' };
  if (eventType === 'pre_tool_use') return { answer: { kind: 'continue', modified: copy }, warnings: [] };

  const known = rewritable[eventType];
  const warnings: HookWarning[] = [];
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(copy)) {
    if (!Object.hasOwn(known, name)) warnings.push(notRewritable(name, eventType, Object.keys(known)));
    else if (value === null && nullable.has(name)) continue;
    else if (typeof value === known[name]) fields[name] = value;
    else return { failure: `modified.${name} must be a ${known[name]}, and is ${value === null ? 'null' : `a ${typeof value}`}` };
  }
  return { answer: Object.keys(fields).length === 0 ? { kind: 'continue' } : { kind: 'continue', modified: fields }, warnings };
}

function notRewritable(name: string, eventType: HookEventType, known: readonly string[]): HookWarning {
  const what = known.length === 0 ? 'nothing' : known.join(', ');
  return { code: 'no_effect', message: `modified.${name} has no effect: on ${eventType} a handler can rewrite only ${what}.` };
}
