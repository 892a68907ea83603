import { type Fields, fieldsOf, type ItemFormat, newCallId, readActionCall, readArguments } from '@tenterhook/agent/internal';

/** The items as the SDK names them. They have the form of the items of the Responses API. */
export const sdkItems: ItemFormat = {
  callOf(item) {
    const { type, callId, name, ...fields } = fieldsOf(item);
    const id = typeof callId === 'string' && callId !== '' ? { id: callId } : {};
    if (type === 'function_call') {
      return typeof name === 'string' ? { ...id, name, args: readArguments(fields['arguments']) } : undefined;
    }
    const call = readActionCall(type, fields);
    return call === undefined ? undefined : { ...id, ...call };
  },
  isCall: (item) => sdkItems.callOf(item) !== undefined || isApprovalRequest(fieldsOf(item)),
  isResult(item) {
    const { type } = fieldsOf(item);
    return typeof type === 'string' && (type.endsWith('_result') || type.endsWith('_output'));
  },
  createCall: ({ id: callId = newCallId('call_'), name, args }) => ({
    type: 'function_call',
    callId,
    name,
    arguments: JSON.stringify(args),
    status: 'completed',
  }),
  createMessage({ role, content }) {
    if (role === 'model') return sdkItems.createAnswer([sdkItems.createText(content)]);
    return { type: 'message', role: role === 'system' ? 'system' : 'user', content };
  },
  createAnswer: (content) => ({ type: 'message', role: 'assistant', status: 'completed', content }),
  createText: (text) => ({ type: 'output_text', text }),
};

/** Whether a server asks whether it may call a tool of an MCP server. */
function isApprovalRequest({ type, providerData }: Fields): boolean {
  return type === 'hosted_tool_call' && fieldsOf(providerData)['type'] === 'mcp_approval_request';
}
