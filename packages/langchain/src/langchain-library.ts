import { getConfig } from '@langchain/langgraph';
import type { WrapModelCallHook, WrapToolCallHook } from 'langchain';

// Only this file imports LangChain, so that its versions can be compared here.
export {
  AIMessage,
  type BaseMessage,
  coerceMessageLikeToMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
export { Command, interrupt, isCommand } from '@langchain/langgraph';
export { type AgentMiddleware, createMiddleware, ToolInvocationError } from 'langchain';

/** A call of the model, as a middleware receives it. LangChain does not export the type itself. */
export type ModelRequest = Parameters<WrapModelCallHook>[0];
export type ModelHandler = Parameters<WrapModelCallHook>[1];
export type ModelAnswer = Awaited<ReturnType<WrapModelCallHook>>;

/** A call of a tool, as a middleware receives it. */
export type ToolRequest = Parameters<WrapToolCallHook>[0];
export type ToolHandler = Parameters<WrapToolCallHook>[1];
export type ToolAnswer = Awaited<ReturnType<WrapToolCallHook>>;

/** What LangGraph passes to each node of a run: `configurable` with the `thread_id`, `context`, `store`, `signal`. */
export type Runtime = ToolRequest['runtime'];

/** Returns the runtime with its `configurable`, which early versions of LangChain 1 do not pass to a middleware for tools. */
export function toWholeRuntime(runtime: Runtime): Runtime {
  if (runtime.configurable !== undefined) return runtime;
  const configurable = getConfig()?.configurable;
  return configurable === undefined ? runtime : { ...runtime, configurable };
}
