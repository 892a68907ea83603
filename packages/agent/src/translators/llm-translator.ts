import type { HookToolConfig, LLMRequest, LLMResponse } from '@tenterhook/protocol';

/** How hooks changed a response, in addition to its new value. */
export interface ResponseChange {
  /**
   * A hook returned `candidates`: they replace the response, including function calls, so that a guard can remove a tool call. Otherwise
   * only texts are taken over, and everything that hooks did not see stays (design §4.6).
   */
  readonly replacesCandidates: boolean;
}

/** A call of a tool as a model made it. */
export interface ModelToolCall {
  readonly name: string;
  /** Empty when the model wrote something other than an object, such as truncated JSON. */
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * Converts between one SDK's objects and the stable format that hooks read and write (seed 001 §5, decision 14).
 *
 * What every translator promises:
 * - hooks see texts only; messages without text are not shown, and stay where they are;
 * - what a hook did not change comes back unchanged, to the last field: `fromHookRequest(toHookRequest(r), r)` equals `r`, and after one
 *   changed message or config value nothing else differs;
 * - arguments are never changed, and the returned object shares its unchanged parts with the original;
 * - a returned list of messages is aligned with the shown one: equal messages first, then by place. An aligned message keeps its parts that
 *   are not text; a new one becomes a message of its own; a removed one takes its other parts with it, except tool calls and results, and
 *   what came with them: a provider refuses a call without its result, and hooks saw neither.
 */
export interface LlmTranslator<Request, Response> {
  /** The name of the format in error messages: `genai`, `openai-chat`, `anthropic`. */
  readonly name: string;
  /** The provider of the models, if only one provider uses this format. @default unknown */
  readonly provider?: string | undefined;

  /** A request as hooks read it. */
  toHookRequest(request: Request): LLMRequest;
  /** `changed` is the whole effective request, `original` the SDK's object that was shown. */
  fromHookRequest(changed: LLMRequest, original: Request): Request;

  /** A response as hooks read it. */
  toHookResponse(response: Response): LLMResponse;
  /** `original` is undefined when the model was not called: a synthetic response, or an empty one when `changed` is `{}`. */
  fromHookResponse(changed: LLMResponse, original: Response | undefined, change: ResponseChange): Response;

  /**
   * The tool calls that the response asks the agent to make, of every candidate and in their order; hooks of AfterModel read them as
   * `tool_calls`. Tools that the service runs by itself are not included. @default hooks receive none
   */
  toolCalls?(response: Response): readonly ModelToolCall[];

  /** Names of the functions that the request offers to the model. */
  toolNames(request: Request): readonly string[];
  /** The request with only this mode and these tools; a tool that is not a named function (a server-side search) stays if the mode permits it. */
  withToolConfig(request: Request, toolConfig: HookToolConfig): Request;
}

/**
 * The default of the type parameters of the translators, inferred from the call that uses the translator.
 *
 * `callModelWithHooks(client, { request, translator: genAiTranslator(), call })` infers the SDK's own types from `request` and `call`. `never`
 * allows that: as a candidate for inference it loses against every other type, even when the translator is created on a line of its own. Any
 * other default (such as the interface of a request) would win when it is wider, and `call` would receive a request that the SDK does not
 * accept. The cost: a translator without types accepts no argument when it is used by itself, and needs
 * `genAiTranslator<Request, Response>()`.
 */
export type InferredFromCall = never;
