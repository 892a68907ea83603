import type { LLMMessage } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';

/** A message as hooks see it: a role and a text. */
export type HookMessage = { readonly role: LLMMessage['role']; readonly content: string };

/**
 * Reads what a hook returned as messages. The output of processes was validated before, so this only keeps a handler in this process from
 * breaking the request: other content becomes its JSON text, another name of a role becomes ours, an invalid message is left out.
 */
export function readHookMessages(returned: readonly unknown[]): HookMessage[] {
  return returned.filter(isPlainObject).map(({ role, content }) => ({ role: readRole(role), content: readText(content) }));
}

/** Some providers refuse a text of white space. */
export function isBlank(text: string): boolean {
  return text.trim() === '';
}

function readRole(role: unknown): HookMessage['role'] {
  if (role === 'model' || role === 'assistant') return 'model';
  return role === 'system' || role === 'developer' ? 'system' : 'user';
}

function readText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  try {
    return JSON.stringify(content) ?? '';
  } catch {
    // JSON has no cycles and no bigints.
    return String(content);
  }
}
