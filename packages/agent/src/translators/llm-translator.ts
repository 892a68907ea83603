import type { HookToolConfig, LLMRequest, LLMResponse } from '@tenterhook/protocol';

/** What became of a response on its way through the hooks, beyond its value. */
export interface ResponseChange {
  /**
   * A hook returned `candidates`: they replace the response, function calls included, so that a guard can take a tool call away.
   * Without it only texts are taken over, and everything hooks were not shown stays (design §4.6).
   */
  readonly replacesCandidates: boolean;
}

/** A call of a tool as a model made it. */
export interface ModelToolCall {
  readonly name: string;
  /** Empty where the model wrote something that is no object, such as JSON that breaks off. */
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * Between one SDK's objects and the stable format that hooks read and write (seed 001 §5, decision 14).
 *
 * What every translator promises:
 * - hooks are shown texts only; messages without text are not shown, and stay where they were;
 * - what a hook did not change comes back as it was, to the last field: `fromHookRequest(toHookRequest(r), r)` equals `r`, and after
 *   one changed message or config value nothing else differs;
 * - no argument is ever changed, and what is returned shares what was not changed with the original;
 * - a message list that came back is aligned with the one that was shown: equal messages first, then by place. An aligned message
 *   keeps its parts that are no text; a new one becomes a message of its own; one that is gone takes its other parts with it, except tool
 *   calls and results, and what came with them: a provider refuses the one without the other, and hooks were shown neither.
 */
export interface LlmTranslator<Request, Response> {
  /** How an error message calls the format: `genai`, `openai-chat`, `anthropic`. */
  readonly name: string;
  /** Who serves the models of this format, where it is one provider's alone. @default unknown */
  readonly provider?: string | undefined;

  toHookRequest(request: Request): LLMRequest;
  /** `changed` is the whole effective request, `original` the SDK's object that was shown. */
  fromHookRequest(changed: LLMRequest, original: Request): Request;

  toHookResponse(response: Response): LLMResponse;
  /** `original` is undefined where the model was not called: a synthetic response, or an empty one when `changed` is `{}`. */
  fromHookResponse(changed: LLMResponse, original: Response | undefined, change: ResponseChange): Response;

  /**
   * The calls that the response asks the agent to make, of every candidate and in their order; hooks of AfterModel read them as `tool_calls`.
   * What the service runs by itself is none of them. @default hooks are not told
   */
  toolCalls?(response: Response): readonly ModelToolCall[];

  /** Names of the functions the request offers to the model; empty when it offers none. */
  toolNames(request: Request): readonly string[];
  /** The request with this mode and these tools alone; a tool that is no named function (a server-side search) is left where the mode lets it. */
  withToolConfig(request: Request, toolConfig: HookToolConfig): Request;
}
