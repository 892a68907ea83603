import { type Fields, fieldsOf } from '../fields.js';
import type { ModelToolCall } from '../llm-translator.js';

/**
 * Returns a call of a tool that OpenAI defines itself, by its type. Such a call has no name, so it gets the name of its type, and its action as
 * arguments. The Responses API and the Agents SDK have the same types.
 */
export function readActionCall(type: unknown, fields: Fields): Omit<ModelToolCall, 'id'> | undefined {
  switch (type) {
    case 'shell_call':
      return { name: 'shell', args: fieldsOf(fields['action']) };
    case 'apply_patch_call':
      return { name: 'apply_patch', args: fieldsOf(fields['operation']) };
    case 'computer_call':
      return {
        name: 'computer',
        args: Array.isArray(fields['actions']) ? { actions: fields['actions'] } : fieldsOf(fields['action']),
      };
    default:
      return undefined;
  }
}
