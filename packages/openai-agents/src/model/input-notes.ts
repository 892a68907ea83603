import { type Fields, fieldsOf, type LeftByCall, listOf, type Run, withFields } from '@tenterhook/agent/internal';
import type { ModelRequest } from '../agents-sdk.js';
import { findPlaces } from './place-of-call.js';

/** Whether tool calls of the conversation left something for this request. */
export function hasNotes(run: Run, { input }: ModelRequest): boolean {
  return findResults(run, input).some(({ known }) => known?.stop !== undefined || known?.additions !== undefined);
}

/**
 * Returns the reason if a hook stopped the agent at a call of this turn. A stop of an earlier turn counts no more: the run may have ended
 * without another model call, and the user has gone on.
 */
export function takeStop(run: Run, { input }: ModelRequest): string | undefined {
  if (!run.isSearched) return undefined;
  const items = listOf(input);
  const lastPrompt = items.findLastIndex((item) => fieldsOf(item)['role'] === 'user');
  let text: string | undefined;
  for (const { callId, at, place, known } of findResults(run, input)) {
    if (known?.stop === undefined) continue;
    if (at < lastPrompt) {
      run.forgetStop(callId, place);
      continue;
    }
    const stop = run.takeStop(callId, place);
    text ??= stop?.stopReason ?? stop?.reason ?? 'A hook stopped the agent.';
  }
  return text;
}

/** Adds the texts that belong to results of tools. The result itself has no place for them, so this is done for each request. */
export function writeAdditions(run: Run, request: ModelRequest): ModelRequest {
  if (!run.isSearched || !Array.isArray(request.input)) return request;
  const results = findResults(run, request.input);
  // The calls of a stream are not entered when they are made if the stream is passed on.
  for (const { callId, place } of results) if (run.isUnplaced(callId) && place !== undefined) run.place(callId, place);
  const additions = new Map(results.map(({ at, known }) => [at, known?.additions]));
  const input = request.input.map((item, at) => {
    const texts = isResult(item) ? additions.get(at) : undefined;
    return texts === undefined ? item : withFields(item, { output: appendTo(fieldsOf(item), texts.join('\n')) });
  });
  return input.every((item, at) => item === request.input[at]) ? request : withFields(request, { input });
}

/** An item of the input that belongs to a call. */
interface FoundResult {
  readonly callId: string;
  readonly at: number;
  readonly place: string | undefined;
  readonly known: LeftByCall | undefined;
}

/** Returns the results in the input. Only the last one with an id can be of a call of this run: a new call may have the id of an earlier one. */
function findResults(run: Run, input: ModelRequest['input']): readonly FoundResult[] {
  const items = listOf(input);
  const places = findPlaces(run, input);
  const last = new Map(items.map((item, at) => [fieldsOf(item)['callId'], at]));
  return items.flatMap((item, at) => {
    const { callId } = fieldsOf(item);
    if (typeof callId !== 'string' || last.get(callId) !== at) return [];
    const place = places.get(callId);
    return [{ callId, at, place, known: run.find(callId, place) }];
  });
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
