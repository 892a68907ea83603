import type { AggregatedHookResult } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { formatFailure } from './failure-text.js';

/** Messages of hooks to the user and the conversation, in addition to their decision (decision 65). */
export interface HookMessages {
  /** For the conversation and the user, one entry for each event: the messages of its hooks, one on each line. */
  readonly systemMessages: readonly string[];
  /** Only for the user. The last entry, once, says why hooks did not answer or did not finish. */
  readonly userMessages: readonly string[];
  /** The result is not shown to the user; the model still sees it. */
  readonly suppressOutput: boolean;
}

/** The messages of the events of one operation, in their order. A failure after the owner of `signal` aborted it is not reported. */
export function collectMessages(results: readonly (AggregatedHookResult | undefined)[], signal?: AbortSignal): HookMessages {
  const present = results.filter((result) => result !== undefined);
  return {
    systemMessages: present.flatMap((result) => toTexts(result.finalOutput?.systemMessage)),
    userMessages: [
      ...present.flatMap((result) => toTexts(result.finalOutput?.hookSpecificOutput?.['userMessage'])),
      // Once: a bus without a responder fails the events before and after an operation alike.
      ...new Set(signal?.aborted ? [] : present.flatMap((result) => toTexts(formatFailure(result)))),
    ],
    suppressOutput: present.some((result) => result.finalOutput?.suppressOutput === true),
  };
}

/** `additionalContext` of the events, only for the model: one block for each event, as it goes into the conversation. */
export function collectContext(results: readonly (AggregatedHookResult | undefined)[]): string[] {
  const texts = results.flatMap((result) => toTexts(result?.finalOutput?.hookSpecificOutput?.['additionalContext']));
  return texts.flatMap((text) => formatContextBlock(text) ?? []);
}

/** The reasons of a verdict, or of a result that passes them on, as far as there are any. */
export function pickReasons({ reason, stopReason }: { readonly reason?: string | undefined; readonly stopReason?: string | undefined }): {
  reason?: string;
  stopReason?: string;
} {
  return omitUndefined({ reason, stopReason });
}

function toTexts(value: unknown): string[] {
  return typeof value === 'string' && value !== '' ? [value] : [];
}

/** No hook format uses this name. */
const contextTag = 'hook_context';

/**
 * What the hooks of one event have for the model, as one block that no part of the text can close. Undefined for white space: an empty block
 * would make a model look for what is missing.
 *
 * The whole text is escaped, not only the closing tag. A model is not a parser: it also accepts `</HOOK_CONTEXT >` as the end, and takes a
 * `<system>` inside for the host's own words (field failure 51). `&` is escaped too, so that a text has one representation only. Nothing
 * else is changed or cut: the block is not parsed, so a control character does no harm, and the output of hooks is bounded where it is read.
 */
export function formatContextBlock(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<${contextTag}>\n${escaped}\n</${contextTag}>`;
}
