import { describeOption } from '@tenterhook/runtime/text';

/** The fields of a language model of the AI SDK that the adapter uses. V2, V3 and V4 of `@ai-sdk/provider` have them. */
export interface ModelLike {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
}

/** A model whose methods are called. */
export interface CallableModel extends ModelLike {
  doGenerate(params: CallParams): PromiseLike<GenerateResult>;
  doStream(params: CallParams): PromiseLike<StreamResult>;
}

/** The fields of the call options that the adapter uses. */
export interface CallParams {
  readonly prompt: readonly object[];
  readonly abortSignal?: AbortSignal | undefined;
}

export interface GenerateResult {
  readonly content: readonly object[];
}

export interface StreamResult {
  readonly stream: ReadableStream<StreamPart>;
}

export type StreamPart = Readonly<Record<string, unknown>>;

/**
 * Returns the model object of a setting. A name is looked up in the default provider of the process, as the SDK does. The SDK's own default,
 * the gateway, is not imported here, because a build of the adapter must work with all versions of the SDK.
 */
export function findModel(caller: string, model: unknown): CallableModel {
  if (typeof model !== 'string') return requireModel(caller, model);
  const { AI_SDK_DEFAULT_PROVIDER: provider } = globalThis as {
    readonly AI_SDK_DEFAULT_PROVIDER?: { languageModel?(id: string): unknown } | undefined;
  };
  if (typeof provider?.languageModel !== 'function') {
    throw new TypeError(
      `${caller}: the model "${model}" is a name, and globalThis.AI_SDK_DEFAULT_PROVIDER has no provider for it. Pass a model object, such as gateway('${model}') of "ai".`,
    );
  }
  return requireModel(caller, provider.languageModel(model));
}

function requireModel(caller: string, model: unknown): CallableModel {
  const { doGenerate, doStream } = (model ?? {}) as Partial<CallableModel>;
  if (typeof doGenerate === 'function' && typeof doStream === 'function') return model as CallableModel;
  throw new TypeError(
    `${caller}: "model" must be a language model of the AI SDK with doGenerate and doStream, and is ${describeOption(model)}.`,
  );
}
