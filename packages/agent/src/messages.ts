import type { AggregatedHookResult } from '@tenterhook/protocol';
import { requestFailure } from './request-failure.js';

/** What hooks said to people and to the conversation, beside their decision (decision 65). */
export interface HookMessages {
  /** For the conversation and the user, one entry an event: the messages of its hooks, a line each. */
  readonly systemMessages: readonly string[];
  /** For the user alone. Also says when hooks could not be asked. */
  readonly userMessages: readonly string[];
  /** The result is not shown to the user; the model sees it all the same. */
  readonly suppressOutput: boolean;
}

/** The messages of the events of one operation, in their order. `signal`: what its owner ended is not reported to them. */
export function messagesOf(results: readonly (AggregatedHookResult | undefined)[], signal?: AbortSignal): HookMessages {
  const present = results.filter((result) => result !== undefined);
  return {
    systemMessages: present.flatMap((result) => textOf(result.finalOutput?.systemMessage)),
    userMessages: present.flatMap((result) => [
      ...textOf(result.finalOutput?.hookSpecificOutput?.['userMessage']),
      ...(signal?.aborted ? [] : unavailableText(result)),
    ]),
    suppressOutput: present.some((result) => result.finalOutput?.suppressOutput === true),
  };
}

/** `additionalContext` of the events, for the model alone. */
export function contextOf(results: readonly (AggregatedHookResult | undefined)[]): string[] {
  return results.flatMap((result) => textOf(result?.finalOutput?.hookSpecificOutput?.['additionalContext']));
}

function unavailableText(result: AggregatedHookResult): string[] {
  const failure = requestFailure(result);
  return failure === undefined ? [] : [`Hooks could not be asked (${failure.code}): ${failure.message}`];
}

function textOf(value: unknown): string[] {
  return typeof value === 'string' && value !== '' ? [value] : [];
}
