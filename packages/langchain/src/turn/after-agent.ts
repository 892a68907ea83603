import { reviewAnswerWithHooks } from '@tenterhook/agent';
import { tellMessages, toNotes } from '@tenterhook/agent/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import { type Adapter, throwAbort } from '../adapter.js';
import { type BaseMessage, HumanMessage, type Runtime } from '../langchain-library.js';
import { markFields, markOf } from '../marks.js';
import { textOf } from '../model/messages.js';
import { appendNotes } from '../tool/tool-message.js';
import type { TurnUpdate } from './before-agent.js';

/** How often in a turn hooks of AfterAgent may make the agent continue (decision 20). */
const maxContinuations = 8;

/** Fires AfterAgent for a finished answer. If a hook denies, its reason is the next prompt, and the model is called again. */
export async function afterAgent(adapter: Adapter, messages: readonly BaseMessage[], runtime: Runtime): Promise<TurnUpdate | undefined> {
  const client = adapter.clientOf(runtime);
  if (!client.has('AfterAgent')) return undefined;
  const turn = readTurn(messages);
  const answer = messages.at(-1);
  // Hooks ended the turn, or a tool did. One of the hooks of AfterAgent could make the agent continue.
  if (turn === undefined || answer === undefined || HumanMessage.isInstance(answer) || markOf(answer) !== undefined) return undefined;
  const { signal } = runtime;
  const { prompt, continuations } = turn;
  const again = continuations > 0 ? { stopHookActive: true, loopCount: continuations } : {};
  // The result of a `returnDirect` tool is an answer too.
  const review = await reviewAnswerWithHooks(client, { prompt, response: textOf(answer), ...again, ...omitUndefined({ signal }) });
  if (signal?.aborted) throwAbort(runtime);
  tellMessages(adapter.options.onMessage, review, [['AfterAgent', review.after]]);
  if (review.status !== 'continue' || continuations >= maxContinuations) return undefined;
  const content = appendNotes(review.nextPrompt, toNotes(review));
  const next = new HumanMessage({ content, ...markFields({ status: 'continued', eventName: 'AfterAgent' }) } as never);
  return { messages: [next], jumpTo: 'model' };
}

/** The present turn, as the messages of the graph show it. Counting in memory was rejected: a run may go on in another process. */
interface TurnState {
  /** The prompt of the user, as hooks replaced it, without the context that they added. */
  readonly prompt: string;
  /** How often hooks of AfterAgent have made the agent continue. */
  readonly continuations: number;
}

/**
 * Returns the turn that the last prompt of the user began. Undefined if there is no prompt. If all prompts have the mark of a continuation,
 * the first one counts: a mark that a client of the application sent must not leave out the hooks.
 */
function readTurn(messages: readonly BaseMessage[]): TurnState | undefined {
  let continuations = 0;
  let first: BaseMessage | undefined;
  for (let place = messages.length - 1; place >= 0; place -= 1) {
    const message = messages[place] as BaseMessage;
    if (!HumanMessage.isInstance(message)) continue;
    const mark = markOf(message);
    if (mark?.status !== 'continued') return { prompt: textOf(message).slice(0, mark?.promptChars), continuations };
    continuations += 1;
    first = message;
  }
  return first === undefined ? undefined : { prompt: textOf(first), continuations };
}
