import { type HookClient, reviewAnswerWithHooks } from '@tenterhook/agent';
import { fieldsOfAll, tellMessages, toNotes } from '@tenterhook/agent/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import { isStopped } from '../model/made-response.js';
import type { AgentHookOptions } from './agent-options.js';

/** How often in a row hooks of AfterAgent may make the agent continue (decision 20). */
const maxFollowUps = 8;

/** Fires AfterAgent at the answers of one turn, and counts how often hooks made the agent continue. */
export class AnswerReview {
  readonly #client: HookClient;
  readonly #options: Pick<AgentHookOptions, 'onMessage'>;
  readonly #prompt: string;
  readonly #signal: AbortSignal | undefined;
  #followUps = 0;

  constructor(client: HookClient, options: Pick<AgentHookOptions, 'onMessage'>, prompt: string, signal: AbortSignal | undefined) {
    this.#client = client;
    this.#options = options;
    this.#prompt = prompt;
    this.#signal = signal;
  }

  /** Returns the next prompt if a hook wants the agent to continue. `step` is a step of the SDK. */
  async next(step: object): Promise<string | undefined> {
    const { text, toolCalls } = step as { readonly text?: unknown; readonly toolCalls?: unknown };
    // A step whose tools the agent runs does not answer the prompt: the SDK continues with their results, or waits for them. After a stop,
    // AfterAgent is not fired.
    const isCalling = fieldsOfAll(toolCalls).some(({ providerExecuted }) => providerExecuted !== true);
    if (isCalling || isStopped(step) || this.#signal?.aborted || !this.#client.has('AfterAgent')) return undefined;
    const isAgain = this.#followUps > 0;
    const review = await reviewAnswerWithHooks(this.#client, {
      prompt: this.#prompt,
      response: typeof text === 'string' ? text : '',
      ...(isAgain ? { stopHookActive: true, loopCount: this.#followUps } : {}),
      ...omitUndefined({ signal: this.#signal }),
    });
    tellMessages(this.#options.onMessage, review, [['AfterAgent', review.after]]);
    if (review.status !== 'continue' || this.#followUps >= maxFollowUps) return undefined;
    this.#followUps += 1;
    return [review.nextPrompt, ...toNotes(review)].join('\n\n');
  }
}
