import type { AggregatedHookResult } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { HookClient } from '../client/hook-client.js';
import { collectMessages, type HookMessages, pickReasons } from '../client/hook-messages.js';

/** An answer of the agent. */
export interface AnswerOptions {
  /** The prompt the user sent. */
  readonly prompt: string;
  /** The agent's complete answer. */
  readonly response: string;
  /** Whether the agent answers the same prompt again because a hook denied. @default false */
  readonly stopHookActive?: boolean | undefined;
  /** Aborts the hooks. @default none */
  readonly signal?: AbortSignal | undefined;
}

/** What hooks decided about an answer. `status` is one of the values that are described below. Fields that do not apply are `undefined`. */
export type ReviewedAnswer = HookMessages & {
  /** The result of AfterAgent. */
  readonly after?: AggregatedHookResult;
} & (
    | {
        readonly status: 'completed';
        readonly nextPrompt?: undefined;
        readonly reason?: undefined;
        readonly stopReason?: undefined;
      }
    | {
        /** A hook wants the agent to continue. `nextPrompt` is its reason. The caller must limit how often this happens. */
        readonly status: 'continue';
        readonly nextPrompt: string;
        readonly reason?: undefined;
        readonly stopReason?: undefined;
      }
    | { readonly status: 'stopped'; readonly nextPrompt?: undefined; readonly reason?: string; readonly stopReason?: string }
  );

/** Fires AfterAgent (decision 20). A deny makes the agent continue, and a stop takes precedence over it. Never rejects. */
export async function reviewAnswerWithHooks(client: HookClient, options: AnswerOptions): Promise<ReviewedAnswer> {
  const { prompt, response, stopHookActive = false, signal } = options;
  if (!client.has('AfterAgent')) return { ...collectMessages([]), status: 'completed' };
  const input = { prompt, prompt_response: response, stop_hook_active: stopHookActive };
  const after = await client.fire('AfterAgent', input, omitUndefined({ signal }));
  const ended = { ...collectMessages([after], signal), after };
  const { kind, stop, reason, stopReason } = after.verdict;
  if (stop) {
    return { ...ended, ...pickReasons({ reason, stopReason }), status: 'stopped' };
  }
  return kind === 'deny' ? { ...ended, nextPrompt: reason || 'Go on.', status: 'continue' } : { ...ended, status: 'completed' };
}
