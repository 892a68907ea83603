import { isPlainObject } from '@tenterhook/runtime/json';
import { type Fields, isSameList, listOf, withFields } from '../fields.js';
import type { MessageFormat } from '../rewrite-messages.js';
import { joinSystemTexts, joinTextParts, type PartFormat, rewriteTextParts, surroundParts, withoutTextParts } from '../text-parts.js';

/** A part, or a text that the SDK accepts as a part. */
export type GenAiPart = unknown;

/** Reads and writes text parts. Thoughts are text parts too, but hooks neither see nor change them. */
export const genAiTextParts: PartFormat<GenAiPart> = {
  textOf(part) {
    if (typeof part === 'string') return part;
    return isPlainObject(part) && typeof part['text'] === 'string' && part['thought'] !== true ? part['text'] : undefined;
  },
  withText: (part, text) => (isPlainObject(part) ? withFields(part, { text }) : text),
};

export function isThought(part: GenAiPart): boolean {
  return isPlainObject(part) && part['thought'] === true;
}

/** Whether a part is a call of a function or of a tool that the server runs. Both need their result in the history. */
export function isCall(part: GenAiPart): boolean {
  return isPlainObject(part) && (isPlainObject(part['functionCall']) || isPlainObject(part['toolCall']));
}

export function isResult(part: GenAiPart): boolean {
  return isPlainObject(part) && (isPlainObject(part['functionResponse']) || isPlainObject(part['toolResponse']));
}

/** A message of `contents`, or `systemInstruction`, which hooks see as the first message. */
export interface GenAiMessage {
  readonly content: Fields;
  readonly isSystem: boolean;
  /**
   * How the message is written in the request. `content`: as a `Content`. `loose`: as a text, a part or a list of parts, which the SDK
   * reads as one message of the user. `new`: a hook added the message, so the request does not have it.
   */
  readonly form: 'content' | 'loose' | 'new';
}

export const genAiMessages: MessageFormat<GenAiMessage> = {
  show({ content, isSystem }) {
    const text = joinTextParts(genAiTextParts, partsOf(content));
    if (text === '') return undefined;
    return { role: isSystem || content['role'] === 'system' ? 'system' : content['role'] === 'model' ? 'model' : 'user', content: text };
  },
  create: ({ role, content }) => ({ content: { role, parts: [{ text: content }] }, isSystem: role === 'system', form: 'new' }),
  withText: (message, text) => withParts(message, rewriteTextParts(genAiTextParts, partsOf(message.content), text)),
  withRole({ content, isSystem }, role) {
    const isBound = partsOf(content).some((part) => isCall(part) || isResult(part) || isThought(part));
    return isSystem || role === 'system' || isBound
      ? undefined
      : { content: withFields(strictContent(content), { role }), isSystem, form: 'content' };
  },
  withoutText(message) {
    const rest = withoutTextParts(genAiTextParts, partsOf(message.content));
    return rest.every(isThought) ? undefined : withParts(message, rest);
  },
  hasToolCalls: ({ content }) => partsOf(content).some(isCall),
  hasToolResults: ({ content }) => partsOf(content).some(isResult),
};

/** Reads `contents`. Adjacent loose parts are one message, as the SDK reads them. */
export function readContents(contents: unknown): GenAiMessage[] {
  const messages: GenAiMessage[] = [];
  let loose: GenAiPart[] | undefined;
  for (const item of itemsOf(contents)) {
    if (isContent(item)) {
      messages.push({ content: item, isSystem: false, form: 'content' });
      loose = undefined;
    } else if (loose === undefined) {
      loose = [item];
      messages.push({ content: { role: 'user', parts: loose }, isSystem: false, form: 'loose' });
    } else loose.push(item);
  }
  return messages;
}

export function readSystem(instruction: unknown): GenAiMessage[] {
  if (isContent(instruction)) return [{ content: instruction, isSystem: true, form: 'content' }];
  const parts = itemsOf(instruction);
  return parts.length === 0 ? [] : [{ content: { parts }, isSystem: true, form: 'loose' }];
}

/** Writes `contents`, in the form of the original request if possible. */
export function writeContents(messages: readonly GenAiMessage[], original: unknown): unknown {
  const [first] = messages;
  if (messages.length === 1 && first?.form === 'loose') return writeLoose(partsOf(first.content), original);
  if (messages.length === 1 && first !== undefined && isContent(original)) return first.content;
  return messages.map(({ content, form }) => (form === 'loose' ? strictContent(content) : content));
}

/** Returns the `systemInstruction`. Texts that a hook added come before or after the existing text, in the order of the hook. */
export function writeSystem(messages: readonly GenAiMessage[], original: unknown): unknown {
  const place = messages.findIndex(({ form }) => form !== 'new');
  const texts = messages.map(({ content }) => joinTextParts(genAiTextParts, partsOf(content)));
  const own = messages[place];
  if (own === undefined) return texts.length === 0 ? undefined : joinSystemTexts(texts);
  if (typeof original === 'string') return joinSystemTexts(texts);
  const [before, after] = [texts.slice(0, place), texts.slice(place + 1)];
  const parts = texts.length === 1 ? partsOf(own.content) : surroundParts(partsOf(own.content), before, after, (text) => ({ text }));
  return own.form === 'loose' ? writeLoose(parts, original) : withFields(own.content, { parts });
}

function writeLoose(parts: readonly GenAiPart[], original: unknown): unknown {
  return parts.length === 1 && !Array.isArray(original) ? parts[0] : parts;
}

/** Returns a message whose parts are all objects, as a `Content` requires. */
function strictContent(content: Fields): Fields {
  const parts = partsOf(content);
  const strict = parts.map((part) => (typeof part === 'string' ? { text: part } : part));
  return isSameList(strict, parts) ? content : withFields(content, { parts: strict });
}

function withParts(message: GenAiMessage, parts: readonly GenAiPart[]): GenAiMessage {
  return { ...message, content: withFields(message.content, { parts }) };
}

function isContent(value: unknown): value is Fields {
  return isPlainObject(value) && ('parts' in value || 'role' in value);
}

function partsOf({ parts }: Fields): readonly GenAiPart[] {
  return listOf(parts);
}

function itemsOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}
