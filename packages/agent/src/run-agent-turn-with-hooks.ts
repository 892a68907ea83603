import { acceptPromptWithHooks, type PromptOptions } from './accept-prompt-with-hooks.js';
import { given } from './given.js';
import type { HookClient } from './hook-client.js';
import type { HookMessages } from './messages.js';
import { reviewAnswerWithHooks } from './review-answer-with-hooks.js';

/** How often in a row a hook of AfterAgent may send the agent on (decision 20): one that always does would keep it for ever. */
const maxFollowUps = 8;

/** What the agent answered; `stopped` when a hook on the way, of a tool or of the model, ended the loop. */
export type AgentReply = string | { readonly text: string; readonly stopped?: boolean; readonly stopReason?: string };

export interface AgentTurn extends PromptOptions {
  /** Works on a prompt until the answer is complete. What it throws is thrown on. */
  readonly respond: (prompt: string, options: { readonly signal: AbortSignal }) => AgentReply | Promise<AgentReply>;
}

interface Ended extends HookMessages {
  /** The user's prompt, as hooks replaced it. */
  readonly prompt: string;
  /** How often the agent worked on it: once, and once more for each time that a hook sent it on. */
  readonly turns: number;
}

export type TurnOutcome =
  /** `reason` is that of a hook that wanted to go on once too often. */
  | (Ended & { readonly status: 'completed'; readonly response: string; readonly reason?: string })
  | (Ended & { readonly status: 'blocked'; readonly reason: string; readonly retryAfterMs?: number })
  | (Ended & { readonly status: 'stopped'; readonly response?: string; readonly reason?: string; readonly stopReason?: string });

/** BeforeAgent, the agent, AfterAgent; again with the reason as the prompt while a hook denies, at most 8 times. Rejects only with what `respond` throws. */
export async function runAgentTurnWithHooks(client: HookClient, turn: AgentTurn): Promise<TurnOutcome> {
  const { respond, signal } = turn;
  const accepted = await acceptPromptWithHooks(client, turn);
  const { prompt } = accepted;
  const said = new SaidSoFar(accepted);
  if (accepted.status === 'blocked') {
    const { reason, retryAfterMs } = accepted;
    return { ...said.messages, prompt, turns: 0, reason, ...given({ retryAfterMs }), status: 'blocked' };
  }
  if (accepted.status === 'stopped') return { ...said.messages, prompt, turns: 0, ...reasonsOf(accepted), status: 'stopped' };

  let next = accepted.promptForModel;
  for (let turns = 1; ; turns += 1) {
    const reply = await respond(next, { signal: signal ?? new AbortController().signal });
    const { text, stopped = false, stopReason } = typeof reply === 'string' ? { text: reply } : reply;
    const base = { prompt, turns, response: text };
    // A loop that was stopped is over: a hook of AfterAgent must not send it on.
    if (stopped) return { ...said.messages, ...base, ...given({ stopReason }), status: 'stopped' };

    const review = await reviewAnswerWithHooks(client, {
      prompt,
      response: text,
      stopHookActive: turns > 1,
      ...given({ signal }),
    });
    said.add(review);
    if (review.status === 'stopped') return { ...said.messages, ...base, ...reasonsOf(review), status: 'stopped' };
    if (signal?.aborted) return { ...said.messages, ...base, stopReason: 'The turn was cancelled.', status: 'stopped' };
    if (review.status === 'completed') return { ...said.messages, ...base, status: 'completed' };
    if (turns > maxFollowUps) return { ...said.messages, ...base, reason: review.nextPrompt, status: 'completed' };
    next = review.nextPrompt;
  }
}

/** The messages of all events of a turn. */
class SaidSoFar {
  #messages: HookMessages;

  constructor({ systemMessages, userMessages, suppressOutput }: HookMessages) {
    this.#messages = { systemMessages, userMessages, suppressOutput };
  }

  get messages(): HookMessages {
    return this.#messages;
  }

  add({ systemMessages, userMessages, suppressOutput }: HookMessages): void {
    this.#messages = {
      systemMessages: [...this.#messages.systemMessages, ...systemMessages],
      userMessages: [...this.#messages.userMessages, ...userMessages],
      suppressOutput: this.#messages.suppressOutput || suppressOutput,
    };
  }
}

function reasonsOf({ reason, stopReason }: { readonly reason?: string; readonly stopReason?: string }) {
  return given({ reason, stopReason });
}
