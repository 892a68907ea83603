import type { AggregatedHookResult } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { describeAbort } from '@tenterhook/runtime/text';
import type { HookClient } from '../client/hook-client.js';
import { collectContext, collectMessages, type HookMessages, pickReasons } from '../client/hook-messages.js';
import { withLateMessages } from '../late/late-answers.js';
import { type Ask, askUser } from '../permission/ask-user.js';
import { fireBeforeEvent } from '../permission/fire-before-event.js';

/** A prompt of the user. */
export interface PromptOptions {
  /** What the user sent. */
  readonly prompt: string;
  /** Asks the user. @default the user cannot be asked, so an ask is a deny */
  readonly ask?: Ask | undefined;
  /** How often BeforeAgent is fired again if a hook postpones the prompt. An integer from 0. @default 3 */
  readonly maxRetries?: number | undefined;
  /** Aborts the hooks and the question to the user. The reason of the abort is part of `stopReason`. @default none */
  readonly signal?: AbortSignal | undefined;
}

/** What hooks decided about a prompt. Fields that do not apply to the `status` are `undefined`. */
export type ReviewedPrompt = HookMessages & {
  /** The user's prompt, as hooks replaced it, without the context that they add. */
  readonly prompt: string;
  /** The result of BeforeAgent. */
  readonly before?: AggregatedHookResult;
} & (
    | {
        /** `promptForModel` is the prompt followed by the hooks' context. The context is in a block, which the user must not see. */
        readonly status: 'accepted';
        readonly promptForModel: string;
        readonly reason?: undefined;
        readonly stopReason?: undefined;
        readonly retryAfterMs?: undefined;
      }
    | {
        readonly status: 'blocked';
        readonly promptForModel?: undefined;
        readonly reason: string;
        readonly stopReason?: undefined;
        readonly retryAfterMs?: number;
      }
    | {
        readonly status: 'stopped';
        readonly promptForModel?: undefined;
        readonly reason?: string;
        readonly stopReason?: string;
        readonly retryAfterMs?: undefined;
      }
  );

/** Fires BeforeAgent, and asks the user if a hook asks. Never rejects. */
export async function acceptPromptWithHooks(client: HookClient, options: PromptOptions): Promise<ReviewedPrompt> {
  const { prompt, ask, maxRetries, signal } = options;
  const permission = await fireBeforeEvent(client, {
    eventName: 'BeforeAgent',
    input: { prompt },
    ...omitUndefined({ maxRetries, signal }),
  });
  const { before } = permission;
  const replaced = before?.finalOutput?.hookSpecificOutput?.['replacedPrompt'];
  const effective = typeof replaced === 'string' ? replaced : prompt;
  const ended = { ...collectMessages([before], signal), prompt: effective, ...omitUndefined({ before }) };

  if (permission.kind === 'cancelled')
    return { ...ended, stopReason: describeAbort('The prompt was cancelled', signal), status: 'stopped' };
  if (permission.kind === 'stopped') {
    return { ...ended, ...pickReasons(permission.before.verdict), status: 'stopped' };
  }
  if (permission.kind === 'blocked') {
    const { reason, retryAfterMs } = permission;
    return { ...ended, reason, ...omitUndefined({ retryAfterMs }), status: 'blocked' };
  }
  if (permission.kind === 'ask') {
    const { reason, by } = permission.before.verdict;
    const question = {
      eventName: 'BeforeAgent' as const,
      subject: 'prompt',
      input: effective,
      by,
      ...omitUndefined({ reason }),
    };
    const refusal = await askUser(ask, question, signal);
    if (refusal !== undefined) return { ...ended, reason: refusal, status: 'blocked' };
  }
  if (signal?.aborted) return { ...ended, stopReason: describeAbort('The prompt was cancelled', signal), status: 'stopped' };
  // Late answers are taken only now, because they must stay in the queue until there is a prompt that the model receives. The context
  // follows after a blank line, as in the prompt that the next hook receives (decision 18).
  const late = client.late?.take();
  const context = [...(late?.context ?? []), ...collectContext([before])];
  return { ...withLateMessages(ended, late), promptForModel: [effective, ...context].join('\n\n'), status: 'accepted' };
}
