import { genAiTranslator } from 'tenterhook';
import type { AgentReply, FinishedToolCall, ToolSelection } from 'tenterhook/agent';
import {
  callsOf,
  type FunctionCall,
  type GenerateContentRequest,
  type GenerateContentResponse,
  type Part,
  textOf,
} from './gen-ai-shape.js';
import { type Loop, takeMessages } from './loop.js';
import { modelOperation, toolOperation } from './operation.js';

const translator = genAiTranslator<GenerateContentRequest, GenerateContentResponse>();

/**
 * The loop of every agent: it calls the model, carries out the tool calls that the model requests, and sends back the results. It
 * ends when the model requests no tool.
 */
export async function answerPrompt(loop: Loop, prompt: string): Promise<AgentReply> {
  const { agent, model, conversation, watcher } = loop;
  conversation.add({ role: 'user', parts: [{ text: prompt }] });

  for (;;) {
    const request = conversation.request();
    const outcome = await agent.model({ request, translator, call: (rewritten) => model.generateContent(rewritten) });
    takeMessages(loop, outcome);
    watcher.did(modelOperation(request.model, outcome));
    if (outcome.status === 'stopped') return stopped('', outcome);
    if (outcome.status === 'blocked') return outcome.reason;

    const content = outcome.response.candidates?.[0]?.content ?? { role: 'model', parts: [] };
    const text = textOf(content.parts);
    conversation.add(content);
    watcher.said(outcome.status === 'synthetic' ? 'hook' : 'model', text);

    const calls = callsOf(content.parts);
    if (calls.length === 0) return text;

    const results: Part[] = [];
    for (const call of calls) {
      // The selection is passed on, so that a tool call is refused if the model was not offered the tool.
      const ran = await runFunctionCall(loop, call, outcome.toolSelection);
      results.push(ran.part);
      if (ran.outcome.status === 'stopped') return stopped(text, ran.outcome);
    }
    conversation.add({ role: 'user', parts: results });
  }
}

/** Runs one tool call of the model. Returns the part with the result, for the next request. */
async function runFunctionCall(
  loop: Loop,
  call: FunctionCall,
  toolSelection: ToolSelection | undefined,
): Promise<{ readonly outcome: FinishedToolCall; readonly part: Part }> {
  const { agent, tools, watcher } = loop;
  watcher.called(call);
  const tool = tools.find(({ declaration }) => declaration.name === call.name);
  const outcome = await agent.tool({
    name: call.name,
    input: call.args,
    execute: tool?.execute ?? (() => Promise.reject(new Error(`There is no tool "${call.name}".`))),
    schema: tool?.schema,
    toolSelection,
  });
  watcher.did(toolOperation(call, outcome));
  takeMessages(loop, outcome);

  // The result contains everything for the model: the reason if the tool did not run, and the context of hooks.
  const { llmContent, error } = outcome.result;
  const shown = outcome.suppressOutput ? '(Hidden by a hook.)' : llmContent;
  watcher.saw([shown, ...outcome.systemMessages].join('\n'), error !== undefined);
  const response = error === undefined ? { output: llmContent } : { error: llmContent };
  return { outcome, part: { functionResponse: { name: call.name, response } } };
}

function stopped(text: string, { reason, stopReason }: { readonly reason?: string; readonly stopReason?: string }): AgentReply {
  return { text, stopped: true, stopReason: stopReason ?? reason ?? 'A hook stopped the agent.' };
}
