import type { AggregatedHookResult } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { describeAbort } from '@tenterhook/runtime/text';
import { type HookClient, requireClient } from '../client/hook-client.js';
import { type HookMessages, pickReasons } from '../client/hook-messages.js';
import { AbortTimeoutError, raceWithAbort } from '../race-with-abort.js';
import { acceptPromptWithHooks, type PromptOptions } from './accept-prompt-with-hooks.js';
import { reviewAnswerWithHooks } from './review-answer-with-hooks.js';

/**
 * How often in a row hooks of AfterAgent may make the agent continue (decision 20). Otherwise a hook that always denies would never let the
 * turn end.
 */
const maxFollowUps = 8;

/** The answer of the agent. `stopped` means that a hook for a tool or for the model ended the loop. */
export type AgentReply =
  | string
  | { readonly text: string; readonly stopped?: boolean | undefined; readonly stopReason?: string | undefined };

/** The second argument of `respond`, with the messages of the last event. The result of the turn contains these messages too. */
export interface RespondContext {
  readonly signal: AbortSignal;
  /**
   * The number of the prompt in this turn. The user's prompt has the number 1. Each time a hook makes the agent continue, the next prompt
   * adds 1.
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

/** How a turn ended. Every field can be read without comparing `status` first. Fields that do not apply are `undefined`. */
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
        /** The answer is complete. If a hook still wanted the agent to continue when the limit was reached, `reason` says why. */
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
 * Fires BeforeAgent, runs the agent, and fires AfterAgent. If a hook denies the answer, or has context for the model, the agent runs again
 * with the reason or the context as the prompt, at most 8 times. Rejects with what `respond` throws, and with a TypeError if `respond`
 * returns no text.
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
    // The loop has ended. AfterAgent is not fired, because one of its hooks could make the agent continue.
    if (stopped) return { ...ended(turns), response, ...omitUndefined({ stopReason }), status: 'stopped' };

    const again = turns > 1 ? { stopHookActive: true, loopCount: turns - 1 } : {};
    const review = await reviewAnswerWithHooks(client, { prompt, response, ...again, signal });
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
