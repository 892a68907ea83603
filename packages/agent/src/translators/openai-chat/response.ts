import type { LLMResponse } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { type Fields, fieldsOf, fieldsOfAll, isSameList, listOf, withFields } from '../fields.js';
import {
  changedText,
  type FinishReasons,
  findCandidate,
  getCandidateIndex,
  settleFinishReason,
  showFinishReason,
  showResponse,
  toUsageMetadata,
} from '../hook-response.js';
import type { ModelToolCall, ResponseChange } from '../llm-translator.js';
import {
  filterCalls,
  joinReturnedText,
  newCallId,
  type ReturnedCandidate,
  type ReturnedPart,
  readArguments,
  readCallId,
  readCandidates,
  reuseParts,
} from '../returned-candidates.js';

export function showOpenAiResponse(response: object): LLMResponse {
  const { choices, usage } = fieldsOf(response);
  const { prompt_tokens, completion_tokens, total_tokens } = fieldsOf(usage);
  return showResponse(
    fieldsOfAll(choices).map((choice, place) => {
      const text = textOf(choice);
      return {
        texts: text === '' ? [] : [text],
        index: getCandidateIndex(choice, place),
        finishReason: showFinishReason(finishReasons, choice['finish_reason']),
      };
    }),
    toUsageMetadata(prompt_tokens, completion_tokens, total_tokens),
  );
}

export function openAiToolCalls(response: object): ModelToolCall[] {
  return fieldsOfAll(fieldsOf(response)['choices']).flatMap((choice) => [
    ...fieldsOfAll(callsOf(choice)).flatMap(({ id, function: called, custom }) => [
      ...functionCallOf(called, id),
      ...customCallOf(custom, id),
    ]),
    // The older form of a call has no id.
    ...functionCallOf(fieldsOf(choice['message'])['function_call'], undefined),
  ]);
}

/**
 * Returns the call of a function. If its arguments are invalid JSON, hooks see empty arguments. A field with the raw text was rejected,
 * because it would look like an argument.
 */
function functionCallOf(called: unknown, id: unknown): ModelToolCall[] {
  const { name, arguments: args } = fieldsOf(called);
  return typeof name === 'string' ? [{ name, args: readArguments(args), ...readCallId(id) }] : [];
}

/** Returns the call of a custom tool, which takes a text. Hooks receive the text as `input`, which is its name in the API. */
function customCallOf(called: unknown, id: unknown): ModelToolCall[] {
  const { name, input } = fieldsOf(called);
  return typeof name === 'string' ? [{ name, args: { input }, ...readCallId(id) }] : [];
}

export function changeOpenAiResponse(changed: LLMResponse, original: object | undefined, change: ResponseChange): object {
  if (original === undefined) return createResponse(changed);
  const choices = fieldsOfAll(fieldsOf(original)['choices']);
  if (change.replacesCandidates && Array.isArray(changed.candidates))
    return withChoices(original, replaceChoices(readCandidates(changed, false), choices));
  const text = changedText(changed, showOpenAiResponse(original));
  if (text === undefined) return original;
  const [first = newChoice(0), ...others] = choices;
  const content = text === '' && callsOf(first).length > 0 ? null : text;
  return withChoices(original, [withMessage(first, { content }), ...others]);
}

function createResponse(changed: LLMResponse): object {
  const { promptTokenCount = 0, candidatesTokenCount = 0, totalTokenCount } = changed.usageMetadata ?? {};
  return {
    id: newCallId('chatcmpl-'),
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    // The SDK requires a model, and no model was called.
    model: 'synthetic',
    choices: replaceChoices(readCandidates(changed, true), []),
    usage: {
      prompt_tokens: promptTokenCount,
      completion_tokens: candidatesTokenCount,
      total_tokens: totalTokenCount ?? promptTokenCount + candidatesTokenCount,
    },
  };
}

