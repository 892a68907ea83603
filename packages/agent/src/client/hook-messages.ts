import type { AggregatedHookResult } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { formatFailure } from './failure-text.js';

/** The messages of hooks for the user and for the conversation. They do not include the decision (decision 65). */
export interface HookMessages {
  /** For the conversation and the user. One entry per event, with the messages of its hooks, one on each line. */
  readonly systemMessages: readonly string[];
  /** Only for the user. If hooks did not answer or did not finish, the last entry says why. */
  readonly userMessages: readonly string[];
  /** Whether the result is hidden from the user. The model still sees it. */
  readonly suppressOutput: boolean;
}

/**
 * Returns the messages of the events of one operation, in order. A failure is not reported if `signal` has aborted, because the caller then
 * caused it.
 */
export function collectMessages(results: readonly (AggregatedHookResult | undefined)[], signal?: AbortSignal): HookMessages {
  const present = results.filter((result) => result !== undefined);
  return {
    systemMessages: present.flatMap((result) => toTexts(result.finalOutput?.systemMessage)),
    userMessages: [
      ...present.flatMap((result) => toTexts(result.finalOutput?.hookSpecificOutput?.['userMessage'])),
      // Equal messages appear once. Without a responder on the bus, the events before and after an operation fail with the same message.
      ...new Set(signal?.aborted ? [] : present.flatMap((result) => toTexts(formatFailure(result)))),
    ],
    suppressOutput: present.some((result) => result.finalOutput?.suppressOutput === true),
  };
}

/** Returns the `additionalContext` of the events, which is only for the model: one block per event, ready for the conversation. */
export function collectContext(results: readonly (AggregatedHookResult | undefined)[]): string[] {
  const texts = results.flatMap((result) => toTexts(result?.finalOutput?.hookSpecificOutput?.['additionalContext']));
  return texts.flatMap((text) => formatContextBlock(text) ?? []);
}

/** Returns `reason` and `stopReason` of a verdict or result, and leaves out the one that is undefined. */
export function pickReasons({ reason, stopReason }: { readonly reason?: string | undefined; readonly stopReason?: string | undefined }): {
  reason?: string;
  stopReason?: string;
} {
  return omitUndefined({ reason, stopReason });
}

function toTexts(value: unknown): string[] {
  return typeof value === 'string' && value !== '' ? [value] : [];
}

/** The name of the tag. No hook format uses it. */
const contextTag = 'hook_context';

/**
 * Returns the context that the hooks of one event give the model, as one block. The text cannot close the block. Returns undefined if the
 * text is only white space, because a model would search an empty block for something that is missing.
 *
 * The whole text is escaped, and not only the closing tag. A model is not a parser: it also accepts `</HOOK_CONTEXT >` as the end, and
 * takes a `<system>` inside for the host's own words (field failure 51). `&` is escaped too, so that each text has only one representation.
 * Nothing else is changed or cut. Control characters do no harm, because no program parses the block, and the size of hook output was
 * limited when it was read.
 */
export function formatContextBlock(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<${contextTag}>\n${escaped}\n</${contextTag}>`;
}
