import {
  executeToolWithHooks,
  type FinishedToolCall,
  type HookClient,
  reviewToolCallWithHooks,
  runReviewedToolWithHooks,
  type ToolCallToReview,
  type ToolInput,
  type ToolSchema,
} from '@tenterhook/agent';
import { abortError, runsOf, tellMessage, tellMessages, toNotes, toolEvents } from '@tenterhook/agent/internal';
import type { McpContext } from '@tenterhook/protocol';
import { isSameJson, omitUndefined } from '@tenterhook/runtime/json';
import { knownCall, type OwnedCall } from '../known-calls.js';
import { clientOf, type Hooked } from '../options.js';
import type { Approval } from './find-approval.js';
import { hasReview, takeReview } from './reviews.js';
import { isOfHookedModel, type ToolHost } from './tool-host.js';

/** A call of a tool, as the SDK passes it to the tool. */
export interface GatedCall extends OwnedCall {
  readonly name: string;
  readonly input: ToolInput;
  readonly mcpContext?: McpContext | undefined;
  /** Checks an input that hooks rewrote. The tool itself checks the input of the model. */
  readonly schema?: ToolSchema | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What the tool returned, for hooks and for the app. */
export interface ToolValue {
  readonly value: unknown;
  /** What hooks and the model read. @default value */
  readonly llmContent?: unknown;
  readonly exit_code?: number | undefined;
}

export interface GatedOutcome {
  readonly finished: FinishedToolCall;
  /** What the tool returned. Absent if it did not run, or threw. */
  readonly raw?: ToolValue;
  /** Texts for the model behind the result: context, objections and messages of hooks. */
  readonly texts: readonly string[];
}

/** Whether there is nothing to do for a tool call, so that the app's function is called as it is. */
export function isIdleCall(client: HookClient, call: OwnedCall): boolean {
  if (client.has('BeforeTool') || client.has('AfterTool')) return false;
  return knownCall(client, call)?.toolSelection === undefined && !hasReview(client, call);
}

export function toReview(client: HookClient, { options }: Hooked, call: GatedCall): ToolCallToReview {
  const { name, input, callId, mcpContext, schema } = call;
  const known = knownCall(client, call);
  const signal = call.signal ?? known?.signal;
  const { toolSelection } = known ?? {};
  return {
    name,
    input,
    ...omitUndefined({ toolUseId: callId, mcpContext, schema, toolSelection, maxRetries: options.maxRetries, signal }),
  };
}

/**
 * Runs a tool call with the hooks. After an approval, BeforeTool is fired again, and a deny counts. The approval answers a hook that asks about
 * the input that the user saw: that of the review before the approval, or else the input of the model. `approval` is what the SDK says of the
 * call.
 */
export async function runGatedCall(
  client: HookClient,
  hooked: Hooked,
  call: GatedCall,
  approval: Approval | undefined,
  run: (input: ToolInput) => Promise<ToolValue>,
): Promise<GatedOutcome> {
  let raw: ToolValue | undefined;
  const execute = async (input: ToolInput) => {
    raw = await run(input);
    const { llmContent = raw.value, exit_code } = raw;
    return { llmContent, ...omitUndefined({ exit_code }) };
  };
  const known = takeReview(client, call, approval !== undefined);
  const review = toReview(client, hooked, call);
  const { ask } = hooked.options;
  let finished: FinishedToolCall;
  if (known !== undefined && known.status !== 'asked') {
    finished = await runReviewedToolWithHooks(client, known, { execute, ...omitUndefined({ signal: review.signal }) });
  } else if (approval === undefined || (known === undefined && approval.of === 'tool' && ask !== undefined)) {
    // If the user can be asked about each call, the approval of all calls does not answer. A question that has no answer yet stays one.
    const open = known === undefined ? undefined : ('ask' as const);
    finished = await executeToolWithHooks(client, { ...review, execute, ...omitUndefined({ ask, approval: open }) });
  } else {
    const reviewed = await reviewToolCallWithHooks(client, { ...review, approval: approval.of === 'tool' ? 'allow' : 'ask' });
    // Hooks may rewrite the input now. What the user approved is another input then.
    const answer = isSameJson((known ?? call).input, reviewed.input) ? ('allow' as const) : undefined;
    finished = await runReviewedToolWithHooks(client, reviewed, { execute, ...omitUndefined({ answer, signal: review.signal }) });
  }
  // After a failure the framework may run the same call again.
  if (raw !== undefined) approval?.use();
  tellMessages(hooked.options.onMessage, finished, toolEvents(finished));
  const texts = [...(finished.additions ?? []), ...toNotes(finished)];
  return { finished, texts, ...omitUndefined({ raw }) };
}

/** Keeps what a call leaves for the next model calls: a stop, and texts that its result has no place for. */
export function finishCall(host: ToolHost, call: OwnedCall, { finished }: GatedOutcome, additions?: readonly string[]): void {
  const { hooked } = host;
  const client = clientOf(hooked);
  const { status, reason, stopReason } = finished;
  const stop = status === 'stopped' ? omitUndefined({ reason, stopReason }) : undefined;
  if (stop !== undefined && !isOfHookedModel(host, call)) {
    const text = `A hook stopped the agent, but its model is not hooked, so the run goes on (no_effect). Use runWithHooks or hookedModelProvider. ${stopReason ?? reason ?? ''}`;
    tellMessage(hooked.options.onMessage, { text: text.trim(), audience: 'user', eventName: finished.after ? 'AfterTool' : 'BeforeTool' });
  }
  if (call.callId !== undefined) runsOf(client).at(call.key).end(call.callId, { texts: additions, stop });
}

/** Throws what the tool threw, or the reason of an abort. A text of hooks replaces an error whose text they removed. */
export function throwFailure({ finished }: GatedOutcome, signal: AbortSignal | undefined): void {
  if ('thrown' in finished) {
    const { replacement, thrown } = finished;
    throw replacement === undefined ? thrown : new Error(String(replacement.value));
  }
  if (finished.cancelled) throw abortError(signal);
}
