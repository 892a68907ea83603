import { AIMessage, type BaseMessage, HumanMessage, type ToolMessage } from '@langchain/core/messages';
import { type FakeBuiltModel, fakeModel } from '@langchain/core/testing';
import type { HookClient } from '@tenterhook/agent';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { type HooksMiddlewareOptions, hooksMiddleware } from '../src/index.js';

/** A call of a tool, as a scripted model makes it. */
export const call = (name: string, args: Record<string, unknown>, id: string) => ({ name, args, id });

export type Step = ReturnType<typeof call>[] | string | Error | AIMessage;

/** A model that gives these answers in their order: calls of tools, a text, a message, or an error. */
export function scripted(...steps: readonly Step[]): FakeBuiltModel {
  return steps.reduce<FakeBuiltModel>((model, step) => {
    if (typeof step === 'string') return model.respond(new AIMessage(step));
    return Array.isArray(step)
      ? model.respond(new AIMessage({ content: '', tool_calls: step.map((each) => ({ ...each, type: 'tool_call' as const })) }))
      : model.respond(step);
  }, fakeModel());
}

/** Tools that record with which arguments they ran. `behaviour` replaces what a tool does. */
export function recordingTools(behaviour: Readonly<Record<string, (args: never, config: never) => unknown>> = {}) {
  const ran: string[] = [];
  const define = (name: string, schema: z.ZodObject, run: (args: Record<string, unknown>) => unknown, fields: object = {}) =>
    tool(
      (args: Record<string, unknown>, config: unknown) => {
        ran.push(`${name} ${JSON.stringify(args)}`);
        return (behaviour[name] ?? run)(args as never, config as never) as string;
      },
      { name, description: name, schema, ...fields } as never,
    );
  const tools = [
    define('read_file', z.object({ path: z.string() }), ({ path }) => `content of ${path}`),
    define('write_file', z.object({ path: z.string() }), ({ path }) => `wrote ${path}`),
    define('show', z.object({}), () => ['text', { secret: 'K-1' }], { responseFormat: 'content_and_artifact' }),
  ];
  return { tools, ran };
}

export interface Ran {
  readonly messages: BaseMessage[];
  readonly __interrupt__?: { readonly id: string; readonly value: Record<string, unknown> }[];
}

/** Creates an agent with the hooks of a client. */
export function agentOf(
  client: HookClient,
  model: FakeBuiltModel,
  { options, ...fields }: { readonly options?: HooksMiddlewareOptions } & Partial<Parameters<typeof createAgent>[0]> = {},
) {
  const agent = createAgent({ model, middleware: [hooksMiddleware(client, options)], ...fields } as Parameters<typeof createAgent>[0]);
  return {
    agent,
    /** Runs a turn, in a thread if its id is given. */
    async run(prompt: string, config: object = {}): Promise<Ran> {
      return (await agent.invoke({ messages: [new HumanMessage({ content: prompt, id: `prompt ${prompt}` })] }, config as never)) as never;
    },
  };
}

/** The messages as short texts: the type and the content. */
export function textsOf({ messages }: Pick<Ran, 'messages'>): string[] {
  return messages.map(
    (message) => `${message.getType()}: ${typeof message.content === 'string' ? message.content : JSON.stringify(message.content)}`,
  );
}

/** The result of a call. */
export function resultOf({ messages }: Pick<Ran, 'messages'>, callId: string): ToolMessage {
  const found = messages.find((message) => (message as ToolMessage).tool_call_id === callId);
  if (found === undefined) throw new Error(`There is no result of ${callId}.`);
  return found as ToolMessage;
}

/** The content of the messages that the model received in its n-th call. */
export function requestOf(model: FakeBuiltModel, place: number): string[] {
  return textsOf({ messages: model.calls[place]?.messages as BaseMessage[] });
}
