import { type BaseMessage, HumanMessage } from '../langchain-library.js';
import { markOf } from '../marks.js';
import { textOf } from '../model/messages.js';

/** The present turn, as the messages of the graph show it. Counting in memory was rejected: a run may go on in another process. */
export interface TurnState {
  /** The prompt of the user, as hooks replaced it, without the context that they added. */
  readonly prompt: string;
  /** How often hooks of AfterAgent have made the agent continue. */
  readonly continuations: number;
}

/** Returns the turn that the last prompt of the user began. Undefined if there is no prompt. */
export function readTurn(messages: readonly BaseMessage[]): TurnState | undefined {
  let continuations = 0;
  for (let place = messages.length - 1; place >= 0; place -= 1) {
    const message = messages[place] as BaseMessage;
    if (!HumanMessage.isInstance(message)) continue;
    const mark = markOf(message);
    if (mark?.status !== 'continued') return { prompt: textOf(message).slice(0, mark?.promptChars), continuations };
    continuations += 1;
  }
  return undefined;
}
