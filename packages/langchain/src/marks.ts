import type { HookEventName } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { AIMessage, type BaseMessage } from './langchain-library.js';

/** The field of `response_metadata` in which messages of hooks are marked. It is stored with the message, and no provider receives it. */
const markName = 'tenterhook';

/** Why hooks wrote or changed a message. */
export interface HookMark {
  /**
   * `blocked` and `stopped`: an answer instead of the model's. `continued`: a prompt with which AfterAgent makes the agent continue.
   * `accepted`: a prompt of the user to which hooks added context.
   */
  readonly status: 'blocked' | 'stopped' | 'continued' | 'accepted';
  readonly eventName: HookEventName;
  /** The length of an accepted prompt. The context of hooks follows it. */
  readonly promptChars?: number;
  /** The reason of a stop at a tool, which is the answer of the next call of the model. */
  readonly reason?: string;
}

/** Returns the fields of a message that mark it. `message` has other metadata to keep. */
export function markFields(mark: HookMark, message?: BaseMessage): { response_metadata: Record<string, unknown> } {
  return { response_metadata: { ...message?.response_metadata, [markName]: { ...mark } } };
}

/** Returns why hooks wrote the message. Undefined for any other message. */
export function markOf({ response_metadata }: BaseMessage): HookMark | undefined {
  const mark: unknown = (response_metadata as Record<string, unknown> | undefined)?.[markName];
  return isPlainObject(mark) ? (mark as unknown as HookMark) : undefined;
}

/** Returns the answer that ends a turn of which hooks decided the end. It has no tool calls, so the graph ends. */
export function createEnd(text: string, mark: HookMark): AIMessage {
  return new AIMessage({ content: text, tool_calls: [], ...markFields(mark) });
}
