import type { AggregatedHookResult } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { formatFailure } from './failure-text.js';

/** Messages of hooks to the user and the conversation, in addition to their decision (decision 65). */
export interface HookMessages {
  /** For the conversation and the user. One entry per event, with the messages of its hooks, one on each line. */
  readonly systemMessages: readonly string[];
  /** Only for the user. If hooks did not answer or did not finish, the last entry says why. */
  readonly userMessages: readonly string[];
  /** Whether the result is hidden from the user. The model still sees it. */
  readonly suppressOutput: boolean;
}

/**
 * The messages of the events of one operation, in order. A failure is not reported if `signal` has aborted, because its owner caused it.
 */
export function collectMessages(results: readonly (AggregatedHookResult | undefined)[], signal?: AbortSignal): HookMessages {
  const present = results.filter((result) => result !== undefined);
  return {
    systemMessages: present.flatMap((result) => toTexts(result.finalOutput?.systemMessage)),
    userMessages: [
      ...present.flatMap((result) => toTexts(result.finalOutput?.hookSpecificOutput?.['userMessage'])),
      // Equal messages appear once: without a responder on the bus, the events before and after an operation fail with the same message.
      ...new Set(signal?.aborted ? [] : present.flatMap((result) => toTexts(formatFailure(result)))),
    ],
    suppressOutput: present.some((result) => result.finalOutput?.suppressOutput === true),
  };
}

/** The `additionalContext` of the events, which is only for the model: one block per event, ready for the conversation. */
export function collectContext(results: readonly (AggregatedHookResult | undefined)[]): string[] {
  const texts = results.flatMap((result) => toTexts(result?.finalOutput?.hookSpecificOutput?.['additionalContext']));
  return texts.flatMap((text) => formatContextBlock(text) ?? []);
}

/** The `reason` and `stopReason` of a verdict, or of a result that has both fields, without absent ones. */
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
 * The context that the hooks of one event give the model, as one block. The text cannot close the block. Undefined if the text is only
 * white space: a model would look for what is missing in an empty block.
 *
 * The whole text is escaped, not only the closing tag. A model is not a parser: it also accepts `</HOOK_CONTEXT >` as the end, and takes a
 * `<system>` inside for the host's own words (field failure 51). `&` is escaped too, so that each text has only one representation. Nothing
 * else is changed or cut: the block is not parsed, so control characters do no harm, and the output of hooks is limited where it is read.
 */
export function formatContextBlock(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<${contextTag}>\n${escaped}\n</${contextTag}>`;
}
