import type { HookMessages } from '@tenterhook/agent';
import type { Agent } from './agent.js';

/** Takes the messages of hooks: to the conversation, and to the user alone. The timelines show the former to the user. */
export function takeMessages(
  { conversation, watcher }: Agent,
  { systemMessages, userMessages }: Pick<HookMessages, 'systemMessages' | 'userMessages'>,
): void {
  conversation.note(systemMessages);
  for (const text of userMessages) watcher.notified(text);
}
