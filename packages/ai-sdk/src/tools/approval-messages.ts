import { fieldsOf, fieldsOfAll } from '@tenterhook/agent/internal';
import { isSameJson } from '@tenterhook/runtime/json';

/** A call for which an approval is looked for. */
export interface ApprovedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/**
 * Whether the last message has the user's approval of a call. An approval counts only for the call with this id, this tool and this input,
 * because the messages may come from a browser.
 */
export function isApproved(messages: readonly unknown[] | undefined, { id, name, input }: ApprovedCall): boolean {
  // Calls of earlier answers may have the same id.
  const answer = fieldsOfAll(messages).findLast(({ role }) => role === 'assistant');
  const parts = fieldsOfAll(answer?.['content']);
  const calls = parts.filter(({ type, toolCallId }) => type === 'tool-call' && toolCallId === id);
  if (calls.length === 0 || !calls.every((call) => call['toolName'] === name && isSameJson(call['input'], input))) return false;
  const requests = parts.filter(({ type, toolCallId }) => type === 'tool-approval-request' && toolCallId === id);
  const { role, content } = fieldsOf(messages?.at(-1));
  const responses = role === 'tool' ? fieldsOfAll(content).filter(({ type }) => type === 'tool-approval-response') : [];
  return requests.some(({ approvalId }) => {
    // The SDK takes the first response to a request, so a later one must not count either.
    return responses.find((response) => response['approvalId'] === approvalId)?.['approved'] === true;
  });
}

/** Whether the run continues with an answer of the user to the question about this call. */
export function isAnswered(messages: readonly unknown[] | undefined, id: string): boolean {
  const requests = fieldsOfAll(messages)
    .flatMap(({ role, content }) => (role === 'assistant' ? fieldsOfAll(content) : []))
    .filter(({ type, toolCallId }) => type === 'tool-approval-request' && toolCallId === id);
  const { role, content } = fieldsOf(messages?.at(-1));
  if (role !== 'tool') return false;
  const answered = fieldsOfAll(content).map(({ type, approvalId }) => (type === 'tool-approval-response' ? approvalId : undefined));
  return requests.some(({ approvalId }) => approvalId !== undefined && answered.includes(approvalId));
}
