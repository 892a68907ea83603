import { type AgentReply, callModelWithHooks, genAiTranslator } from '@tenterhook/agent';
import type { Agent } from './agent.js';
import { callsOf, type GenerateContentRequest, type GenerateContentResponse, type Part, textOf } from './gen-ai-shape.js';
import { modelOperation } from './operation.js';
import { runFunctionCall } from './run-function-call.js';
import { takeMessages } from './take-messages.js';

const translator = genAiTranslator<GenerateContentRequest, GenerateContentResponse>();

/** The loop of every agent: call the model, carry out its tool calls, send it the results, until it makes no more calls. */
export async function answerPrompt(agent: Agent, prompt: string): Promise<AgentReply> {
  const { client, model, conversation, ask, watcher, signal } = agent;
  conversation.add({ role: 'user', parts: [{ text: prompt }] });

  for (;;) {
    const request = conversation.request();
    const outcome = await callModelWithHooks(client, {
      request,
      translator,
      call: (rewritten) => model.generateContent(rewritten),
      ask,
      signal,
    });
    takeMessages(agent, outcome);
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
      // Passes the selection: a call of a tool that the model was not offered must be refused.
      const ran = await runFunctionCall(agent, call, outcome.toolSelection);
      results.push(ran.part);
      if (ran.outcome.status === 'stopped') return stopped(text, ran.outcome);
    }
    conversation.add({ role: 'user', parts: results });
  }
}

function stopped(text: string, { reason, stopReason }: { readonly reason?: string; readonly stopReason?: string }): AgentReply {
  return { text, stopped: true, stopReason: stopReason ?? reason ?? 'A hook stopped the agent.' };
}
