/** A call of a tool in the script of a model. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly input: object;
}

/** One answer of a scripted model. */
export interface Turn {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly throws?: unknown;
  /** The stream of this answer, instead of one that is made from its text and calls. */
  readonly stream?: () => ReadableStream<Record<string, unknown>>;
}

/** The call options that the model received. */
export interface Params {
  readonly prompt: readonly { readonly role: string; readonly content: unknown; readonly providerOptions?: unknown }[];
  readonly tools?: readonly { readonly name: string }[];
  readonly temperature?: number;
  readonly abortSignal?: AbortSignal;
}

export interface ScriptedModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  readonly requests: readonly Params[];
  /** The results of `doGenerate` and `doStream`, as the model gave them. */
  readonly results: readonly object[];
}

type Methods = Record<'doGenerate' | 'doStream', (params: Params) => Promise<object>>;

/** Makes a model of the SDK that gives these answers in turn, and then the text "Done.". Like a provider, it rejects after an abort. */
export function scriptModel(version: 'v2' | 'v3' | 'v4', turns: readonly Turn[], make: (methods: Methods) => object): ScriptedModel {
  const requests: Params[] = [];
  const results: object[] = [];
  const answer = (params: Params): Turn => {
    requests.push(params);
    params.abortSignal?.throwIfAborted();
    const turn = turns[requests.length - 1] ?? { text: 'Done.' };
    if (turn.throws !== undefined) throw turn.throws;
    return turn;
  };
  const keep = <Result extends object>(result: Result) => {
    results.push(result);
    return result;
  };
  const model = make({
    doGenerate: async (params) =>
      keep({ ...toResponse(version, answer(params)), providerMetadata: { scripted: { count: requests.length } } }),
    doStream: async (params) => {
      const turn = answer(params);
      return keep({ stream: turn.stream?.() ?? streamOf(partsOf(version, turn)) });
    },
  });
  return Object.assign(model, { requests, results }) as unknown as ScriptedModel;
}

export function toResponse(version: 'v2' | 'v3' | 'v4', { text, calls = [] }: Turn): Record<string, unknown> {
  const reason = calls.length > 0 ? 'tool-calls' : 'stop';
  const texts = text === undefined ? [] : [{ type: 'text', text }];
  const content = [
    ...texts,
    ...calls.map(({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(input) })),
  ];
  return { content, ...endOf(version, reason), warnings: [] };
}

/** The parts of a stream: one piece for each word of the text, with ids and metadata that no code may lose. */
export function partsOf(version: 'v2' | 'v3' | 'v4', { text, calls = [] }: Turn): Record<string, unknown>[] {
  const words = text?.match(/\S+\s*/g) ?? [];
  const providerMetadata = { scripted: { item: 'i1' } };
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'response-metadata', id: 'r1', modelId: 'scripted' },
    ...(text === undefined ? [] : [{ type: 'text-start', id: 't1', providerMetadata }]),
    ...words.map((delta) => ({ type: 'text-delta', id: 't1', delta })),
    ...(text === undefined ? [] : [{ type: 'text-end', id: 't1', providerMetadata }]),
    ...calls.map(({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(input) })),
    { type: 'finish', ...endOf(version, calls.length > 0 ? 'tool-calls' : 'stop') },
  ];
}

function endOf(version: 'v2' | 'v3' | 'v4', reason: string): object {
  if (version === 'v2') return { finishReason: reason, usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } };
  return {
    finishReason: { unified: reason, raw: reason },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 1, text: 1, reasoning: undefined },
    },
  };
}

export function streamOf(parts: readonly Record<string, unknown>[]): ReadableStream<Record<string, unknown>> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}
