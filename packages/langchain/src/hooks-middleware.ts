import type { ClientSource } from '@tenterhook/agent/internal';
import { Adapter, type HooksMiddlewareOptions } from './adapter.js';
import {
  type AgentMiddleware,
  createMiddleware,
  type ModelRequest,
  type Runtime,
  type ToolRequest,
  toWholeRuntime,
} from './langchain-library.js';
import { wrapModelCall } from './model/wrap-model-call.js';
import { wrapToolCall } from './tool/wrap-tool-call.js';
import { afterAgent } from './turn/after-agent.js';
import { beforeAgent } from './turn/before-agent.js';

/**
 * Creates a middleware for `createAgent` of LangChain that fires the hook events of a turn, of each call of the model and of each call of a
 * tool, and obeys the hooks. Put it first in the list: then hooks see what the model receives last, and tools of other middleware pass it.
 *
 * `client` may be a function that returns the client of a run, e.g. by `runtime.configurable.thread_id`. All calls of one session must get
 * the same client. Throws a TypeError for a wrong client and for unknown or invalid options.
 */
export function hooksMiddleware(client: ClientSource<Runtime>, options: HooksMiddlewareOptions = {}): AgentMiddleware {
  const adapter = new Adapter(client, options);
  return createMiddleware({
    name: 'hooksMiddleware',
    beforeAgent: {
      canJumpTo: ['end'],
      hook: ({ messages }, runtime) => beforeAgent(adapter, messages, toWholeRuntime(runtime as Runtime)),
    },
    wrapModelCall: (request, handler) => wrapModelCall(adapter, request as ModelRequest, handler as never),
    wrapToolCall: (request, handler) => wrapToolCall(adapter, request as ToolRequest, handler as never),
    afterAgent: {
      canJumpTo: ['model'],
      hook: ({ messages }, runtime) => afterAgent(adapter, messages, toWholeRuntime(runtime as Runtime)),
    },
  });
}
