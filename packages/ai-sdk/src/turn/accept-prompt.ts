import { acceptPromptWithHooks, type HookClient } from '@tenterhook/agent';
import { abortError, fieldsOf, fieldsOfAll, HookBlockedError, tellMessages, toNotes } from '@tenterhook/agent/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import { stopText } from '../stop-text.js';
import type { AgentHookOptions } from './agent-options.js';
import { type CallOptions, readPrompt, writePrompt } from './prompt-of-call.js';

/** A call of an agent whose prompt the hooks accepted. */
export interface AcceptedCall {
  /** The options of the call, with the prompt as hooks changed it. */
  readonly call: CallOptions;
  /** The prompt for AfterAgent. */
  readonly prompt: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Fires BeforeAgent. Throws a `HookBlockedError` if the prompt is refused, and the reason of the abort if the call was cancelled. It is not
 * fired if the last message is not the user's: then a run is resumed, and its prompt was accepted before.
 */
export async function acceptPrompt(
  client: HookClient,
  { ask, onMessage, maxRetries }: AgentHookOptions,
  call: CallOptions,
): Promise<AcceptedCall> {
  const signal = call['abortSignal'] as AbortSignal | undefined;
  const prompt = readPrompt(call);
  if (prompt === undefined) return { call, prompt: earlierPrompt(call), signal };
  const accepted = await acceptPromptWithHooks(client, { prompt, ...omitUndefined({ ask, maxRetries, signal }) });
  tellMessages(onMessage, accepted, [['BeforeAgent', accepted.before]]);
  if (accepted.status === 'blocked') throw new HookBlockedError(accepted.reason, { retryAfterMs: accepted.retryAfterMs });
  if (accepted.status === 'stopped') throw signal?.aborted ? abortError(signal) : new HookBlockedError(stopText(accepted));
  const text = [accepted.promptForModel, ...toNotes(accepted)].join('\n\n');
  return { call: text === prompt ? call : writePrompt(call, text), prompt: accepted.prompt, signal };
}

/** The text of the last message of the user, before the results and approvals that the run continues with. */
function earlierPrompt({ prompt, messages }: CallOptions): string {
  const last = fieldsOfAll(prompt ?? messages).findLastIndex(({ role }) => role === 'user');
  const list = fieldsOfAll(prompt ?? messages).slice(0, last + 1);
  return readPrompt({ messages: list.map(fieldsOf) }) ?? '';
}
