import type { HookMessages } from '@tenterhook/agent';
import type { Agent } from './agent.js';

/** What hooks say beside their decisions: to the conversation, and to the user alone. The user sees the former in the timelines. */
export function takeMessages(
  { conversation, watcher }: Agent,
  { systemMessages, userMessages }: Pick<HookMessages, 'systemMessages' | 'userMessages'>,
): void {
  conversation.note(systemMessages);
  for (const text of userMessages) watcher.told(text);
}
