import { isPlainObject } from '@tenterhook/runtime/json';
import { fieldsOf, listOf, withFields } from '../fields.js';
import type { HookMessage } from '../hook-message.js';
import type { MessageFormat } from '../rewrite-messages.js';
import { joinTextParts, type PartFormat, rewriteTextParts, withoutTextParts } from '../text-parts.js';

type Message = unknown;

const textParts: PartFormat<unknown> = {
  textOf: (part) => (isPlainObject(part) && part['type'] === 'text' && typeof part['text'] === 'string' ? part['text'] : undefined),
  withText: (part, text) => withFields(fieldsOf(part), { text }),
};

/**
 * Returns the message format of a request. If the request has `developer` messages, new system messages get this role too, because models
 * refuse a mixture of both roles.
 */
export function openAiMessages(messages: readonly unknown[]): MessageFormat<Message> {
  const systemRole = messages.some((message) => fieldsOf(message)['role'] === 'developer') ? 'developer' : 'system';
  const nativeRole = (role: HookMessage['role']) => ({ system: systemRole, model: 'assistant', user: 'user' })[role];
  return {
    show(message) {
      const { role, content } = fieldsOf(message);
      const text = typeof content === 'string' ? content : joinTextParts(textParts, listOf(content));
      return text === '' || hasToolResults(message) ? undefined : { role: shownRole(role), content: text };
    },
    create: ({ role, content }) => ({ role: nativeRole(role), content }),
    withText(message, text) {
      const { content } = fieldsOf(message);
      return withFields(fieldsOf(message), { content: Array.isArray(content) ? rewriteTextParts(textParts, content, text) : text });
    },
    withRole: (message, role) => (isTextAlone(message) ? withFields(fieldsOf(message), { role: nativeRole(role) }) : undefined),
    withoutText(message) {
      const rest = withoutTextParts(textParts, listOf(fieldsOf(message)['content']));
      if (rest.length > 0) return withFields(fieldsOf(message), { content: rest });
      return hasToolCalls(message) || isPlainObject(fieldsOf(message)['audio'])
        ? withFields(fieldsOf(message), { content: null })
        : undefined;
    },
    hasToolCalls,
    hasToolResults,
  };
}

function shownRole(role: unknown): HookMessage['role'] {
  if (role === 'assistant') return 'model';
  return role === 'system' || role === 'developer' ? 'system' : 'user';
}

/** Whether a message has only text. Other roles do not allow anything else. */
function isTextAlone(message: Message): boolean {
  const { content, audio, refusal } = fieldsOf(message);
  const hasOthers = withoutTextParts(textParts, listOf(content)).length > 0;
  return !hasOthers && !hasToolCalls(message) && !isPlainObject(audio) && typeof refusal !== 'string';
}

function hasToolCalls(message: Message): boolean {
  const { tool_calls, function_call } = fieldsOf(message);
  return listOf(tool_calls).length > 0 || isPlainObject(function_call);
}

function hasToolResults(message: Message): boolean {
  const { role } = fieldsOf(message);
  return role === 'tool' || role === 'function';
}
