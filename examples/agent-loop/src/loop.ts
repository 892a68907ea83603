import type { Agent, HookMessages } from 'tenterhook/agent';
import type { Conversation } from './conversation.js';
import type { FunctionCall } from './gen-ai-shape.js';
import type { Operation } from './operation.js';
import type { Model } from './scripted-model.js';
import type { Tool } from './tools.js';

/** The parts of the agent's loop. */
export interface Loop {
  /** Carries out every operation that has hooks. */
  readonly agent: Agent;
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly conversation: Conversation;
  readonly watcher: Watcher;
}

/** Shows what the agent does. The agent does not wait for these calls. */
export interface Watcher {
  prompted(prompt: string): void;
  /** Called with a message of a hook for the user, which the model does not receive. */
  notified(text: string): void;
  /** Called when a hook makes the agent continue. */
  continued(reason: string): void;
  said(who: 'model' | 'hook', text: string): void;
  called(call: FunctionCall): void;
  /** Called with the result of a tool call as the model receives it, with the messages of hooks. */
  saw(text: string, isError: boolean): void;
  stopped(reason: string): void;
  compressed(text: string): void;
  did(operation: Operation): void;
}

/**
 * Passes on the messages of hooks. System messages go into the conversation, and user messages only to the user. The timelines of
 * hooks show system messages to the user too.
 */
export function takeMessages(
  { conversation, watcher }: Loop,
  { systemMessages, userMessages }: Pick<HookMessages, 'systemMessages' | 'userMessages'>,
): void {
  conversation.note(systemMessages);
  for (const text of userMessages) watcher.notified(text);
}
