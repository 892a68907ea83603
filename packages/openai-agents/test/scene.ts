import { Agent, type AgentInputItem, type FunctionTool, run, setTracingDisabled, tool } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel, type ScriptedModelInput } from '@openai/agents/testing';
import type { HookClient } from '@tenterhook/agent';
import { z } from 'zod';
import { type HookOptions, hookAgent } from '../src/index.js';

// Traces would be sent to a service.
setTracingDisabled(true);

/** The input of every call of a recording tool. */
export function recordingTool(name: string, answer: unknown = `text of ${name}`, options: object = {}) {
  const inputs: unknown[] = [];
  const made = tool({
    name,
    description: name,
    parameters: z.object({ path: z.string() }),
    execute: (input) => {
      inputs.push(input);
      if (answer instanceof Error) throw answer;
      return answer as string;
    },
    ...options,
  }) as unknown as FunctionTool;
  return { tool: made, inputs };
}

/** A model that makes these calls in its first answer, and then says "done". */
export function callingModel(...calls: readonly (readonly [name: string, args: object, callId: string])[]): ScriptedModel {
  return new ScriptedModel([
    calls.map(([name, args, callId]) => functionCall(name, args as never, { callId })),
    [assistantMessage('done')],
  ]);
}

export function scripted(...steps: ScriptedModelInput[]): ScriptedModel {
  return new ScriptedModel(steps);
}

/** An agent with hooks. */
export function hookedAgent(
  client: HookClient | (() => HookClient),
  model: ScriptedModel,
  tools: readonly unknown[],
  options?: HookOptions,
) {
  return hookAgent(client, new Agent({ name: 'Ada', instructions: 'be brief', model, tools: tools as never }), options);
}

/** Runs a hooked agent with these tools. */
export async function runHooked(client: HookClient, model: ScriptedModel, tools: readonly unknown[], options?: HookOptions) {
  return run(hookedAgent(client, model, tools, options), 'go');
}

/** The results of tools in a list of items, by the id of the call. */
export function results(items: readonly unknown[] | string): Record<string, unknown> {
  const list = (typeof items === 'string' ? [] : items) as readonly Record<string, unknown>[];
  const outputs = list.filter(({ type }) => /_(result|output)$/.test(String(type)));
  return Object.fromEntries(outputs.map(({ callId, output }) => [callId, textOf(output)]));
}

function textOf(output: unknown): unknown {
  const { type, text } = (output ?? {}) as { type?: unknown; text?: unknown };
  return type === 'text' ? text : output;
}

/** The results that the model read in its last request. */
export function resultsRead(model: ScriptedModel): Record<string, unknown> {
  return results(model.lastCall?.request.input as AgentInputItem[]);
}

export { assistantMessage, functionCall };
