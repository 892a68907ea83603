import type { HookWarning } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { HookEventType } from '../definition/hook-event-type.js';
import type { ReadAnswer } from './answer.js';

/** The fields that an event lets a handler rewrite, and their types (decision 48a). `pre_tool_use` has none: its arguments are replaced whole. */
const rewritable: Readonly<Record<HookEventType, Readonly<Record<string, 'string' | 'number' | 'boolean'>>>> = {
  pre_tool_use: {},
  post_tool_use: { success: 'boolean', output: 'string', exit_code: 'number', duration_ms: 'number' },
  generate_start: { prompt: 'string', system_prompt: 'string' },
  generate_end: { response_text: 'string' },
  session_start: {},
  session_end: {},
};

/** Fields that an event may have as null, which is as good as absent: a handler that hands back all it was shown has not written them. */
const nullable: ReadonlySet<string> = new Set(['exit_code', 'system_prompt']);

/**
 * `modified`, as a copy that is plain JSON: the handler may keep its object and change it later. A known field of another type makes the
 * answer a failed call, since it may be a redaction that is lost; a field that cannot be rewritten is a warning.
 */
export function readModified(modified: unknown, eventType: HookEventType): ReadAnswer {
  const copy: unknown = isPlainObject(modified) ? JSON.parse(JSON.stringify(modified)) : undefined;
  if (!isPlainObject(copy)) return { failure: 'its "modified" is no object' };
  if (eventType === 'pre_tool_use') return { answer: { kind: 'continue', modified: copy }, warnings: [] };

  const known = rewritable[eventType];
  const warnings: HookWarning[] = [];
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(copy)) {
    if (!Object.hasOwn(known, name)) warnings.push(notRewritable(name, eventType, Object.keys(known)));
    else if (value === null && nullable.has(name)) continue;
    else if (typeof value === known[name]) fields[name] = value;
    else return { failure: `modified.${name} is ${value === null ? 'null' : `a ${typeof value}`}; a ${known[name]} was due` };
  }
  return { answer: Object.keys(fields).length === 0 ? { kind: 'continue' } : { kind: 'continue', modified: fields }, warnings };
}

function notRewritable(name: string, eventType: HookEventType, known: readonly string[]): HookWarning {
  const what = known.length === 0 ? 'nothing' : known.join(', ');
  return { code: 'no_effect', message: `modified.${name} has no effect: of ${eventType} a handler can rewrite ${what}.` };
}
