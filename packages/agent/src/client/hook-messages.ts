import type { AggregatedHookResult } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { formatFailure, formatLocalOnly } from './failure-text.js';

/** The messages of hooks for the user and for the conversation. They do not include `reason` and `stopReason` (decision 65). */
export interface HookMessages {
  /** For the conversation and the user. One entry per event, with one line for each message of a hook. */
  readonly systemMessages: readonly string[];
  /** Only for the user. If hooks did not answer or did not finish, or if only the hooks of this machine ran, the last entry says why. */
  readonly userMessages: readonly string[];
  /** Whether the result is hidden from the user. The model still sees it. */
  readonly suppressOutput: boolean;
}

/**
 * Returns the messages of the events of one operation, in order. After an abort of `signal`, failures are left out, because the caller
 * caused them.
 */
export function collectMessages(results: readonly (AggregatedHookResult | undefined)[], signal?: AbortSignal): HookMessages {
  const present = results.filter((result) => result !== undefined);
  return {
    systemMessages: present.flatMap((result) => toTexts(result.finalOutput?.systemMessage)),
    userMessages: [
      ...present.flatMap((result) => toTexts(result.finalOutput?.hookSpecificOutput?.['userMessage'])),
      // Equal messages appear once. If the bus has no responder, the events before and after an operation fail with the same message.
      ...new Set(
        signal?.aborted ? [] : present.flatMap((result) => [...toTexts(formatLocalOnly(result)), ...toTexts(formatFailure(result))]),
      ),
    ],
    suppressOutput: present.some((result) => result.finalOutput?.suppressOutput === true),
  };
}

/** Returns the `additionalContext` of the events, one block per event. The text is for the model only. */
export function collectContext(results: readonly (AggregatedHookResult | undefined)[]): string[] {
  const texts = results.flatMap((result) => toTexts(result?.finalOutput?.hookSpecificOutput?.['additionalContext']));
  return texts.flatMap((text) => formatContextBlock(text) ?? []);
}

/** Returns `reason` and `stopReason`, without a field whose value is undefined. */
export function pickReasons({ reason, stopReason }: { readonly reason?: string | undefined; readonly stopReason?: string | undefined }): {
  reason?: string;
  stopReason?: string;
} {
  return omitUndefined({ reason, stopReason });
}

function toTexts(value: unknown): string[] {
  return typeof value === 'string' && value !== '' ? [value] : [];
}

/** The name of the tag around the context. No hook format uses this name. */
const contextTag = 'hook_context';

/**
 * Returns the context that the hooks of one event give the model, as one block. Returns undefined if the text is only white space.
 *
 * All tags in the text are escaped, not only the closing tag of the block. A model is not a parser. It also accepts `</HOOK_CONTEXT >` as
 * the end, and it may treat a `<system>` in the text as the host's own words (field failure 51). `&` is escaped too, so that different
 * texts stay different.
 */
export function formatContextBlock(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<${contextTag}>\n${escaped}\n</${contextTag}>`;
}
