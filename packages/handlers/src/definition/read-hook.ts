import { longestTimerMs } from '@tenterhook/runtime/async';
import { pathText } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import { describeValue, suggestName } from '@tenterhook/runtime/text';
import { Hook, type HookFields } from './hook.js';
import { hookEventTypes } from './hook-event-type.js';
import { InvalidHookError } from './invalid-hook-error.js';

const text = z.string().min(1, 'must be a non-empty string');

const matcherSchema = z.strictObject({
  tool: text.optional(),
  path_pattern: text.optional(),
  command_pattern: text.optional(),
  session_id: text.optional(),
});

const configSchema = z.strictObject({
  priority: z.number().optional(),
  timeout_ms: z.number().min(1).max(longestTimerMs).optional(),
  async_execution: z.boolean().optional(),
  // Limited, because each call may take until its deadline: more calls could take hours.
  max_retries: z.int().min(0).max(1000).optional(),
  onError: z.enum(['continue', 'block']).optional(),
  recheck: z.boolean().optional(),
});

/** The schema of a hook that a program registers or another process announces. `null` means that the field is missing. */
const hookSchema = z.strictObject({
  id: text,
  event_type: z.enum(hookEventTypes),
  matcher: z.preprocess(withoutNulls, matcherSchema.optional()),
  config: z.preprocess(withoutNulls, configSchema.optional()),
});

const objects: Readonly<Record<string, z.ZodObject>> = { '': hookSchema, matcher: matcherSchema, config: configSchema };

/** Returns the complete hook. Throws an InvalidHookError that names the field, its value and what to write. */
export function readHook(fields: unknown): Hook {
  const parsed = hookSchema.safeParse(fields instanceof Hook ? { ...fields, matcher: fields.matcher && { ...fields.matcher } } : fields);
  if (parsed.success) return new Hook(parsed.data as HookFields);
  const [issue] = parsed.error.issues;
  const path = pathText(issue?.path ?? []);
  const id = (fields as { id?: unknown } | null | undefined)?.id;
  const who = typeof id === 'string' && id !== '' ? `Hook "${id}"` : 'A hook';
  throw new InvalidHookError(path, `${who} cannot be registered: ${formatIssue(issue as z.core.$ZodIssue, path, fields)}`);
}

function formatIssue(issue: z.core.$ZodIssue, path: string, fields: unknown): string {
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    const known = Object.keys(objects[path]?.shape ?? {});
    return `it has no ${path === '' ? 'field' : `${path} field`} "${key}". ${suggestName(key, known, `Known fields: ${known.join(', ')}.`)}`;
  }
  const value = issue.path.reduce<unknown>((current, key) => (current as Record<PropertyKey, unknown> | null | undefined)?.[key], fields);
  const shown = formatFieldValue(value);
  if (path === '') return `it must be an object { id, event_type, matcher?, config? }, and is ${shown}.`;
  if (path === 'event_type') {
    return `event_type is ${shown}. ${suggestName(value, hookEventTypes, `Write one of ${hookEventTypes.join(', ')}.`)}`;
  }
  return `${path} is ${shown}; ${expected[path] ?? 'write a non-empty string'}.`;
}

const expected: Readonly<Record<string, string>> = {
  matcher: 'write { tool, path_pattern, command_pattern, session_id }, or omit it',
  config: 'write { priority, timeout_ms, async_execution, max_retries, onError, recheck }, or omit it',
  'config.priority': 'write a number, for example the default 100',
  'config.timeout_ms': `write milliseconds from 1 to ${longestTimerMs}`,
  'config.async_execution': 'write true or false',
  'config.max_retries': 'write a whole number from 0 to 1000',
  'config.onError': 'write "continue" or "block"',
  'config.recheck': 'write true or false',
};

function withoutNulls(value: unknown): unknown {
  if (value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null && field !== undefined));
}

function formatFieldValue(value: unknown): string {
  if (value === undefined) return 'missing';
  // A RegExp is the most likely mistake. Hooks are plain JSON, so patterns must be strings.
  if (value instanceof RegExp) return `the RegExp ${value} (as a string: "${value.source}")`;
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? `${value}n` : describeValue(value);
  try {
    return JSON.stringify(value).slice(0, 60);
  } catch {
    return describeValue(value);
  }
}
