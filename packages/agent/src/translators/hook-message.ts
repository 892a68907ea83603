import type { LLMMessage } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';

/** A message as hooks see it: a role and a text. */
export type HookMessage = { readonly role: LLMMessage['role']; readonly content: string };

/**
 * Reads the messages that a hook returned. Messages of handlers in this process have not been validated, and must not break the request.
 * Content that is not a text becomes JSON text. An unknown role becomes a known one. An invalid message is left out.
 */
export function readHookMessages(returned: readonly unknown[]): HookMessage[] {
  return returned.filter(isPlainObject).map(({ role, content }) => ({ role: readRole(role), content: readText(content) }));
}

/** Whether a text is only white space. Some providers refuse such a text. */
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
    // A cycle or a bigint cannot be written as JSON.
    return String(content);
  }
}
