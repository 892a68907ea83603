import type { Ask, HookClient } from '@tenterhook/agent';
import type { Conversation } from './conversation.js';
import type { FunctionCall } from './gen-ai-shape.js';
import type { Operation } from './operation.js';
import type { Model } from './scripted-model.js';
import type { Tool } from './tools.js';

/** What the agent is made of. */
export interface Agent {
  readonly client: HookClient;
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly conversation: Conversation;
  readonly ask: Ask;
  readonly watcher: Watcher;
  readonly signal: AbortSignal;
}

/** Whoever watches the agent; nothing waits for it. */
export interface Watcher {
  prompted(prompt: string): void;
  /** A hook has something to say to the user, and not to the model. */
  told(text: string): void;
  /** A hook wants the agent to go on. */
  sentOn(reason: string): void;
  said(who: 'model' | 'hook', text: string): void;
  called(call: FunctionCall): void;
  /** What the model is shown of a tool call, and what hooks say beside it. */
  saw(text: string, isError: boolean): void;
  stopped(reason: string): void;
  compressed(text: string): void;
  did(operation: Operation): void;
}
