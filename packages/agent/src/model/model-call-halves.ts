import { omitUndefined } from '@tenterhook/runtime/json';
import { type HookClient, requireClient } from '../client/hook-client.js';
import type { HookMessages } from '../client/hook-messages.js';
import { requireCall, responseRules } from '../require-call.js';
import { askBeforeModel } from './ask-before-model.js';
import { type FinishedModelCall, type ModelCallOptions, type ResponseToReview, toEnded } from './model-call.js';
import type { ModelProgress } from './model-request.js';
import { reportResponse } from './report-response.js';

/** What hooks decided before a model call. `ready`: call the model with this request. Otherwise the call has ended without the model. */
export type ReviewedModelRequest<Request, Response> =
  | (HookMessages & ModelProgress<Request> & { readonly status: 'ready' })
  | FinishedModelCall<Request, Response>;

/**
 * Fires BeforeToolSelection and BeforeModel, and asks the user if a hook asks: the first half of `callModelWithHooks`. Only adapters use
 * it: a framework expects a stream, and whether the response is held is known only when it begins.
 */
export async function reviewRequestWithHooks<Request, Response>(
  client: HookClient,
  options: ModelCallOptions<Request, Response>,
): Promise<ReviewedModelRequest<Request, Response>> {
  const answer = await askBeforeModel(client, options);
  return answer.kind === 'ended' ? answer.outcome : { ...toEnded(answer.progress, options), status: 'ready' };
}

/**
 * Fires AfterModel with a complete response: the second half of `callModelWithHooks`, for a host that has passed the response on already,
 * or that calls the model elsewhere. Without hooks of AfterModel, the outcome has the same response object, which is not read. Rejects only
 * for wrong use, with a TypeError.
 */
export async function reviewResponseWithHooks<Request, Response>(
  client: HookClient,
  options: ResponseToReview<Request, Response>,
): Promise<FinishedModelCall<Request, Response>> {
  requireClient('reviewResponseWithHooks', client, {});
  requireCall('reviewResponseWithHooks', options, responseRules);
  const { request, toolSelection, response, durationMs } = options;
  const progress = { request, ...omitUndefined({ toolSelection }) };
  return reportResponse(client, options, progress, { response, durationMs: Math.round(durationMs) });
}
