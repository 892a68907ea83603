import type { AggregatedHookResult } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { describeAbort } from '@tenterhook/runtime/text';
import { collectMessages, type HookMessages } from '../client/hook-messages.js';
import type { Ask } from '../permission/ask-user.js';
import type { ToolSelection } from '../tool/tool-selection.js';
import type { LlmTranslator } from '../translators/llm-translator.js';
import type { ModelProgress } from './model-request.js';

/** The options that a call and a stream of the model have in common. */
export interface ModelCallOptions<Request, Response> {
  /** The request to send, in the format of the SDK. */
  readonly request: Request;
  /** Converts between the SDK's objects and the format of hooks. */
  readonly translator: LlmTranslator<Request, Response>;
  /** The name of the model's provider, for hooks. @default the provider of the translator */
  readonly modelProvider?: string | undefined;
  /** Asks the user. @default the user cannot be asked, so an ask is a deny */
  readonly ask?: Ask | undefined;
  /** How often BeforeModel is fired again if a hook postpones the call. An integer from 0. @default 3 */
  readonly maxRetries?: number | undefined;
  /** Aborts the hooks, the question to the user and the model. The reason of the abort is part of `stopReason`. @default none */
  readonly signal?: AbortSignal | undefined;
}

/** A call of the model, and how it is carried out. */
export interface ModelCall<Request, Response> extends ModelCallOptions<Request, Response> {
  // The next two fields repeat those of the base type, so that they come before `call`. TypeScript infers types in the order of the
  // fields. It must know the types of `translator` before it infers what `call` returns.
  /** The request to send, in the format of the SDK. */
  readonly request: Request;
  /** Converts between the SDK's objects and the format of hooks. */
  readonly translator: LlmTranslator<Request, Response>;
  /**
   * Calls the model. `request` includes the rewrites of hooks. Resolves when the response is complete (decision 15). Errors are rethrown.
   */
  readonly call: (request: Request, options: { readonly signal: AbortSignal }) => Response | Promise<Response>;
}

/** How a call of the model ended. Every field can be read without comparing `status` first. Fields that do not apply are `undefined`. */
export type FinishedModelCall<Request, Response> = HookMessages & {
  /** What the model received, or would have received. */
  readonly request: Request;
  /**
   * The tools that the model may call now. Pass it to `executeToolWithHooks`, which blocks other tools. Absent if hooks did not select
   * tools.
   */
  readonly toolSelection?: ToolSelection;
  /** The result of BeforeToolSelection. */
  readonly selection?: AggregatedHookResult;
  /** The result of BeforeModel. */
  readonly before?: AggregatedHookResult;
  /** The result of AfterModel. */
  readonly after?: AggregatedHookResult;
} & (
    | {
        /** The model answered. If a hook of AfterModel denied, `reason` is its reason. A deny does not change the response. */
        readonly status: 'responded';
        readonly response: Response;
        readonly reason?: string;
        readonly stopReason?: undefined;
        readonly retryAfterMs?: undefined;
        readonly cancelled?: undefined;
      }
    | {
        /** The model was not called, because a hook provided the response. The hook may also have denied the call (decision 13). */
        readonly status: 'synthetic';
        readonly response: Response;
        readonly reason?: string;
        readonly stopReason?: undefined;
        readonly retryAfterMs?: undefined;
        readonly cancelled?: undefined;
      }
    | {
        /** The model was not called. The response is empty. */
        readonly status: 'blocked';
        readonly response: Response;
        readonly reason: string;
        readonly stopReason?: undefined;
        readonly retryAfterMs?: number;
        readonly cancelled?: undefined;
      }
    | {
        /** The agent loop ends. If the model was called, `response` has the reason of the stop instead of the model's answer. */
        readonly status: 'stopped';
        readonly response?: Response;
        readonly reason?: string;
        readonly stopReason?: string;
        readonly retryAfterMs?: undefined;
        /** The `signal` of the call has aborted. Absent if a hook stops the agent. */
        readonly cancelled?: true;
      }
  );

/** The fields that a finished call has, whatever its status. */
type Ended<Request> = Pick<
  FinishedModelCall<Request, never>,
  keyof HookMessages | 'request' | 'toolSelection' | 'selection' | 'before' | 'after'
>;

/** Returns the values of the fields that do not depend on the status of the call. */
export function toEnded<Request>(
  progress: ModelProgress<Request>,
  { signal }: { readonly signal?: AbortSignal | undefined },
): Ended<Request> {
  const { request, toolSelection, selection, before, after } = progress;
  return {
    ...collectMessages([selection, before, after], signal),
    request,
    ...omitUndefined({ toolSelection, selection, before, after }),
  };
}

/** Returns the end of a call whose signal has aborted. */
export function toCancelled<Request, Response>(
  { signal }: { readonly signal?: AbortSignal | undefined },
  progress: ModelProgress<Request>,
): FinishedModelCall<Request, Response> {
  return {
    ...toEnded(progress, { signal }),
    stopReason: describeAbort('The call was cancelled', signal),
    cancelled: true,
    status: 'stopped',
  };
}

/**
 * A response to review, and the request that led to it. Other options of a model call have no effect on a response.
 */
export interface ResponseToReview<Request, Response>
  extends Pick<ModelCallOptions<Request, Response>, 'request' | 'translator' | 'modelProvider' | 'signal'> {
  /** The complete response of the model. */
  readonly response: Response;
  /** How long the model took, in milliseconds. Hooks receive it. */
  readonly durationMs: number;
  /** The tools that the model could call. Hooks receive it as a part of the request. @default the tools in the request */
  readonly toolSelection?: ToolSelection | undefined;
}

/** Returns a response without text, in the format of the SDK. */
export function createEmptyResponse<Response>(translator: Pick<LlmTranslator<never, Response>, 'fromHookResponse'>): Response {
  return translator.fromHookResponse({}, undefined, { replacesCandidates: true });
}
