import type { HookToolConfig, LLMRequest, LLMResponse } from '@tenterhook/protocol';

/** How hooks changed a response, in addition to its new value. */
export interface ResponseChange {
  /**
   * Whether a hook returned `candidates`. If so, they replace the response, including function calls, so that a guard can remove a tool
   * call. If not, only texts are applied, and everything that hooks did not see stays (design §4.6).
   */
  readonly replacesCandidates: boolean;
}

/** A call of a tool as a model made it. */
export interface ModelToolCall {
  readonly name: string;
  /** The arguments of the call. Empty if the model did not write an object, but truncated JSON, for example. */
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * Converts between the objects of one SDK and the stable format that hooks read and write (seed 001 §5, decision 14).
 *
 * Every translator promises:
 * - Hooks see only texts. Messages without text are not shown, and stay at their position.
 * - What a hook did not change comes back unchanged: `fromHookRequest(toHookRequest(r), r)` equals `r`. After a change of one message or
 *   config value, nothing else differs.
 * - The methods never change their arguments. The returned object shares its unchanged parts with the original.
 * - A returned list of messages is aligned with the shown one: equal messages first, then by position. An aligned message keeps its parts
 *   that are not text. A new message becomes a separate message. If a message is removed, all its parts are removed, except tool calls,
 *   results, and the parts beside them: a provider refuses a call without its result, and hooks saw neither of the two.
 */
export interface LlmTranslator<Request, Response> {
  /** The name of the format in error messages: `genai`, `openai-chat`, `anthropic`. */
  readonly name: string;
  /** The provider of the models, if only one provider uses this format. @default unknown */
  readonly provider?: string | undefined;

  /** A request as hooks read it. */
  toHookRequest(request: Request): LLMRequest;
  /** The request with the changes of hooks. `changed` is the whole effective request; `original` is the SDK's object that was shown. */
  fromHookRequest(changed: LLMRequest, original: Request): Request;

  /** A response as hooks read it. */
  toHookResponse(response: Response): LLMResponse;
  /**
   * The response with the changes of hooks. `original` is undefined if the model was not called. The response is then made from `changed`
   * alone, and is empty if `changed` is `{}`.
   */
  fromHookResponse(changed: LLMResponse, original: Response | undefined, change: ResponseChange): Response;

  /**
   * The tool calls that the response asks the agent to make, of all candidates and in their order. Hooks of AfterModel read them as
   * `tool_calls`. Tools that the service runs itself are not included. @default hooks receive no calls
   */
  toolCalls?(response: Response): readonly ModelToolCall[];

  /** Names of the functions that the request offers to the model. */
  toolNames(request: Request): readonly string[];
  /**
   * The request with this mode and only these tools. A tool that is not a named function (a search on the server) stays if the mode permits
   * it.
   */
  withToolConfig(request: Request, toolConfig: HookToolConfig): Request;
}

/**
 * The default of the type parameters of the translators. It lets TypeScript infer them from the call that uses the translator.
 *
 * In `callModelWithHooks(client, { request, translator: genAiTranslator(), call })`, TypeScript infers the SDK's own types from `request`
 * and `call`, because every other type takes precedence over `never`, even if the translator is created in a separate statement. A wider
 * default, such as the interface of a request, would take precedence itself, and `call` would receive a request that the SDK does not
 * accept. The disadvantage of `never`: the methods of a translator without type arguments accept no argument if they are called directly.
 * Write `genAiTranslator<Request, Response>()` in this case.
 */
export type InferredFromCall = never;
