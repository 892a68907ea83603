/** What must and must not compile: the agent's side. `npm run typecheck` checks this file; it never runs. */

import type { GenerateContentParameters, GenerateContentResponse } from '@google/genai';
import { type Agent, callModelWithHooks, executeToolWithHooks, genAiTranslator, type HookClient, type Hooks } from 'tenterhook';
import type { Ask, FinishedToolCall, ToolCall, ToolResult } from 'tenterhook/agent';

declare function is<Expected>(value: Expected): void;

/** Every field can be read before the status is compared; afterwards its type is that of the status. */
export async function narrowing(agent: Agent) {
  const turn = await agent.turn({ prompt: 'Hi', respond: () => 'Hello.' });
  is<string | undefined>(turn.response);
  is<string | undefined>(turn.stopReason);
  is<number | undefined>(turn.retryAfterMs);
  if (turn.status === 'completed') is<string>(turn.response);
  if (turn.status === 'blocked') is<string>(turn.reason);
  if (turn.status !== 'stopped') is<undefined>(turn.stopReason);
  // @ts-expect-error A turn has no such status.
  if (turn.status === 'finished') return;
  // @ts-expect-error No end has such a field.
  is<unknown>(turn.result);

  const prompt = await agent.prompt({ prompt: 'Hi' });
  is<string | undefined>(prompt.promptForModel);
  if (prompt.status === 'accepted') is<string>(prompt.promptForModel);
  const answer = await agent.answer({ prompt: 'Hi', response: 'Hello.' });
  is<string | undefined>(answer.nextPrompt ?? answer.stopReason);
  if (answer.status === 'continue') is<string>(answer.nextPrompt);

  const tool = await agent.tool({ name: 'ls', input: {}, execute: () => ({ llmContent: '' }) });
  is<string | undefined>(tool.reason ?? tool.stopReason);
  if (tool.status === 'blocked' || tool.status === 'failed') is<string>(tool.reason);
  switch (tool.status) {
    case 'executed':
    case 'blocked':
    case 'stopped':
    case 'failed':
      return;
    default:
      is<never>(tool);
  }
}

/** What wakes an agent is a text, and may be handled asynchronously. */
export async function waking(hooks: Hooks) {
  const agent = hooks.agent({
    onWake: async ({ text, context, hookId, eventName }) => {
      is<string>(text);
      is<string>(context);
      is<string>(hookId);
      is<string>(eventName);
    },
  });
  is<readonly string[]>((agent.client.late?.take() ?? { context: [] }).context);
  is<boolean>(hooks.isDisposed);
  await hooks.fire('HostStart', {}, { correlationId: 'start-1' });
  // @ts-expect-error A wake has no decision.
  hooks.agent({ onWake: ({ decision }) => decision });
}

/** A function that always returns the same answer needs no `as const`. */
export function asking(hooks: Hooks, signal: AbortSignal) {
  hooks.agent({ ask: async () => 'deny' });
  hooks.agent({ ask: () => 'allow' });
  hooks.agent({
    ask: async ({ subject, reason }, { signal: ended }) => {
      is<string | undefined>(reason);
      if (ended.aborted) return undefined;
      return subject === 'ls' ? 'allow' : 'deny';
    },
  });
  const ask: Ask = async () => (signal.aborted ? 'deny' : 'allow');
  hooks.agent({ ask });
  // @ts-expect-error An answer is a word.
  hooks.agent({ ask: async () => true });
  // @ts-expect-error An answer is one of two words.
  hooks.agent({ ask: () => 'yes' });
}

/** The outcome has the types of the tool's input and result. */
export async function tools(agent: Agent, client: HookClient, called: { name: string; args: Record<string, unknown> }) {
  const read = await agent.tool({
    name: 'read_file',
    input: { path: 'a.txt' },
    execute: async ({ path }) => ({ llmContent: path, lines: 3 }),
  });
  is<string>(read.input.path);
  is<string>(read.result.llmContent);
  is<number | undefined>(read.result.lines);
  // @ts-expect-error A tool that did not run has no lines.
  is<number>(read.result.lines);

  const parts = await executeToolWithHooks(client, {
    name: 'look',
    input: {},
    execute: () => ({ llmContent: [{ type: 'text' as const, text: 'a' }], returnDisplay: { kind: 'table' as const } }),
  });
  is<string | { type: 'text'; text: string }[]>(parts.result.llmContent);
  // @ts-expect-error The result of a call that did not run is a text.
  is<{ type: 'text'; text: string }[]>(parts.result.llmContent);

  await agent.tool({
    name: 'read_file',
    input: { path: 'a.txt' },
    // @ts-expect-error The input has no such field.
    execute: ({ file }) => ({ llmContent: file }),
  });
  // @ts-expect-error A call has a name.
  await agent.tool({ input: {}, execute: () => ({ llmContent: '' }) });
  // @ts-expect-error A result has content for the model.
  await agent.tool({ name: 'ls', input: {}, execute: () => ({ text: '' }) });
  // @ts-expect-error An option is misspelt.
  await agent.tool({ name: 'ls', input: {}, execute: () => ({ llmContent: '' }), aproval: 'ask' });
  await agent.tool({
    name: 'ls',
    input: {},
    execute: () => ({ llmContent: '' }),
    // @ts-expect-error An approval is one of three words.
    approval: 'yes',
  });

  // A table of tools, whose arguments are known at run time only.
  const table: Record<string, (input: Record<string, unknown>) => ToolResult> = {};
  const execute = table[called.name];
  if (execute !== undefined) is<FinishedToolCall>(await agent.tool({ name: called.name, input: called.args, execute }));
  const call: ToolCall = { name: 'ls', input: {}, execute: () => ({ llmContent: '' }) };
  is<unknown>((await agent.tool(call)).result.llmContent);
}

interface Sent {
  readonly text: string;
}

/** The types of the SDK are inferred, for a call and for a stream. */
export async function models(agent: Agent, client: HookClient, request: GenerateContentParameters) {
  const call = async (sent: GenerateContentParameters) => {
    is<string>(sent.model);
    return {} as GenerateContentResponse;
  };
  const model = await callModelWithHooks(client, { request, translator: genAiTranslator(), call });
  is<GenerateContentResponse | undefined>(model.response);
  is<string | undefined>(model.stopReason);
  if (model.status !== 'stopped') is<GenerateContentResponse>(model.response);

  const translator = genAiTranslator<GenerateContentParameters, GenerateContentResponse>();
  async function* stream(sent: GenerateContentParameters): AsyncGenerator<Sent> {
    yield { text: sent.model };
  }
  const collect = (chunks: readonly Sent[]) => ({ text: chunks.length }) as unknown as GenerateContentResponse;
  const toChunks = ({ text }: GenerateContentResponse): Sent[] => [{ text: text ?? '' }];
  const chunks = agent.streamModel({ request, translator, stream, collect, toChunks, afterModel: 'passthrough' });
  for await (const chunk of chunks) is<string>(chunk.text);
  const outcome = await chunks.outcome;
  is<boolean>(outcome.replacesChunks);
  is<string | undefined>(outcome.reason ?? outcome.stopReason);
  if (outcome.status === 'responded') is<GenerateContentResponse>(outcome.response);

  // @ts-expect-error The policy is one of two words.
  agent.streamModel({ request, translator, stream, collect, toChunks, afterModel: 'never' });
  // @ts-expect-error The chunks of a response are not known.
  agent.streamModel({ request, translator, stream, collect });
  // @ts-expect-error A stream is not a call.
  agent.model({ request, translator, call: stream });
}
