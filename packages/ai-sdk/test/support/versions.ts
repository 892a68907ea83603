import * as v5 from 'ai-v5';
import { MockLanguageModelV2 } from 'ai-v5/test';
import * as v6 from 'ai-v6';
import { MockLanguageModelV3 } from 'ai-v6/test';
import * as v7 from 'ai-v7';
import { MockLanguageModelV4 } from 'ai-v7/test';
import { type Params, type ScriptedModel, scriptModel, type Turn } from './scripted-model.js';

/** What the tests read of a result of any version. */
export interface Generated {
  readonly text: string;
  readonly finishReason: string;
  readonly content: readonly Record<string, unknown>[];
  readonly steps: readonly Step[];
  readonly response: { readonly messages: readonly Record<string, unknown>[] };
  readonly responseMessages?: readonly Record<string, unknown>[];
  readonly providerMetadata?: Record<string, unknown>;
}

export interface Step {
  readonly text: string;
  readonly content: readonly Record<string, unknown>[];
  readonly toolResults: readonly { readonly toolName: string; readonly output: unknown }[];
}

export interface Streamed {
  readonly fullStream: AsyncIterable<Record<string, unknown>>;
  readonly text: PromiseLike<string>;
  readonly steps: PromiseLike<readonly Step[]>;
  readonly response: PromiseLike<{ readonly messages: readonly Record<string, unknown>[] }>;
  toUIMessageStream(): AsyncIterable<Record<string, unknown>>;
}

export interface AgentOf {
  generate(options: object): Promise<Generated>;
  stream(options: object): Streamed | Promise<Streamed>;
}

/** One version of the SDK behind the same functions. Its own types are checked by types.test.ts. */
export interface Version {
  readonly name: 'v5' | 'v6' | 'v7';
  readonly specificationVersion: 'v2' | 'v3' | 'v4';
  generate(settings: object): Promise<Generated>;
  stream(settings: object): Streamed;
  agent(settings: object): AgentOf;
  model(turns: readonly Turn[]): ScriptedModel;
  readonly createSteering?: () => { steer(message: string): unknown };
}

/** All versions end their loop after eight steps here. AI SDK 5 has no loop without such a setting. */
const stopWhen = ({ steps }: { readonly steps: readonly unknown[] }) => steps.length >= 8;

/** The errors of streams are tested by their parts, so they are not printed. */
const onError = () => {};

type Loose = (settings: object) => unknown;

export const versions: readonly Version[] = [
  {
    name: 'v5',
    specificationVersion: 'v2',
    generate: (settings) => (v5.generateText as unknown as Loose)({ stopWhen, ...settings }) as Promise<Generated>,
    stream: (settings) => (v5.streamText as unknown as Loose)({ stopWhen, onError, ...settings }) as Streamed,
    agent: (settings) => new v5.Experimental_Agent({ stopWhen, ...settings } as never) as unknown as AgentOf,
    model: (turns) => scriptModel('v2', turns, (own) => new MockLanguageModelV2(own as never) as never),
  },
  {
    name: 'v6',
    specificationVersion: 'v3',
    generate: (settings) => (v6.generateText as unknown as Loose)({ stopWhen, ...settings }) as Promise<Generated>,
    stream: (settings) => (v6.streamText as unknown as Loose)({ stopWhen, onError, ...settings }) as Streamed,
    agent: (settings) => new v6.ToolLoopAgent({ stopWhen, ...settings } as never) as unknown as AgentOf,
    model: (turns) => scriptModel('v3', turns, (own) => new MockLanguageModelV3(own as never) as never),
  },
  {
    name: 'v7',
    specificationVersion: 'v4',
    generate: (settings) => (v7.generateText as unknown as Loose)({ stopWhen, ...settings }) as Promise<Generated>,
    stream: (settings) => (v7.streamText as unknown as Loose)({ stopWhen, onError, ...settings }) as Streamed,
    agent: (settings) => new v7.ToolLoopAgent({ stopWhen, ...settings } as never) as unknown as AgentOf,
    model: (turns) => scriptModel('v4', turns, (own) => new MockLanguageModelV4(own as never) as never),
    createSteering: v7.experimental_createSteering,
  },
];

/** The versions with approvals of their own. */
export const withApprovals = versions.filter(({ name }) => name !== 'v5');

export async function readAll(stream: AsyncIterable<Record<string, unknown>>): Promise<Record<string, unknown>[]> {
  const parts: Record<string, unknown>[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

/** The output of the result of a call in a request to the model. */
export function outputIn(params: Params | undefined, id: string): Record<string, unknown> | undefined {
  const parts = (params?.prompt ?? []).flatMap(({ content }) => (Array.isArray(content) ? (content as Record<string, unknown>[]) : []));
  return parts.find(({ type, toolCallId }) => type === 'tool-result' && toolCallId === id)?.['output'] as Record<string, unknown>;
}
