import { type Fields, fieldsOf, listOf, type Run, withFields } from '@tenterhook/agent/internal';
import { findCalls } from '../place-of-call.js';
import { stopText } from '../stop-text.js';
import type { CallParams } from './find-model.js';

/** A result of a call in a prompt, and what is known about the call. */
interface FoundResult {
  readonly part: unknown;
  readonly id: string;
  readonly place: string | undefined;
  /** Whether no later result has this id. Only the last one can be of a call of this run: a new call may have the id of an earlier one. */
  readonly isLast: boolean;
}

/**
 * Takes the reason of a hook that stopped the agent at one of the calls whose results end the prompt. A message of the user after them
 * begins a new turn, which the stop does not concern. The stop is removed, so that it ends one model call only.
 */
export function takeStop(run: Run, prompt: readonly object[]): string | undefined {
  if (!run.isSearched) return undefined;
  const end = prompt.findLastIndex((message) => fieldsOf(message)['role'] !== 'tool') + 1;
  const last = new Set(prompt.slice(end).flatMap((message) => listOf(fieldsOf(message)['content'])));
  const reasons = findResults(run, prompt).flatMap(({ part, id, place, isLast }) => {
    const stop = isLast && last.has(part) ? run.takeStop(id, place) : undefined;
    return stop === undefined ? [] : [stopText(stop)];
  });
  return reasons.length === 0 ? undefined : [...new Set(reasons)].join('\n');
}

/**
 * Writes the texts of hooks after the results of their calls. The history of the app does not contain them, so they are written into each
 * request. The params of the caller are not changed.
 */
export function writeAdditions<Params extends CallParams>(run: Run, params: Params): Params {
  if (!run.isSearched) return params;
  const additions = new Map<unknown, readonly string[]>();
  for (const { part, id, place, isLast } of findResults(run, params.prompt)) {
    const { additions: texts } = run.find(isLast ? id : undefined, place) ?? {};
    if (texts !== undefined) additions.set(part, texts);
  }
  if (additions.size === 0) return params;
  return withFields(params, { prompt: params.prompt.map((message) => withAdditions(additions, message)) });
}

function findResults(run: Run, prompt: readonly object[]): readonly FoundResult[] {
  const places = new Map<string, string>();
  const last = new Map<string, unknown>();
  const calls = [...findCalls(run, prompt)];
  const results = prompt.flatMap((message) => {
    const { role, content } = fieldsOf(message);
    if (role === 'assistant') {
      const made = listOf(content).filter((part) => fieldsOf(part)['type'] === 'tool-call').length;
      for (const { id, place } of calls.splice(0, made)) places.set(id, place);
    }
    if (role !== 'tool') return [];
    return listOf(content).flatMap((part) => {
      const { type, toolCallId } = fieldsOf(part);
      if (type !== 'tool-result' || typeof toolCallId !== 'string') return [];
      last.set(toolCallId, message);
      return [{ part, id: toolCallId, place: places.get(toolCallId), message }];
    });
  });
  return results.map(({ message, ...result }) => ({ ...result, isLast: last.get(result.id) === message }));
}

function withAdditions(additions: ReadonlyMap<unknown, readonly string[]>, message: object): object {
  const content = listOf(fieldsOf(message)['content']);
  const parts = content.map((part) => {
    const texts = additions.get(part);
    return texts === undefined ? part : withFields(fieldsOf(part), { output: appendTexts(fieldsOf(fieldsOf(part)['output']), texts) });
  });
  return parts.every((part, at) => part === content[at]) ? message : withFields(message, { content: parts });
}

/** Appends the texts in the form of the output. An output of JSON becomes two texts, because JSON has no place for a text after it. */
function appendTexts(output: Fields, texts: readonly string[]): Fields {
  const added = texts.join('\n');
  const { type, value, reason } = output;
  switch (type) {
    case 'text':
    case 'error-text':
      return withFields(output, { value: `${String(value)}\n\n${added}` });
    case 'error-json':
      return withFields(output, { type: 'error-text', value: `${JSON.stringify(value)}\n\n${added}` });
    case 'execution-denied':
      return withFields(output, { reason: typeof reason === 'string' ? `${reason}\n\n${added}` : added });
    case 'content':
      return withFields(output, { value: [...listOf(value), { type: 'text', text: added }] });
    default: {
      const first = { type: 'text', text: JSON.stringify(value) ?? '' };
      return { type: 'content', value: [first, { type: 'text', text: added }] };
    }
  }
}
