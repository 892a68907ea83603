import { type HookClient, type ReviewedToolCall, reviewToolCallWithHooks, type ToolCallToReview } from '@tenterhook/agent';
import { type Run, toBlocked } from '@tenterhook/agent/internal';
import { isSameJson } from '@tenterhook/runtime/json';

/** A call for the events before the tool. The SDK gives every call an id. */
export type IdentifiedCall = ToolCallToReview & { readonly toolUseId: string };

/** What was decided in an approval callback. */
interface Review {
  readonly id: string;
  readonly name: string;
  /** The input of the model. Hooks may have rewritten it in `reviewed`. */
  readonly input: unknown;
  readonly reviewed: ReviewedToolCall;
}

/** The decisions of one step. */
interface StepReviews {
  /** Those for which `execute` is called, in the order of the calls. */
  readonly waiting: Review[];
  /** The ids of the calls about which the user is asked. */
  readonly asked: Set<string>;
}

/** The decisions by the messages of the step: the SDK passes the same list to the approval callbacks and to `execute`. */
const reviewsByStep = new WeakMap<object, StepReviews>();

/**
 * Fires BeforeTool in an approval callback. `isResumed`: the user has answered a question, and the answer is in the messages. Of several calls
 * with the same id, the user is asked about one only, because the SDK keeps questions and answers by the id.
 */
export async function reviewBeforehand(
  client: HookClient,
  run: Run,
  call: IdentifiedCall,
  messages: readonly unknown[] | undefined,
  isResumed: boolean,
): Promise<ReviewedToolCall> {
  const reviewed = await reviewToolCallWithHooks(client, call);
  if (reviewed.status !== 'asked' || isResumed || messages === undefined) return reviewed;
  const { asked } = reviewsOf(messages);
  if (!asked.has(call.toolUseId)) {
    asked.add(call.toolUseId);
    return reviewed;
  }
  const reason = `It needs confirmation, and the model has made another call with the id ${JSON.stringify(call.toolUseId)} that the user is asked about. An answer could be for either. Make the call again, with an id of its own.`;
  // The SDK need not call `execute` then, and the model reads the reason after the result of the other call.
  run.leave(call.toolUseId, { texts: [`A call of ${call.name} did not run. ${reason}`] });
  return toBlocked(reviewed, reason);
}

/** Keeps a decision until `execute` is called. */
export function keepReview(
  messages: readonly unknown[] | undefined,
  { toolUseId, name, input }: IdentifiedCall,
  reviewed: ReviewedToolCall,
): void {
  if (messages !== undefined) reviewsOf(messages).waiting.push({ id: toolUseId, name, input, reviewed });
}

/**
 * Returns the decision of the approval callback about this call, and removes it: another call of the step may have the same id, tool and
 * input. Otherwise the hooks are asked now: the SDK does not call the callback if the app replaced the setting.
 */
export async function reviewOnce(
  client: HookClient,
  call: IdentifiedCall,
  messages: readonly unknown[] | undefined,
): Promise<ReviewedToolCall> {
  const { toolUseId, name, input } = call;
  const waiting = (messages === undefined ? undefined : reviewsByStep.get(messages))?.waiting ?? [];
  const at = waiting.findIndex((review) => review.id === toolUseId && review.name === name && isSameJson(review.input, input));
  const [known] = at < 0 ? [] : waiting.splice(at, 1);
  return known?.reviewed ?? reviewToolCallWithHooks(client, call);
}

/** Whether an approval callback has decided about a call with this id, and its tool has not run. */
export function hasReview(messages: readonly unknown[] | undefined, id: string): boolean {
  return messages !== undefined && reviewsByStep.get(messages)?.waiting.some((review) => review.id === id) === true;
}

function reviewsOf(messages: readonly unknown[]): StepReviews {
  let reviews = reviewsByStep.get(messages);
  if (reviews === undefined) {
    reviews = { waiting: [], asked: new Set() };
    reviewsByStep.set(messages, reviews);
  }
  return reviews;
}