/** Replaces the choices. If a hook returned no candidate, one empty choice stays, because callers read the first choice unchecked. */
function replaceChoices(returned: readonly ReturnedCandidate[], originals: readonly Fields[]): readonly Fields[] {
  const candidates = returned.length === 0 ? [{ parts: [] }] : returned;
  return candidates.map((candidate: ReturnedCandidate, place) => {
    const index = candidate.index ?? place;
    return replaceChoice(candidate, findCandidate(originals, index) ?? newChoice(index));
  });
}

function replaceChoice({ parts, finishReason }: ReturnedCandidate, original: Fields): Fields {
  const { tool_calls, function_call, audio } = fieldsOf(original['message']);
  const before = callsOf(original);
  const calls = reuseParts(callParts, filterCalls(parts), before);
  const text = joinReturnedText(parts);
  const message = withMessage(original, {
    content: contentOf(text, calls.length > 0, original),
    tool_calls: calls === before ? tool_calls : calls.length > 0 ? calls : undefined,
    // The call in the older format and the audio are removed, because they have the old content.
    function_call: isPlainObject(function_call) ? undefined : function_call,
    audio: isPlainObject(audio) ? undefined : audio,
  });
  return withFields(message, {
    finish_reason: settleFinishReason(finishReasons, finishReason, original['finish_reason'], calls.length > 0),
    // The log probabilities are removed, because their tokens would reveal the old text.
    logprobs: text === textOf(original) ? original['logprobs'] : null,
  });
}

/** Returns the content of a message: null in a refusal or a message with calls, otherwise a text. */
function contentOf(text: string, hasCalls: boolean, original: Fields): unknown {
  const { content, function_call } = fieldsOf(original['message']);
  const hadCalls = callsOf(original).length > 0 || isPlainObject(function_call);
  if (text === '' && textOf(original) === '' && hasCalls === hadCalls) return content;
  return text === '' && hasCalls ? null : text;
}

const callParts = {
  read(call: unknown): ReturnedPart | undefined {
    const { id, function: called } = fieldsOf(call);
    const { name, arguments: args } = fieldsOf(called);
    if (typeof name !== 'string') return undefined;
    return { kind: 'call', call: { name, args: readArguments(args), ...(typeof id === 'string' ? { id } : {}) } };
  },
  create(returned: ReturnedPart): unknown {
    if (returned.kind !== 'call') return undefined;
    const { id, name, args } = returned.call;
    return { id: id ?? newCallId('call_'), type: 'function', function: { name, arguments: JSON.stringify(args) } };
  },
};

const finishReasons: FinishReasons = {
  shown: new Map([
    ['stop', 'STOP'],
    ['tool_calls', 'STOP'],
    ['function_call', 'STOP'],
    ['length', 'MAX_TOKENS'],
    ['content_filter', 'SAFETY'],
  ]),
  native: new Map([
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
  ]),
  complete: 'stop',
  calls: ['tool_calls', 'function_call'],
};

function newChoice(index: number): Fields {
  return { index, finish_reason: 'stop', logprobs: null, message: { role: 'assistant', content: '', refusal: null } };
}

/** Writes the message. Removes `parsed`, which the SDK parsed from the old text, and which would bring back what a hook removed. */
function withMessage(choice: Fields, fields: Fields): Fields {
  const { content, parsed } = fieldsOf(choice['message']);
  const isStale = fields['content'] !== content && parsed !== undefined;
  return withFields(choice, { message: withFields(fieldsOf(choice['message']), { ...fields, ...(isStale ? { parsed: null } : {}) }) });
}

function withChoices(response: object, choices: readonly Fields[]): object {
  const before = fieldsOfAll(fieldsOf(response)['choices']);
  return isSameList(choices, before) ? response : withFields(response, { choices });
}

function textOf(choice: Fields): string {
  const { content } = fieldsOf(choice['message']);
  return typeof content === 'string' ? content : '';
}

function callsOf(choice: Fields): readonly unknown[] {
  return listOf(fieldsOf(choice['message'])['tool_calls']);
}
