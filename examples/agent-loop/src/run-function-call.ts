import { executeToolWithHooks, type FinishedToolCall, type ToolSelection } from '@tenterhook/agent';
import type { Agent } from './agent.js';
import type { FunctionCall, Part } from './gen-ai-shape.js';
import { toolOperation } from './operation.js';
import { takeMessages } from './take-messages.js';

/** Runs one tool call of the model, and returns the part of the next request that holds its result. */
export async function runFunctionCall(
  agent: Agent,
  call: FunctionCall,
  toolSelection: ToolSelection | undefined,
): Promise<{ readonly outcome: FinishedToolCall; readonly part: Part }> {
  const { client, tools, ask, watcher, signal } = agent;
  watcher.called(call);
  const tool = tools.find(({ declaration }) => declaration.name === call.name);
  const outcome = await executeToolWithHooks(client, {
    name: call.name,
    input: call.args,
    execute: tool?.execute ?? (() => Promise.reject(new Error(`There is no tool "${call.name}".`))),
    ...(tool === undefined ? {} : { schema: tool.schema }),
    ...(toolSelection === undefined ? {} : { toolSelection }),
    ask,
    signal,
  });
  watcher.did(toolOperation(call, outcome));
  takeMessages(agent, outcome);

  // The result holds everything for the model: the reason if the call did not run, and the context of hooks.
  const { llmContent, error } = outcome.result;
  const shown = outcome.suppressOutput ? '(A hook wants this not to be shown.)' : llmContent;
  watcher.saw([shown, ...outcome.systemMessages].join('\n'), error !== undefined);
  const response = error === undefined ? { output: llmContent } : { error: llmContent };
  return { outcome, part: { functionResponse: { name: call.name, response } } };
}
