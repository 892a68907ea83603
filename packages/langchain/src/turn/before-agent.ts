import { acceptPromptWithHooks } from '@tenterhook/agent';
import { tellMessages, toNotes } from '@tenterhook/agent/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import { type Adapter, throwAbort } from '../adapter.js';
import { type BaseMessage, HumanMessage, type Runtime } from '../langchain-library.js';
import { createEnd, markFields } from '../marks.js';
import { copyMessage, textOf, withText } from '../model/messages.js';
import { appendNotes } from '../tool/tool-message.js';

/** What the middleware changes in the state of the graph. */
export interface TurnUpdate {
  readonly messages: BaseMessage[];
  readonly jumpTo?: 'end' | 'model';
}

/**
 * Fires BeforeAgent for a new prompt. The node does not run again when a run is resumed. The text of a refused
 * prompt is replaced, because the model would otherwise read it in the next turn.
 */
export async function beforeAgent(adapter: Adapter, messages: readonly BaseMessage[], runtime: Runtime): Promise<TurnUpdate | undefined> {
  const client = adapter.clientOf(runtime);
  const message = messages.at(-1);
  if (!client.has('BeforeAgent') || !HumanMessage.isInstance(message)) return undefined;
  const { ask, maxRetries, onMessage } = adapter.options;
  const { signal } = runtime;
  const prompt = textOf(message);
  const accepted = await acceptPromptWithHooks(client, { prompt, ...omitUndefined({ ask, maxRetries, signal }) });
  if (signal?.aborted) throwAbort(runtime);
  tellMessages(onMessage, accepted, [['BeforeAgent', accepted.before]]);
  const { status, reason, stopReason, promptForModel } = accepted;
  if (status !== 'accepted') {
    const text = stopReason ?? reason ?? 'A hook stopped the agent.';
    // Removing the prompt was rejected, because some providers refuse a conversation that begins with an answer.
    const refused = copyMessage(message, { content: `[A hook ${status} this prompt.]` });
    return { messages: [refused, createEnd(text, { status, eventName: 'BeforeAgent' })], jumpTo: 'end' };
  }
  // The context that hooks add is the part of the new text after the prompt.
  const context = promptForModel.startsWith(accepted.prompt) ? promptForModel.slice(accepted.prompt.length).trim() : '';
  const notes = [...(context === '' ? [] : [context]), ...toNotes(accepted)];
  if (accepted.prompt === prompt && notes.length === 0) return undefined;
  const replaced = accepted.prompt === prompt ? message.content : withText(message.content, accepted.prompt);
  const mark = markFields({ status: 'accepted', eventName: 'BeforeAgent', promptChars: accepted.prompt.length }, message);
  return { messages: [copyMessage(message, { content: appendNotes(replaced, notes), ...mark })] };
}
