import { eventEntry, type HookEventName, type HookInput } from '@tenterhook/protocol';
import { copyPlainJson, isPlainObject, pathText } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import { describeThrown, nearestName } from '@tenterhook/runtime/text';

/** The fields that the system sets. Some are set only if the request does not have them. */
export interface BaseFields {
  readonly sessionId: string | undefined;
  readonly fallbackSessionId: string;
  readonly transcriptPath: string;
  readonly cwd: string;
}

/** What is wrong with a field of an input. */
export interface InputIssue {
  /** The path in the input, for example `tool_input.path`. */
  readonly path: string;
  /** What the value is, and what it must be. */
  readonly message: string;
}

export type CompletedInput =
  | { readonly ok: true; readonly input: HookInput }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };

/**
 * Completes and validates the input of an event. Of the base fields, a request can set only `cwd` and `transcript_path` (decision 32).
 * The result is a copy as plain JSON. So hooks and the caller never share an object.
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
  // The base fields are written twice: first to make them the first keys, where people look for them, and again so that no field of the
  // request overrides them. A spread of them was rejected: on Node 20, fields that follow a spread take more than a microsecond each.
  const { session_id, transcript_path, cwd, hook_event_name, timestamp } = baseFields;
  const complete: Readonly<Record<string, unknown>> = Object.assign(
    { session_id, transcript_path, cwd, hook_event_name, timestamp, ...input },
    baseFields,
  );
  const schema = eventEntry(eventName).input;
  if (z.accepts(schema, complete)) return { ok: true, input: complete as HookInput };
  const parsed = schema.safeParse(complete);
  if (parsed.success) return { ok: true, input: complete as HookInput };
  return {
    ok: false,
    issues: parsed.error.issues.map((issue) => {
      const message = issueText(issue, valueAt(complete, issue.path));
      return { path: pathText(issue.path), message: `${message}${formatMeantField(issue.path, input, eventName)}` };
    }),
  };
}

type Copied = { readonly ok: true; readonly value: Record<string, unknown> } | { readonly ok: false; readonly issues: InputIssue[] };

function copyJson(fields: Readonly<Record<string, unknown>>): Copied {
  try {
    const toolInput = isPlainObject(fields) ? copyToolInput(fields) : undefined;
    if (toolInput?.ok === false) return toolInput;
    const others = toolInput === undefined ? fields : { ...fields, tool_input: null };
    const copy: unknown = copySimple(others) ?? JSON.parse(JSON.stringify(others));
    if (isPlainObject(copy))
      return { ok: true, value: toolInput === undefined ? copy : Object.assign(copy, { tool_input: toolInput.value }) };
    return { ok: false, issues: [{ path: '', message: 'The input is not an object when it is written as JSON. Send an object.' }] };
  } catch (error) {
    const found = findSafely(fields) ?? { path: '', message: `The input cannot be written as JSON: ${describeThrown(error)}` };
    return { ok: false, issues: [found] };
  }
}

/** Copies fields that JSON does not change, such as texts. Returns undefined if there are others. */
function copySimple(fields: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const prototype: unknown = Object.getPrototypeOf(fields);
  if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in fields) return undefined;
  const copy: Record<string, unknown> = { ...fields };
  if (Object.getOwnPropertySymbols(copy).length > 0) return undefined;
  for (const key in copy) {
    const value = copy[key];
    const isSimple = typeof value === 'string' || typeof value === 'boolean' || value === null;
    if (!isSimple && !(Number.isFinite(value) && !Object.is(value, -0))) return undefined;
  }
  return copy;
}

/**
 * Copies the arguments of the tool. A value that JSON would change is an error, such as an infinite number or a Map. The host runs the
 * tool with its own arguments, so a guard must not see different ones. Other fields only describe the event, so JSON may change them.
 * Returns undefined if the event has no arguments.
 */
function copyToolInput({ tool_input: toolInput }: Readonly<Record<string, unknown>>) {
  if (toolInput === undefined) return undefined;
  const copied = copyPlainJson(toolInput, ['tool_input']);
  if (copied.ok) return copied;
  return { ok: false as const, issues: [{ path: copied.path, message: copied.message }] };
}

/** Returns undefined if the search throws, because a getter that threw before may throw again. */
function findSafely(value: unknown): InputIssue | undefined {
  try {
    return findUnserialisable(value);
  } catch {
    return undefined;
  }
}

/** Returns a suggestion for a missing field, e.g. `tool_name` if the input has `toolName`. The text begins with a blank, or is empty. */
function formatMeantField(path: readonly PropertyKey[], input: Readonly<Record<string, unknown>>, eventName: HookEventName): string {
  const [missing, ...rest] = path;
  if (typeof missing !== 'string' || rest.length > 0 || Object.hasOwn(input, missing)) return '';
  const known = eventEntry(eventName).input.shape;
  const others = Object.keys(input).filter((key) => !Object.hasOwn(known, key) && key.length <= 64);
  const lettersOf = (name: string) => name.toLowerCase().replace(/[_-]/g, '');
  const meant = others.find((key) => lettersOf(key) === lettersOf(missing)) ?? nearestName(missing, others);
  return meant === undefined ? '' : ` The input has ${JSON.stringify(meant)}. Write ${JSON.stringify(missing)}.`;
}

/** Describes an issue and quotes the value that was sent. The messages of the schema do not quote it. */
function issueText(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'invalid_value' && value !== undefined) {
    return `It is ${shortJson(value)}, and must be one of ${issue.values.map((allowed) => JSON.stringify(allowed)).join(', ')}.`;
  }
  if (issue.code !== 'invalid_type') return issue.message;
  const expected = issue.expected === 'record' ? 'object' : issue.expected;
  const found =
    value === undefined ? 'is missing' : `is ${Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`}`;
  return `It ${found}, and must be ${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}.`;
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

/** The maximum nesting depth, far above any useful input. A deeper value could overflow the stack, here or where it is read. */
const maxDepth = 1000;

/** Finds the value that JSON cannot express, and its path. JSON.stringify does not report the path (field failure 36). */
function findUnserialisable(
  value: unknown,
  path: readonly PropertyKey[] = [],
  ancestors: readonly unknown[] = [],
): { path: string; message: string } | undefined {
  const problem = (message: string) => ({ path: pathText(path.slice(0, 8)), message });
  if (typeof value === 'bigint') return problem(`A BigInt (${value}n) cannot be written as JSON. Send a number or a string.`);
  if (typeof value !== 'object' || value === null) return undefined;
  if (ancestors.includes(value)) return problem('The value contains itself and cannot be written as JSON.');
  if (ancestors.length >= maxDepth) return problem(`The value is nested deeper than ${maxDepth} levels. Send a flatter value.`);
  for (const key of Object.keys(value)) {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    const child = readAsJson(value, key);
    if ('failure' in child) {
      return {
        path: pathText(at.slice(0, 8)),
        message: `The value cannot be written as JSON, because reading it failed: ${child.failure}`,
      };
    }
    const found = findUnserialisable(child.value, at, [...ancestors, value]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Reads a value as JSON.stringify does. Getters and `toJSON` methods belong to the caller and may throw. */
function readAsJson(holder: object, key: string): { readonly value: unknown } | { readonly failure: string } {
  try {
    const value = (holder as Readonly<Record<string, unknown>>)[key];
    const toJson = typeof value === 'object' && value !== null ? (value as { readonly toJSON?: unknown }).toJSON : undefined;
    return { value: typeof toJson === 'function' ? toJson.call(value, key) : value };
  } catch (error) {
    return { failure: describeThrown(error) };
  }
}
