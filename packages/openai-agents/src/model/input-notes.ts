import { type Fields, fieldsOf, listOf, withFields } from '@tenterhook/agent/internal';
import type { ModelRequest } from '../agents-sdk.js';
import type { Calls } from '../calls.js';

/** Whether tool calls of the conversation left something for this request. */
export function hasNotes(calls: Calls, { input }: ModelRequest): boolean {
  if (!calls.hasLeft) return false;
  return listOf(input).some((item) => {
    const known = knownOf(calls, item);
    return known?.stop !== undefined || known?.additions !== undefined;
  });
}

/**
 * Returns the reason if a hook stopped the agent at a call of this turn. A stop of an earlier turn counts no more: the run may have ended
 * without another model call, and the user has gone on.
 */
export function takeStop(calls: Calls, { input }: ModelRequest): string | undefined {
  if (!calls.hasLeft) return undefined;
  const items = listOf(input);
  const lastPrompt = items.findLastIndex((item) => fieldsOf(item)['role'] === 'user');
  let text: string | undefined;
  for (const [at, item] of items.entries()) {
    const { stop, additions } = knownOf(calls, item) ?? {};
    if (stop === undefined) continue;
    if (at > lastPrompt) text ??= stop.stopReason ?? stop.reason ?? 'A hook stopped the agent.';
    calls.finish(String(fieldsOf(item)['callId']), additions === undefined ? {} : { additions });
  }
  return text;
}

/** Adds the texts that belong to results of tools. The result itself has no place for them, so this is done for each request. */
export function writeAdditions(calls: Calls, request: ModelRequest): ModelRequest {
  if (!calls.hasLeft || !Array.isArray(request.input)) return request;
  const input = request.input.map((item) => {
    const additions = isResult(item) ? knownOf(calls, item)?.additions : undefined;
    return additions === undefined ? item : withFields(item, { output: appendTo(fieldsOf(item), additions.join('\n')) });
  });
  return input.every((item, at) => item === request.input[at]) ? request : withFields(request, { input });
}

function appendTo({ type, output }: Fields, text: string): unknown {
  if (typeof output === 'string') return `${output}\n\n${text}`;
  const parts = listOf(output);
  if (type === 'shell_call_output') {
    const last = fieldsOf(parts.at(-1));
    return [...parts.slice(0, -1), { ...last, stdout: `${String(last['stdout'] ?? '')}\n\n${text}` }];
  }
  if (type === 'apply_patch_call_output') return text;
  const { type: kind, text: before } = fieldsOf(output);
  if (kind === 'text') return { ...fieldsOf(output), text: `${String(before)}\n\n${text}` };
  // A single image or file has no text, and a list has another form of parts.
  const own = Array.isArray(output) ? parts : [output];
  return [...own, { type: 'input_text', text }];
}

function isResult(item: unknown): boolean {
  const { type } = fieldsOf(item);
  return type === 'function_call_result' || type === 'shell_call_output' || type === 'apply_patch_call_output';
}

function knownOf(calls: Calls, item: unknown) {
  const { callId } = fieldsOf(item);
  return typeof callId === 'string' ? calls.get(callId) : undefined;
}
