import { type HookClient, type ReviewedToolCall, reviewToolCallWithHooks, type ToolCallToReview } from '@tenterhook/agent';
import { isSameJson } from '@tenterhook/runtime/json';
import { callsOf } from '../session-calls.js';

/** A call for the events before the tool. The SDK gives every call an id. */
export type IdentifiedCall = ToolCallToReview & { readonly toolUseId: string };

/** What was reviewed in an approval callback. */
interface Review {
  /** The input of the model. */
  readonly input: unknown;
  /** The input for which the user was asked first. Absent if the user was not asked in this process. */
  readonly asked?: { readonly input: unknown } | undefined;
  /** Whether the run ended with a question about the call. When it continues, the hooks must be asked again. */
  readonly isSuspended: boolean;
}

/** Facts about reviewed calls that the calls themselves do not contain: hooks may have rewritten their input. */
const reviews = new WeakMap<ReviewedToolCall, Review>();

/** Fires BeforeTool in an approval callback, and keeps the answer until the tool runs. `isResumed`: the user has answered a question. */
export async function reviewBeforehand(client: HookClient, call: IdentifiedCall, isResumed: boolean): Promise<ReviewedToolCall> {
  const { ledger } = callsOf(client);
  const earlier = ledger.get(call.toolUseId)?.reviewed;
  const asked = earlier === undefined ? undefined : askedIn(earlier);
  const reviewed = await reviewToolCallWithHooks(client, call);
  reviews.set(reviewed, { input: call.input, asked, isSuspended: reviewed.status === 'asked' && !isResumed });
  ledger.note(call.toolUseId, { reviewed });
  return reviewed;
}

/**
 * Returns the answer of the approval callback, if it was for this tool and this input in this run. Otherwise the hooks are asked now: the SDK does not
 * call the callback if the app replaced the setting.
 */
export async function reviewOnce(
  client: HookClient,
  call: IdentifiedCall,
): Promise<{ readonly reviewed: ReviewedToolCall; readonly askedInput: { readonly input: unknown } | undefined }> {
  const earlier = callsOf(client).ledger.get(call.toolUseId)?.reviewed;
  const review = earlier === undefined ? undefined : reviews.get(earlier);
  const askedInput = earlier === undefined ? undefined : askedIn(earlier);
  // Not all providers give unique ids, so two tools of one response may have the same id.
  const isCurrent = review !== undefined && !review.isSuspended && earlier?.name === call.name && isSameJson(review.input, call.input);
  if (earlier !== undefined && isCurrent) return { reviewed: earlier, askedInput };
  return { reviewed: await reviewToolCallWithHooks(client, call), askedInput };
}

function askedIn(reviewed: ReviewedToolCall): Review['asked'] {
  const review = reviews.get(reviewed);
  return review?.asked ?? (reviewed.status === 'asked' && review !== undefined ? { input: review.input } : undefined);
}
