import { type Fields, fieldsOf } from '../fields.js';
import type { ModelToolCall } from '../llm-translator.js';
import { newCallId, readArguments, readCallId } from '../returned-candidates.js';
import { readActionCall } from './action-calls.js';
import type { ItemFormat } from './items.js';

/** The items as the API names them. */
export const responsesItems: ItemFormat = {
  callOf,
  isCall: (item) => callOf(item) !== undefined || fieldsOf(item)['type'] === 'mcp_approval_request',
  isResult(item) {
    const { type } = fieldsOf(item);
    return typeof type === 'string' && (type.endsWith('_output') || type === 'mcp_approval_response');
  },
  createCall({ id: call_id = newCallId('call_'), name, args }, output) {
    const isCustom = output.map(fieldsOf).some((item) => item['type'] === 'custom_tool_call' && item['name'] === name);
    return isCustom && typeof args['input'] === 'string'
      ? { type: 'custom_tool_call', call_id, name, input: args['input'] }
      : { type: 'function_call', call_id, name, arguments: JSON.stringify(args), status: 'completed' };
  },
  createMessage: ({ role, content }, systemRole) => ({ role: { system: systemRole, model: 'assistant', user: 'user' }[role], content }),
  createAnswer: (content) => ({ type: 'message', id: newCallId('msg_'), role: 'assistant', status: 'completed', content }),
  createText: (text) => ({ type: 'output_text', text, annotations: [] }),
};

/** Returns the call of a tool that the agent runs. */
function callOf(item: unknown): ModelToolCall | undefined {
  const { type, call_id, name, ...fields } = fieldsOf(item);
  const id = readCallId(call_id);
  const named = (args: Fields) => (typeof name === 'string' ? { ...id, name, args } : undefined);
  switch (type) {
    case 'function_call':
      return named(readArguments(fields['arguments']));
    case 'custom_tool_call':
      // The text has the same name as in the API.
      return named({ input: fields['input'] });
    case 'local_shell_call':
      return { ...id, name: 'local_shell', args: fieldsOf(fields['action']) };
    case 'tool_search_call':
      return fields['execution'] === 'client' ? { ...id, name: 'tool_search', args: readArguments(fields['arguments']) } : undefined;
    default: {
      const call = type === 'shell_call' && isHosted(fields) ? undefined : readActionCall(type, fields);
      return call === undefined ? undefined : { ...id, ...call };
    }
  }
}

/** Whether the commands of a shell call run in a container of the service. */
function isHosted({ environment }: Fields): boolean {
  return fieldsOf(environment)['type'] === 'container_reference';
}
