import { eventEntry, type HookEventName, type HookInput } from '@tenterhook/protocol';
import { isPlainObject, pathText } from '@tenterhook/runtime/json';
import type * as z from 'zod';
import { findUnserialisable } from './unserialisable.js';

/** What the system fills in where the request does not, or may not, say it. */
export interface BaseFields {
  readonly sessionId: string | undefined;
  readonly fallbackSessionId: string;
  readonly transcriptPath: string;
  readonly cwd: string;
}

export interface InputIssue {
  /** Where in the input, for example `tool_input.path`. */
  readonly path: string;
  readonly message: string;
}

export type CompletedInput =
  | { readonly ok: true; readonly input: HookInput }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };

/**
 * The whole canonical input of an event. The system's own fields cannot be overridden, except `cwd` and `transcript_path`
 * (decision 32). The result is a copy, plain JSON: hooks, `changes` and the caller never share an object.
 */
export function completeInput(
  eventName: HookEventName,
  fields: Readonly<Record<string, unknown>>,
  base: BaseFields,
  now: Date,
): CompletedInput {
  const copy = copyJson(fields);
  if (!copy.ok) return copy;
  const input = copy.value;
  const baseFields = {
    session_id: base.sessionId ?? textOr(input['session_id'], base.fallbackSessionId),
    transcript_path: input['transcript_path'] ?? base.transcriptPath,
    cwd: input['cwd'] ?? base.cwd,
    hook_event_name: eventName,
    timestamp: now.toISOString(),
  };
  // Twice: the first puts them in front, where a person who prints the input looks; the second lets nothing override them.
  const complete = { ...baseFields, ...input, ...baseFields };
  const parsed = eventEntry(eventName).input.safeParse(complete);
  if (parsed.success) return { ok: true, input: complete as HookInput };
  return {
    ok: false,
    issues: parsed.error.issues.map((issue) => ({ path: pathText(issue.path), message: issueText(issue, valueAt(complete, issue.path)) })),
  };
}

function copyJson(value: unknown): { ok: true; value: Record<string, unknown> } | { ok: false; issues: InputIssue[] } {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(value));
    if (isPlainObject(copy)) return { ok: true, value: copy };
    return { ok: false, issues: [{ path: '', message: 'The input is no object once it is written as JSON; send an object.' }] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, issues: [findSafely(value) ?? { path: '', message: `The input cannot be written as JSON: ${reason}` }] };
  }
}

/** Looking for the place must not fail where writing failed: a getter may throw once more. */
function findSafely(value: unknown): InputIssue | undefined {
  try {
    return findUnserialisable(value);
  } catch {
    return undefined;
  }
}

/** What is wrong with a field in the words of its sender; the schema's own are for those who wrote it. */
function issueText(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'invalid_value' && value !== undefined) {
    return `It is ${shortJson(value)}; give ${issue.values.map((allowed) => JSON.stringify(allowed)).join(', ')}.`;
  }
  if (issue.code !== 'invalid_type') return issue.message;
  const expected = issue.expected === 'record' ? 'object' : issue.expected;
  const found =
    value === undefined ? 'is missing' : `is ${Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`}`;
  return `It ${found}; give ${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}.`;
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function textOr(value: unknown, fallback: string): unknown {
  return value === undefined || value === '' ? fallback : value;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((current, key) => (current as Record<PropertyKey, unknown> | undefined)?.[key], value);
}
