import type { Ask, HookClient } from '@tenterhook/agent';
import type { Conversation } from './conversation.js';
import type { FunctionCall } from './gen-ai-shape.js';
import type { Operation } from './operation.js';
import type { Model } from './scripted-model.js';
import type { Tool } from './tools.js';

/** The parts of the agent. */
export interface Agent {
  readonly client: HookClient;
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly conversation: Conversation;
  readonly ask: Ask;
  readonly watcher: Watcher;
  readonly signal: AbortSignal;
}

/** Watches the agent; nothing waits for an observer. */
export interface Watcher {
  prompted(prompt: string): void;
  /** A hook has a message for the user alone. */
  notified(text: string): void;
  /** A hook makes the agent continue. */
  continued(reason: string): void;
  said(who: 'model' | 'hook', text: string): void;
  called(call: FunctionCall): void;
  /** The result of a tool call for the model, and the messages of hooks. */
  saw(text: string, isError: boolean): void;
  stopped(reason: string): void;
  compressed(text: string): void;
  did(operation: Operation): void;
}
