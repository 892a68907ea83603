import { isPlainObject } from '@tenterhook/runtime/json';
import { AIMessage, type BaseMessage, type ModelAnswer } from '../langchain-library.js';
import { textOf } from './messages.js';

/** The answer of the model in an agent with a `responseFormat`: the messages, and the value that LangChain read from them. */
interface StructuredAnswer {
  readonly structuredResponse: unknown;
  readonly messages: readonly BaseMessage[];
}

/** Returns the message of the model. Undefined for an answer without one, e.g. a `Command` of another middleware. */
export function messageOf(answer: unknown): AIMessage | undefined {
  if (AIMessage.isInstance(answer)) return answer;
  return isStructured(answer) ? answer.messages.find((message): message is AIMessage => AIMessage.isInstance(message)) : undefined;
}

/**
 * Returns the answer with the message as hooks changed it. A value that was read from the old text is read again from the new one, or
 * dropped. If it came from a tool call, it stays as long as the call stays.
 */
export function withMessage(answer: unknown, changed: AIMessage): ModelAnswer {
  const original = messageOf(answer);
  if (!isStructured(answer) || original === undefined) return changed;
  const calls = original.tool_calls ?? [];
  if (calls.length > 0) {
    const isKept = calls.every((call) => changed.tool_calls?.includes(call));
    if (!isKept) return changed;
    return { ...answer, messages: answer.messages.map((message) => (message === original ? changed : message)) } as never;
  }
  try {
    return { ...answer, structuredResponse: JSON.parse(textOf(changed)) as unknown, messages: [changed] } as never;
  } catch {
    return changed;
  }
}

function isStructured(answer: unknown): answer is StructuredAnswer {
  return isPlainObject(answer) && 'structuredResponse' in answer && Array.isArray(answer['messages']);
}
