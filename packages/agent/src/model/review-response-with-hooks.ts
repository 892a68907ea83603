import { omitUndefined } from '@tenterhook/runtime/json';
import { type HookClient, requireClient } from '../client/hook-client.js';
import { requireCall, responseRules } from '../require-call.js';
import type { FinishedModelCall, ResponseToReview } from './model-call.js';
import { reportResponse } from './report-response.js';

/**
 * Fires AfterModel with a complete response: the second half of `callModelWithHooks`, for a host that has passed the response on already,
 * or that calls the model elsewhere. Without hooks of AfterModel, the outcome has the very response, which is not read. Rejects only for
 * wrong use, with a TypeError.
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
