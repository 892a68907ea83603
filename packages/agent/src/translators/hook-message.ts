import type { LLMMessage } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';

/** A message as hooks see it: a role and a text. */
export type HookMessage = { readonly role: LLMMessage['role']; readonly content: string };

/**
 * What a hook returned, read as messages. It was validated where it came in, so this only keeps a handler of the same process from
 * breaking the request: content that is no text becomes its JSON text, a role by another name becomes ours, what is no message is left out.
 */
export function readHookMessages(returned: readonly unknown[]): HookMessage[] {
  return returned.filter(isPlainObject).map(({ role, content }) => ({ role: readRole(role), content: readText(content) }));
}

/** A text of spaces alone says nothing, and some providers refuse it. */
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
    // A cycle or a bigint, which JSON cannot say.
    return String(content);
  }
}
