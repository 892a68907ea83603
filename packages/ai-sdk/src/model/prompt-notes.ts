import type { HookClient } from '@tenterhook/agent';
import { type CallLedger, type Fields, fieldsOf, listOf, withFields } from '@tenterhook/agent/internal';
import { callsOf, stopText } from '../session-calls.js';
import type { CallParams } from './find-model.js';

/**
 * Takes the reason of a hook that stopped the agent at one of the calls whose results end the prompt. A message of the user after them
 * begins a new turn, which the stop does not concern. The stop is removed, so that it ends one model call only.
 */
export function takeStop(client: HookClient, prompt: readonly object[]): string | undefined {
  const { ledger, hasLeft } = callsOf(client);
  const reasons: string[] = [];
  for (let at = prompt.length - 1; hasLeft && at >= 0 && fieldsOf(prompt[at])['role'] === 'tool'; at -= 1) {
    for (const id of resultIds(prompt[at])) {
      const { stop, additions } = ledger.get(id) ?? {};
      if (stop === undefined) continue;
      reasons.unshift(stopText(stop));
      ledger.finish(id, additions === undefined ? {} : { additions });
    }
  }
  return reasons.length === 0 ? undefined : [...new Set(reasons)].join('\n');
}

/**
 * Writes the texts of hooks after the results of their calls. The history of the app does not contain them, so they are written into each
 * request. The params of the caller are not changed.
 */
export function writeAdditions<Params extends CallParams>(client: HookClient, params: Params): Params {
  const { ledger, hasLeft } = callsOf(client);
  if (!hasLeft) return params;
  const prompt = params.prompt.map((message) => withAdditions(ledger, message));
  return prompt.every((message, at) => message === params.prompt[at]) ? params : withFields(params, { prompt });
}

function withAdditions(ledger: CallLedger, message: object): object {
  if (fieldsOf(message)['role'] !== 'tool') return message;
  const content = listOf(fieldsOf(message)['content']);
  const parts = content.map((part) => {
    const { type, toolCallId, output } = fieldsOf(part);
    const { additions } = (type === 'tool-result' ? ledger.get(String(toolCallId)) : undefined) ?? {};
    return additions === undefined ? part : withFields(fieldsOf(part), { output: appendTexts(fieldsOf(output), additions) });
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

/** The ids of the calls whose results a message has. */
function resultIds(message: unknown): string[] {
  const { role, content } = fieldsOf(message);
  if (role !== 'tool') return [];
  return listOf(content).flatMap((part) => {
    const { type, toolCallId } = fieldsOf(part);
    return type === 'tool-result' && typeof toolCallId === 'string' ? [toolCallId] : [];
  });
}
