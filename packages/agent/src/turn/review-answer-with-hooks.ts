import type { AggregatedHookResult } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { HookClient } from '../client/hook-client.js';
import { collectContext, collectMessages, type HookMessages, pickReasons } from '../client/hook-messages.js';
import { withLateMessages } from '../late/late-answers.js';

/** An answer of the agent. */
export interface AnswerOptions {
  /** The prompt the user sent. */
  readonly prompt: string;
  /** The agent's complete answer. */
  readonly response: string;
  /** Whether the agent answers the prompt again because a hook denied its last answer. @default false */
  readonly stopHookActive?: boolean | undefined;
  /** How many answers in a row hooks have denied before this one. @default the hooks do not receive this number */
  readonly loopCount?: number | undefined;
  /** Aborts the hooks. @default none */
  readonly signal?: AbortSignal | undefined;
}

/** What hooks decided about an answer. Fields that do not apply to the `status` are `undefined`. */
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
        /**
         * A hook wants the agent to continue. `nextPrompt` is the reason of the hook, or its context for the model. The caller must limit how
         * often this happens.
         */
        readonly status: 'continue';
        readonly nextPrompt: string;
        readonly reason?: undefined;
        readonly stopReason?: undefined;
      }
    | { readonly status: 'stopped'; readonly nextPrompt?: undefined; readonly reason?: string; readonly stopReason?: string }
  );

/**
 * Fires AfterAgent (decision 20). If a hook denies, or has context for the model, the agent continues. If a hook stops the loop, the agent
 * does not continue. Never rejects.
 */
export async function reviewAnswerWithHooks(client: HookClient, options: AnswerOptions): Promise<ReviewedAnswer> {
  const { prompt, response, stopHookActive = false, loopCount, signal } = options;
  if (!client.has('AfterAgent')) return { ...collectMessages([]), status: 'completed' };
  const input = { prompt, prompt_response: response, stop_hook_active: stopHookActive, ...omitUndefined({ loop_count: loopCount }) };
  const after = await client.fire('AfterAgent', input, omitUndefined({ signal }));
  const ended = { ...collectMessages([after], signal), after };
  const { kind, stop, reason, stopReason } = after.verdict;
  if (stop) {
    return { ...ended, ...pickReasons({ reason, stopReason }), status: 'stopped' };
  }
  const next = [...(kind === 'deny' ? [reason || 'Go on.'] : []), ...collectContext([after])];
  if (next.length === 0) return { ...ended, status: 'completed' };
  // The answers of async hooks are only added to a prompt. By themselves they do not make the agent continue.
  const late = client.late?.take();
  return { ...withLateMessages(ended, late), nextPrompt: [...next, ...(late?.context ?? [])].join('\n\n'), status: 'continue' };
}
