import { type Fields, fieldsOf, isSameList, withFields } from '../fields.js';
import type { HookMessage } from '../hook-message.js';
import { type MessageFormat, rewriteMessages } from '../rewrite-messages.js';
import { joinSystemTexts, joinTextParts, rewriteTextParts, withoutTextParts } from '../text-parts.js';
import { groupItems, isCall, isMessage, isResult, partsOf, textParts } from './items.js';

/**
 * One message as hooks see it: `instructions`, an `input` that is a text, or items that belong together. Only one of the items is a message.
 * `instructions` and the text of `input` are an item that is a string.
 */
export interface ResponsesMessage {
  readonly kind: 'instructions' | 'items' | 'new system message';
  readonly items: readonly unknown[];
}

export function readResponsesMessages({ instructions, input }: Fields): ResponsesMessage[] {
  const own: ResponsesMessage[] = typeof instructions === 'string' ? [{ kind: 'instructions', items: [instructions] }] : [];
  const groups = typeof input === 'string' ? [{ items: [input] }] : Array.isArray(input) ? groupItems(input) : [];
  return [...own, ...groups.map(({ items }): ResponsesMessage => ({ kind: 'items', items }))];
}

/**
 * Applies the list of messages that a hook returned. A new system message before `instructions` is joined with it, because no item can
 * precede it. All others become items, so that the API caches what is before them.
 */
export function changedResponsesMessages(returned: unknown, original: Fields): { instructions?: unknown; input?: unknown } {
  const before = readResponsesMessages(original);
  const after = rewriteMessages(responsesMessages(before), before, returned);
  if (after === before) return {};
  const place = after.findIndex(({ kind }) => kind === 'instructions');
  const isJoined = ({ kind }: ResponsesMessage, index: number) => index <= place && kind !== 'items';
  const texts = after.filter(isJoined).map(textOf);
  return {
    ...(typeof original['instructions'] === 'string' ? { instructions: texts.length === 0 ? undefined : joinSystemTexts(texts) } : {}),
    ...changedInput(
      after.filter((message, index) => !isJoined(message, index)).flatMap(({ items }) => items),
      original['input'],
    ),
  };
}

function changedInput(items: readonly unknown[], input: unknown): { input?: unknown } {
  if (items.length === 1 && typeof items[0] === 'string') return { input: items[0] };
  if (Array.isArray(input) && isSameList(items, input)) return {};
  if (items.length === 0 && input === undefined) return {};
  return { input: items.map((item) => (typeof item === 'string' ? { role: 'user', content: item } : item)) };
}

/** Returns the format of the messages of one request. New system messages get the role that the others of the request have. */
function responsesMessages(messages: readonly ResponsesMessage[]): MessageFormat<ResponsesMessage> {
  const roles = new Set(messages.flatMap(({ items }) => items.map((item) => fieldsOf(item)['role'])));
  const systemRole = roles.has('system') && !roles.has('developer') ? 'system' : 'developer';
  const nativeRole = (role: HookMessage['role']) => ({ system: systemRole, model: 'assistant', user: 'user' })[role];
  return {
    show: showResponsesMessage,
    create: ({ role, content }) => ({
      kind: role === 'system' ? 'new system message' : 'items',
      items: [{ role: nativeRole(role), content }],
    }),
    withText: (message, text) => withMessageItem(message, (item) => withItemText(item, text)),
    // Only a message that is nothing but text can have another role. `instructions` cannot.
    withRole(message, role) {
      const [item, ...others] = message.items;
      if (message.kind === 'instructions' || others.length > 0 || !isTextAlone(item)) return undefined;
      return { kind: 'items', items: [withItemRole(item, nativeRole(role))] };
    },
    withoutText(message) {
      const item = message.items.find(isMessage);
      const rest = withoutTextParts(textParts, partsOf(item));
      if (rest.length > 0) return withMessageItem(message, () => withFields(fieldsOf(item), { content: rest }));
      const others = message.items.filter((each) => each !== item);
      return others.some(isCall) ? { ...message, items: others } : undefined;
    },
    hasToolCalls: ({ items }) => items.some(isCall),
    hasToolResults: ({ items }) => items.some(isResult),
  };
}

export function showResponsesMessage(message: ResponsesMessage): HookMessage | undefined {
  const text = textOf(message);
  return text === '' ? undefined : { role: shownRole(message), content: text };
}

function shownRole({ kind, items }: ResponsesMessage): HookMessage['role'] {
  const { role } = fieldsOf(items.find(isMessage));
  if (role === 'assistant') return 'model';
  return kind === 'instructions' || role === 'system' || role === 'developer' ? 'system' : 'user';
}

/** Returns the text of a message. Results have none, because it is the text of the tool and not of the user. */
function textOf({ items }: ResponsesMessage): string {
  return items.map(textOfItem).join('');
}

function textOfItem(item: unknown): string {
  if (typeof item === 'string') return item;
  if (!isMessage(item)) return '';
  const { content } = item;
  return typeof content === 'string' ? content : joinTextParts(textParts, partsOf(item));
}

function withMessageItem(message: ResponsesMessage, change: (item: unknown) => unknown): ResponsesMessage {
  return { ...message, items: message.items.map((item) => (typeof item === 'string' || isMessage(item) ? change(item) : item)) };
}

function withItemText(item: unknown, text: string): unknown {
  if (typeof item === 'string') return text;
  const { content } = fieldsOf(item);
  return withFields(fieldsOf(item), { content: Array.isArray(content) ? rewriteTextParts(textParts, content, text) : text });
}

/** The item with another role. The parts of an answer have another type than those of the other roles, so the answer becomes a text. */
function withItemRole(item: unknown, role: string): unknown {
  const isOfModel = role === 'assistant' || fieldsOf(item)['role'] === 'assistant';
  return isOfModel || typeof item === 'string' ? { role, content: textOfItem(item) } : withFields(fieldsOf(item), { role });
}

function isTextAlone(item: unknown): boolean {
  return withoutTextParts(textParts, partsOf(item)).length === 0;
}
