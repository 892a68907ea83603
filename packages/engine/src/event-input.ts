import { eventEntry, type HookEventName, type HookInput, pathText } from '@tenterhook/protocol';
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
  return { ok: false, issues: parsed.error.issues.map((issue) => ({ path: pathText(issue.path), message: issue.message })) };
}

function copyJson(
  value: Readonly<Record<string, unknown>>,
): { ok: true; value: Record<string, unknown> } | { ok: false; issues: InputIssue[] } {
  try {
    return { ok: true, value: JSON.parse(JSON.stringify(value)) as Record<string, unknown> };
  } catch (error) {
    const found = findUnserialisable(value);
    return {
      ok: false,
      issues: [
        found ?? { path: '', message: `The input cannot be written as JSON: ${error instanceof Error ? error.message : String(error)}` },
      ],
    };
  }
}

function textOr(value: unknown, fallback: string): unknown {
  return value === undefined || value === '' ? fallback : value;
}
