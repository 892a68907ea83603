import { isPlainObject } from '@tenterhook/runtime/json';
import { type Fields, fieldsOf, listOf, withFields } from '../fields.js';
import type { HookMessage } from '../hook-message.js';
import type { ModelToolCall } from '../llm-translator.js';
import type { ReturnedCall } from '../returned-candidates.js';
import type { PartFormat } from '../text-parts.js';

/** What differs between the Responses API and libraries that have their own names for its items. */
export interface ItemFormat {
  /** The call of a tool that the agent runs. Undefined for every other item, also for a call that the service runs itself. */
  callOf(item: unknown): ModelToolCall | undefined;
  /** Whether an item asks the agent for something, and needs its answer. */
  isCall(item: unknown): boolean;
  isResult(item: unknown): boolean;
  /** Creates a call that a hook returned. `output` is the output of the model. */
  createCall(call: ReturnedCall, output: readonly unknown[]): unknown;
  /** Creates a message of a request. */
  createMessage(message: HookMessage, systemRole: 'system' | 'developer'): Fields;
  /** Creates a message of a response. */
  createAnswer(content: readonly unknown[]): Fields;
  /** Creates a part of a message of a response. */
  createText(text: string): Fields;
}

export const textParts: PartFormat<unknown> = {
  textOf: (part) =>
    isPlainObject(part) && (part['type'] === 'output_text' || part['type'] === 'input_text') && typeof part['text'] === 'string'
      ? part['text']
      : undefined,
  withText: (part, text) => withFields(fieldsOf(part), { text, ...staleFields(fieldsOf(part)) }),
};

/**
 * Returns the fields of a text part that belong to its old text. Citations have positions in it. The log probabilities contain its tokens,
 * and `parsed` was parsed from it, so both would reveal what a hook removed.
 */
function staleFields({ type, annotations, parsed }: Fields): Fields {
  return {
    logprobs: undefined,
    // Where the OpenAI Agents SDK has both.
    ...(type === 'output_text' ? { providerData: undefined } : {}),
    ...(annotations === undefined ? {} : { annotations: [] }),
    ...(parsed === undefined ? {} : { parsed: null }),
  };
}

/** Whether an item is a message. The short form of a message has no type. */
export function isMessage(item: unknown): item is Fields {
  return isPlainObject(item) && (item['type'] === 'message' || (item['type'] === undefined && 'role' in item));
}

export function isReasoning(item: unknown): boolean {
  return fieldsOf(item)['type'] === 'reasoning';
}

/** Items that belong together: the reasoning of the model, what it led to, and the calls directly after it. */
export interface ItemGroup {
  readonly items: readonly unknown[];
}

/**
 * Groups the items of a conversation. The API refuses a reasoning item without the item after it, and a call without its reasoning. A call
 * without reasoning of its own directly after an answer belongs to the answer.
 */
export function groupItems(format: ItemFormat, items: readonly unknown[]): ItemGroup[] {
  const groups: { items: unknown[]; takesCalls: boolean }[] = [];
  let reasoning: unknown[] = [];
  for (const item of items) {
    if (isReasoning(item)) {
      reasoning.push(item);
      continue;
    }
    const last = groups.at(-1);
    if (format.isCall(item) && reasoning.length === 0 && last?.takesCalls) last.items.push(item);
    else groups.push({ items: [...reasoning, item], takesCalls: format.isCall(item) || (isMessage(item) && item['role'] === 'assistant') });
    reasoning = [];
  }
  return reasoning.length === 0 ? groups : [...groups, { items: reasoning }];
}

/** Returns the parts of a message. Empty if its content is a text. */
export function partsOf(message: unknown): readonly unknown[] {
  return listOf(fieldsOf(message)['content']);
}
