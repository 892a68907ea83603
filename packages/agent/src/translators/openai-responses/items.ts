import { isPlainObject } from '@tenterhook/runtime/json';
import { type Fields, fieldsOf, listOf, withFields } from '../fields.js';
import type { ModelToolCall } from '../llm-translator.js';
import { readArguments } from '../returned-candidates.js';
import type { PartFormat } from '../text-parts.js';

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
function staleFields({ annotations, parsed }: Fields): Fields {
  return {
    logprobs: undefined,
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

export function isResult(item: unknown): boolean {
  const { type } = fieldsOf(item);
  return typeof type === 'string' && (type.endsWith('_output') || type === 'mcp_approval_response');
}

/** Whether an item asks the agent for something, and needs its answer. Calls that the service runs itself do not. */
export function isCall(item: unknown): boolean {
  return callOf(item) !== undefined || fieldsOf(item)['type'] === 'mcp_approval_request';
}

/**
 * Returns the call of a tool that the agent runs. The tools that the API defines itself have no name in the call, so they get the name of
 * their type, and their action as arguments.
 */
export function callOf(item: unknown): ModelToolCall | undefined {
  const { type, call_id, name, ...fields } = fieldsOf(item);
  const id = typeof call_id === 'string' ? { id: call_id } : {};
  const named = (args: Fields) => (typeof name === 'string' ? { ...id, name, args } : undefined);
  switch (type) {
    case 'function_call':
      return named(readArguments(fields['arguments']));
    case 'custom_tool_call':
      // The text has the same name as in the API.
      return named({ input: fields['input'] });
    case 'shell_call':
      return isHosted(fields) ? undefined : { ...id, name: 'shell', args: fieldsOf(fields['action']) };
    case 'local_shell_call':
      return { ...id, name: 'local_shell', args: fieldsOf(fields['action']) };
    case 'apply_patch_call':
      return { ...id, name: 'apply_patch', args: fieldsOf(fields['operation']) };
    case 'computer_call':
      return {
        ...id,
        name: 'computer',
        args: Array.isArray(fields['actions']) ? { actions: fields['actions'] } : fieldsOf(fields['action']),
      };
    case 'tool_search_call':
      return fields['execution'] === 'client' ? { ...id, name: 'tool_search', args: readArguments(fields['arguments']) } : undefined;
    default:
      return undefined;
  }
}

/** Whether the commands of a shell call run in a container of the service. */
function isHosted({ environment }: Fields): boolean {
  return fieldsOf(environment)['type'] === 'container_reference';
}

/** Items that belong together: the reasoning of the model, what it led to, and the calls directly after it. */
export interface ItemGroup {
  readonly items: readonly unknown[];
}

/**
 * Groups the items of a conversation. The API refuses a reasoning item without the item after it, and a call without its reasoning. A call
 * without reasoning of its own directly after an answer belongs to the answer.
 */
export function groupItems(items: readonly unknown[]): ItemGroup[] {
  const groups: { items: unknown[]; takesCalls: boolean }[] = [];
  let reasoning: unknown[] = [];
  for (const item of items) {
    if (isReasoning(item)) {
      reasoning.push(item);
      continue;
    }
    const last = groups.at(-1);
    if (isCall(item) && reasoning.length === 0 && last?.takesCalls) last.items.push(item);
    else groups.push({ items: [...reasoning, item], takesCalls: isCall(item) || (isMessage(item) && item['role'] === 'assistant') });
    reasoning = [];
  }
  return reasoning.length === 0 ? groups : [...groups, { items: reasoning }];
}

/** Returns the text parts of a message, and the others. */
export function partsOf(message: unknown): readonly unknown[] {
  return listOf(fieldsOf(message)['content']);
}
