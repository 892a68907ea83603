import type { HookClient } from '../client/hook-client.js';
import type { HookMessages } from '../client/hook-messages.js';
import { askBeforeModel } from './ask-before-model.js';
import { type FinishedModelCall, type ModelCallOptions, toEnded } from './model-call.js';
import type { ModelProgress } from './model-request.js';

/** What hooks decided before a model call. `ready`: call the model with this request. Otherwise the call has ended without the model. */
export type ReviewedModelRequest<Request, Response> =
  | (HookMessages & ModelProgress<Request> & { readonly status: 'ready' })
  | FinishedModelCall<Request, Response>;

/**
 * Fires BeforeToolSelection and BeforeModel, and asks the user if a hook asks: the first half of `callModelWithHooks`. For adapters, whose
 * frameworks want to be given a stream and not a response.
 */
export async function reviewRequestWithHooks<Request, Response>(
  client: HookClient,
  options: ModelCallOptions<Request, Response>,
): Promise<ReviewedModelRequest<Request, Response>> {
  const answer = await askBeforeModel(client, options);
  return answer.kind === 'ended' ? answer.outcome : { ...toEnded(answer.progress, options), status: 'ready' };
}
