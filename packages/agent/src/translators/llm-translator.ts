import type { HookToolConfig, LLMRequest, LLMResponse } from '@tenterhook/protocol';

/** How hooks changed a response, in addition to its new value. */
export interface ResponseChange {
  /**
   * Whether a hook returned `candidates`. If true, they replace the response with its function calls, so that a guard can remove a tool
   * call. If false, only texts are changed, and everything that hooks did not see stays (design §4.6).
   */
  readonly replacesCandidates: boolean;
}

/** A call of a tool as a model made it. */
export interface ModelToolCall {
  readonly name: string;
  /** The arguments of the call. Empty if the model did not write a JSON object, e.g. because its answer was cut off. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The id that the service gave the call. Absent if it gave none. Hooks do not receive it. */
  readonly id?: string;
}

/**
 * Converts between the objects of one SDK and the stable format that hooks read and write (seed 001 §5, decision 14).
 *
 * Every translator promises:
 * - Hooks see only texts. Messages without text are not shown, and keep their position.
 * - What a hook did not change comes back unchanged: `fromHookRequest(toHookRequest(r), r)` equals `r`.
 * - The methods do not change their arguments. The result shares its unchanged parts with the original.
 * - Returned messages are aligned with the shown ones. Equal messages are aligned first, then the others by position. An aligned message
 *   keeps its parts that are not text. Any other returned message is new.
 * - If a hook removes a message, its tool calls and results stay, with the parts beside them. Hooks do not see these, and a provider
 *   refuses a call without its result.
 */
export interface LlmTranslator<Request, Response> {
  /** The name of the format in error messages: `genai`, `openai-chat`, `anthropic`. */
  readonly name: string;
  /** The provider of the models, if only one provider uses this format. @default unknown */
  readonly provider?: string | undefined;

  /** A request as hooks read it. */
  toHookRequest(request: Request): LLMRequest;
  /** The request with the changes of hooks. `changed` is the whole request as hooks left it. `original` is the SDK's object. */
  fromHookRequest(changed: LLMRequest, original: Request): Request;

  /** A response as hooks read it. */
  toHookResponse(response: Response): LLMResponse;
  /**
   * The response with the changes of hooks. If the model was not called, `original` is undefined, and the response is made from `changed`
   * alone. An empty `changed` makes an empty response.
   */
  fromHookResponse(changed: LLMResponse, original: Response | undefined, change: ResponseChange): Response;

  /**
   * The tool calls of all candidates, in their order. Hooks of AfterModel read them as `tool_calls`. Tools that the service runs itself are
   * not included. @default hooks receive no calls
   */
  toolCalls?(response: Response): readonly ModelToolCall[];

  /** Names of the functions that the request offers to the model. */
  toolNames(request: Request): readonly string[];
  /** The request with this mode and only these tools. Other kinds of tools, e.g. a search on the server, stay if the mode permits it. */
  withToolConfig(request: Request, toolConfig: HookToolConfig): Request;
}

/**
 * The default of a translator's type parameters. It lets TypeScript infer them from the call that uses the translator. In
 * `callModelWithHooks(client, { request, translator: genAiTranslator(), call })`, they come from `request` and `call`.
 *
 * This works because every other type takes precedence over `never`. A wider default was rejected, because it would take precedence over
 * the types of the SDK. If you call a method of a translator directly, write `genAiTranslator<Request, Response>()`. Otherwise the method
 * accepts no argument.
 */
export type InferredFromCall = never;
