import { fieldsOf, isSameList, withFields } from '../fields.js';
import type { HookMessage } from '../hook-message.js';
import { type MessageFormat, rewriteMessages } from '../rewrite-messages.js';
import { joinSystemTexts, joinTextParts, rewriteTextParts, withoutTextParts } from '../text-parts.js';
import { groupItems, type ItemFormat, isMessage, partsOf, textParts } from './items.js';

/** The fields of a request that hooks see as messages. */
export interface Conversation {
  readonly instructions?: unknown;
  readonly input?: unknown;
}

/**
 * One message as hooks see it: `instructions`, an `input` that is a text, or items that belong together. Only one of the items is a message.
 * `instructions` and the text of `input` are an item that is a string.
 */
export interface ItemMessage {
  readonly kind: 'instructions' | 'items' | 'new system message';
  readonly items: readonly unknown[];
}

export function readItemMessages(format: ItemFormat, { instructions, input }: Conversation): ItemMessage[] {
  const own: ItemMessage[] = typeof instructions === 'string' ? [{ kind: 'instructions', items: [instructions] }] : [];
  const groups = typeof input === 'string' ? [{ items: [input] }] : Array.isArray(input) ? groupItems(format, input) : [];
  return [...own, ...groups.map(({ items }): ItemMessage => ({ kind: 'items', items }))];
}

/**
 * Applies the list of messages that a hook returned. A new system message before `instructions` is joined with it, because no item can
 * precede it. All others become items, so that the API caches what is before them.
 */
export function changedItemMessages(format: ItemFormat, returned: unknown, original: Conversation): Conversation {
  const before = readItemMessages(format, original);
  const after = rewriteMessages(itemMessages(format, before), before, returned);
  if (after === before) return {};
  const place = after.findIndex(({ kind }) => kind === 'instructions');
  const isJoined = ({ kind }: ItemMessage, index: number) => index <= place && kind !== 'items';
  const texts = after.filter(isJoined).map(textOf);
  return {
    ...(typeof original.instructions === 'string' ? { instructions: texts.length === 0 ? undefined : joinSystemTexts(texts) } : {}),
    ...changedInput(
      format,
      after.filter((message, index) => !isJoined(message, index)).flatMap(({ items }) => items),
      original.input,
    ),
  };
}

function changedInput(format: ItemFormat, items: readonly unknown[], input: unknown): Conversation {
  if (items.length === 1 && typeof items[0] === 'string') return { input: items[0] };
  if (Array.isArray(input) && isSameList(items, input)) return {};
  if (items.length === 0 && input === undefined) return {};
  return {
    input: items.map((item) => (typeof item === 'string' ? format.createMessage({ role: 'user', content: item }, 'system') : item)),
  };
}

/** Returns the format of the messages of one request. New system messages get the role that the others of the request have. */
function itemMessages(format: ItemFormat, messages: readonly ItemMessage[]): MessageFormat<ItemMessage> {
  const roles = new Set(messages.flatMap(({ items }) => items.map((item) => fieldsOf(item)['role'])));
  const systemRole = roles.has('system') && !roles.has('developer') ? 'system' : 'developer';
  return {
    show: showItemMessage,
    create: (message) => ({
      kind: message.role === 'system' ? 'new system message' : 'items',
      items: [format.createMessage(message, systemRole)],
    }),
    withText: (message, text) => withMessageItem(message, (item) => withItemText(item, text)),
    // Only a message that is nothing but text can have another role. `instructions` cannot.
    withRole(message, role) {
      const [item, ...others] = message.items;
      if (message.kind === 'instructions' || others.length > 0 || !isTextAlone(item)) return undefined;
      return { kind: 'items', items: [format.createMessage({ role, content: textOfItem(item) }, systemRole)] };
    },
    withoutText(message) {
      const item = message.items.find(isMessage);
      const rest = withoutTextParts(textParts, partsOf(item));
      if (rest.length > 0) return withMessageItem(message, () => withFields(fieldsOf(item), { content: rest }));
      const others = message.items.filter((each) => each !== item);
      return others.some(format.isCall) ? { ...message, items: others } : undefined;
    },
    hasToolCalls: ({ items }) => items.some(format.isCall),
    hasToolResults: ({ items }) => items.some(format.isResult),
  };
}

export function showItemMessage(message: ItemMessage): HookMessage | undefined {
  const text = textOf(message);
  return text === '' ? undefined : { role: shownRole(message), content: text };
}

function shownRole({ kind, items }: ItemMessage): HookMessage['role'] {
  const { role } = fieldsOf(items.find(isMessage));
  if (role === 'assistant') return 'model';
  return kind === 'instructions' || role === 'system' || role === 'developer' ? 'system' : 'user';
}

/** Returns the text of a message. Results have none, because their text is from the tool. */
function textOf({ items }: ItemMessage): string {
  return items.map(textOfItem).join('');
}

function textOfItem(item: unknown): string {
  if (typeof item === 'string') return item;
  if (!isMessage(item)) return '';
  const { content } = item;
  return typeof content === 'string' ? content : joinTextParts(textParts, partsOf(item));
}

function withMessageItem(message: ItemMessage, change: (item: unknown) => unknown): ItemMessage {
  return { ...message, items: message.items.map((item) => (typeof item === 'string' || isMessage(item) ? change(item) : item)) };
}

function withItemText(item: unknown, text: string): unknown {
  if (typeof item === 'string') return text;
  const { content } = fieldsOf(item);
  return withFields(fieldsOf(item), { content: Array.isArray(content) ? rewriteTextParts(textParts, content, text) : text });
}

function isTextAlone(item: unknown): boolean {
  return withoutTextParts(textParts, partsOf(item)).length === 0;
}
