import type { AggregatedHookResult } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { HookClient } from '../client/hook-client.js';
import { type HookMessages, messagesOf } from '../client/hook-messages.js';
import { reasonsOf } from '../reasons-of.js';

export interface AnswerOptions {
  /** The prompt the user sent. */
  readonly prompt: string;
  /** The agent's complete answer. */
  readonly response: string;
  /** True from the second time on that the same prompt is answered because a hook denied. @default false */
  readonly stopHookActive?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Ended extends HookMessages {
  readonly after?: AggregatedHookResult;
}

export type ReviewedAnswer =
  | (Ended & { readonly status: 'completed' })
  /** A hook wants the agent to go on; `nextPrompt` is its reason. How often that may happen is the caller's to count. */
  | (Ended & { readonly status: 'continue'; readonly nextPrompt: string })
  | (Ended & { readonly status: 'stopped'; readonly reason?: string; readonly stopReason?: string });

/** AfterAgent (decision 20). A stop outranks a deny: it ends what the deny would go on with. Never rejects. */
export async function reviewAnswerWithHooks(client: HookClient, options: AnswerOptions): Promise<ReviewedAnswer> {
  const { prompt, response, stopHookActive = false, signal } = options;
  if (!client.has('AfterAgent')) return { ...messagesOf([]), status: 'completed' };
  const input = { prompt, prompt_response: response, stop_hook_active: stopHookActive };
  const after = await client.fire('AfterAgent', input, omitUndefined({ signal }));
  const ended = { ...messagesOf([after], signal), after };
  const { kind, stop, reason, stopReason } = after.verdict;
  if (stop) {
    return {
      ...ended,
      ...reasonsOf({ reason, stopReason }),
      status: 'stopped',
    };
  }
  return kind === 'deny' ? { ...ended, nextPrompt: reason || 'Go on.', status: 'continue' } : { ...ended, status: 'completed' };
}
