import type { AggregatedHookResult } from '@tenterhook/protocol';
import { contextBlock } from '../context-block.js';
import { failureText } from './failure-text.js';

/** What hooks said to people and to the conversation, beside their decision (decision 65). */
export interface HookMessages {
  /** For the conversation and the user, one entry an event: the messages of its hooks, a line each. */
  readonly systemMessages: readonly string[];
  /** For the user alone. Last, and once, what kept hooks from being asked, or from finishing. */
  readonly userMessages: readonly string[];
  /** The result is not shown to the user; the model sees it all the same. */
  readonly suppressOutput: boolean;
}

/** The messages of the events of one operation, in their order. `signal`: what its owner ended is not reported to them. */
export function messagesOf(results: readonly (AggregatedHookResult | undefined)[], signal?: AbortSignal): HookMessages {
  const present = results.filter((result) => result !== undefined);
  return {
    systemMessages: present.flatMap((result) => textOf(result.finalOutput?.systemMessage)),
    userMessages: [
      ...present.flatMap((result) => textOf(result.finalOutput?.hookSpecificOutput?.['userMessage'])),
      // Once: a bus that nobody answers on fails the events before and after an operation alike.
      ...new Set(signal?.aborted ? [] : present.flatMap((result) => textOf(failureText(result)))),
    ],
    suppressOutput: present.some((result) => result.finalOutput?.suppressOutput === true),
  };
}

/** `additionalContext` of the events, for the model alone: a block an event, as it goes into the conversation. */
export function contextOf(results: readonly (AggregatedHookResult | undefined)[]): string[] {
  const texts = results.flatMap((result) => textOf(result?.finalOutput?.hookSpecificOutput?.['additionalContext']));
  return texts.flatMap((text) => contextBlock(text) ?? []);
}

function textOf(value: unknown): string[] {
  return typeof value === 'string' && value !== '' ? [value] : [];
}
