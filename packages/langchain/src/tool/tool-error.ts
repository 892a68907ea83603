import { type ToolAnswer, ToolInvocationError, type ToolMessage, type ToolRequest } from '../langchain-library.js';
import { createErrorMessage } from './tool-message.js';

type Call = ToolRequest['toolCall'];

/** Tests whether a tool threw a signal of LangGraph, such as an interrupt. It is not a failure, and only the graph can handle it. */
export function isGraphSignal(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && (thrown as { is_bubble_up?: unknown }).is_bubble_up === true;
}

/**
 * Returns what the model reads about an error of a tool, in the words of LangChain. In an agent with a middleware for tools, LangChain does
 * not catch such an error, so the error would end the run.
 */
export function describeToolError(thrown: unknown): string {
  return thrown instanceof ToolInvocationError ? thrown.message : `${thrown}\n Please fix your mistakes.`;
}

/** Returns the answer of a tool, or the message about its error, without an own promise if the tool did not return one. */
export function withErrorMessage(call: Call, signal: AbortSignal | undefined, answer: ToolAnswer | Promise<ToolAnswer>) {
  if (!(answer instanceof Promise)) return answer;
  return answer.catch((error: unknown): ToolMessage => {
    if (isGraphSignal(error) || signal?.aborted) throw error;
    return createErrorMessage(call, describeToolError(error));
  });
}
