import type { AggregatedHookResult } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { describeAbort } from '@tenterhook/runtime/text';
import { type HookClient, requireClient } from '../client/hook-client.js';
import { type HookMessages, pickReasons } from '../client/hook-messages.js';
import { AbortTimeoutError, raceWithAbort } from '../race-with-abort.js';
import { acceptPromptWithHooks, type PromptOptions } from './accept-prompt-with-hooks.js';
import { reviewAnswerWithHooks } from './review-answer-with-hooks.js';

/**
 * How often in a row hooks of AfterAgent may make the agent continue (decision 20). Without a limit, a hook that always denies would keep
 * the turn from ending.
 */
const maxFollowUps = 8;

/** The answer of the agent. `stopped` means that a hook for a tool or for the model ended the loop. */
export type AgentReply =
  | string
  | { readonly text: string; readonly stopped?: boolean | undefined; readonly stopReason?: string | undefined };

/**
 * The second argument of `respond`. Its messages are those of the event that led to this prompt. They are also in the result of the turn.
 */
export interface RespondContext {
  readonly signal: AbortSignal;
  /**
   * The number of the prompt in this turn: 1 for the user's prompt, and one more each time a hook makes the agent continue with its reason
   * as the prompt.
   */
  readonly turn: number;
  /** Messages for the conversation, before the prompt. */
  readonly systemMessages: readonly string[];
  readonly userMessages: readonly string[];
}

/** A prompt, and how the agent works on it. */
export interface AgentTurn extends PromptOptions {
  /** Works on a prompt until the answer is complete. What it throws is rethrown. */
  readonly respond: (prompt: string, options: RespondContext) => AgentReply | Promise<AgentReply>;
}

/**
 * How a turn ended. `status` is one of the values that are described below. Every field can be read without comparing `status` first;
 * fields that do not apply are `undefined`.
 */
export type FinishedTurn = HookMessages & {
  /** The user's prompt, as hooks replaced it. */
  readonly prompt: string;
  /** How often the agent worked on the prompt: once, and once more each time a hook made it continue. */
  readonly turns: number;
  /** The result of BeforeAgent. */
  readonly before?: AggregatedHookResult;
  /** The result of the last AfterAgent. */
  readonly after?: AggregatedHookResult;
} & (
    | {
        /** The answer is complete. `reason` is present if a hook still denied when the limit was reached. */
        readonly status: 'completed';
        readonly response: string;
        readonly reason?: string;
        readonly stopReason?: undefined;
        readonly retryAfterMs?: undefined;
      }
    | {
        readonly status: 'blocked';
        readonly response?: undefined;
        readonly reason: string;
        readonly stopReason?: undefined;
        readonly retryAfterMs?: number;
      }
    | {
        readonly status: 'stopped';
        readonly response?: string;
        readonly reason?: string;
        readonly stopReason?: string;
        readonly retryAfterMs?: undefined;
      }
  );

/**
 * Fires BeforeAgent, runs the agent, and fires AfterAgent. While a hook denies, it runs the agent again with the reason as the prompt, at
 * most 8 times. Rejects only with what `respond` throws, and with a TypeError if `respond` returns no text.
 */
export async function runAgentTurnWithHooks(client: HookClient, turn: AgentTurn): Promise<FinishedTurn> {
  const { respond, signal = new AbortController().signal } = turn;
  requireClient('runAgentTurnWithHooks', client, { respond });
  const accepted = await acceptPromptWithHooks(client, turn);
  const { prompt, before } = accepted;
  const said: HookMessages[] = [accepted];
  const ended = (turns: number, after?: AggregatedHookResult) => ({
    ...mergeMessages(said),
    prompt,
    turns,
    ...omitUndefined({ before, after }),
  });
  if (accepted.status === 'blocked') {
    const { reason, retryAfterMs } = accepted;
    return { ...ended(0), reason, ...omitUndefined({ retryAfterMs }), status: 'blocked' };
  }
  if (accepted.status === 'stopped') return { ...ended(0), ...pickReasons(accepted), status: 'stopped' };

  let next = accepted.promptForModel;
  for (let turns = 1; ; turns += 1) {
    const { systemMessages, userMessages } = said[said.length - 1] as HookMessages;
    let reply: AgentReply;
    try {
      reply = await raceWithAbort(() => respond(next, { signal, turn: turns, systemMessages, userMessages }), signal);
    } catch (error) {
      if (error instanceof AbortTimeoutError) return { ...ended(turns), ...cancelledBy(signal) };
      throw error;
    }
    const { text: response, stopped = false, stopReason } = readReply(reply);
    // After a stop the loop has ended, and a hook of AfterAgent must not make it continue.
    if (stopped) return { ...ended(turns), response, ...omitUndefined({ stopReason }), status: 'stopped' };

    const review = await reviewAnswerWithHooks(client, { prompt, response, stopHookActive: turns > 1, signal });
    said.push(review);
    const done = { ...ended(turns, review.after), response };
    if (review.status === 'stopped') return { ...done, ...pickReasons(review), status: 'stopped' };
    if (signal.aborted) return { ...done, ...cancelledBy(signal) };
    if (review.status === 'completed') return { ...done, status: 'completed' };
    if (turns > maxFollowUps) return { ...done, reason: review.nextPrompt, status: 'completed' };
    next = review.nextPrompt;
  }
}

function cancelledBy(signal: AbortSignal) {
  return { stopReason: describeAbort('The turn was cancelled', signal), status: 'stopped' } as const;
}

function readReply(reply: AgentReply): Exclude<AgentReply, string> {
  if (typeof reply === 'string') return { text: reply };
  if (typeof reply?.text === 'string') return reply;
  throw new TypeError('The "respond" of a turn must return a string or { text }.');
}

function mergeMessages(said: readonly HookMessages[]): HookMessages {
  return {
    systemMessages: said.flatMap((messages) => messages.systemMessages),
    userMessages: said.flatMap((messages) => messages.userMessages),
    suppressOutput: said.some((messages) => messages.suppressOutput),
  };
}
