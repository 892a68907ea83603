import type { Agent, HookMessages } from 'tenterhook/agent';
import type { Conversation } from './conversation.js';
import type { FunctionCall } from './gen-ai-shape.js';
import type { Operation } from './operation.js';
import type { Model } from './scripted-model.js';
import type { Tool } from './tools.js';

/** What the agent's loop works with. */
export interface Loop {
  /** Everything that hooks may have an opinion about goes through it. */
  readonly agent: Agent;
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly conversation: Conversation;
  readonly watcher: Watcher;
}

/** Is notified of what the agent does, and shows it; nothing waits for it. */
export interface Watcher {
  prompted(prompt: string): void;
  /** A hook has a message for the user, which the model does not receive. */
  told(text: string): void;
  /** A hook wants the agent to go on. */
  sentOn(reason: string): void;
  said(who: 'model' | 'hook', text: string): void;
  called(call: FunctionCall): void;
  /** What the model is shown of a tool call, with the messages of hooks. */
  saw(text: string, isError: boolean): void;
  stopped(reason: string): void;
  compressed(text: string): void;
  did(operation: Operation): void;
}

/** Passes on what hooks say in addition to their decisions. The user sees the messages for the conversation in the timelines. */
export function takeMessages(
  { conversation, watcher }: Loop,
  { systemMessages, userMessages }: Pick<HookMessages, 'systemMessages' | 'userMessages'>,
): void {
  conversation.note(systemMessages);
  for (const text of userMessages) watcher.told(text);
}
