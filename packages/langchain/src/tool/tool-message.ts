import type { FinishedToolCall, ToolResult } from '@tenterhook/agent';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import { Command, coerceMessageLikeToMessage, isCommand, type ToolAnswer, ToolMessage, type ToolRequest } from '../langchain-library.js';
import { copyMessage, type MessageContent, textOf } from '../model/messages.js';

type Call = ToolRequest['toolCall'];

/** Returns the answer of a tool for hooks. They see a `Command` as JSON, and no artifact, because the model does not see it either. */
export function showAnswer(answer: ToolAnswer): ToolResult {
  if (isCommand(answer)) return { llmContent: answer };
  const { content, status } = answer as ToolMessage;
  return { llmContent: content, ...(status === 'error' ? { error: { message: textOf(answer as ToolMessage) } } : {}) };
}

/** Returns the message for a call whose tool did not run, or failed. */
export function createErrorMessage(call: Call, content: string): ToolMessage {
  return new ToolMessage({ content, tool_call_id: call.id ?? '', name: call.name, status: 'error' });
}

/**
 * Returns the answer of a tool with the changes of hooks, and `notes` for the model after it. An answer that hooks did not change is
 * returned as the same object.
 */
export function changeAnswer(call: Call, answer: ToolAnswer, finished: FinishedToolCall, notes: readonly string[]): ToolAnswer {
  if (isCommand(answer)) return changeCommand(call, answer as Command, finished, notes);
  const message = answer as ToolMessage;
  const { replacement, additions = [], result } = finished;
  const checked = replacement === undefined ? toContent(result.llmContent) : appendNotes(toContent(replacement.value), additions);
  const content = appendNotes(checked, notes);
  if (isSameJson(content, message.content)) return message;
  return copyMessage(message, { content, ...(replacement === undefined ? {} : withoutCopies) });
}

/** The fields in which a tool may repeat its result, as they are after a redaction. */
const withoutCopies = { artifact: undefined, metadata: undefined, additional_kwargs: {}, response_metadata: {} };

/** Returns the content of a message for a value that hooks wrote. */
export function toContent(value: unknown): MessageContent {
  if (typeof value === 'string') return value;
  const areParts = Array.isArray(value) && value.every((part) => isPlainObject(part) && typeof part['type'] === 'string');
  return areParts ? (value as MessageContent) : (JSON.stringify(value) ?? '');
}

export function appendNotes(content: MessageContent, notes: readonly string[]): MessageContent {
  if (notes.length === 0) return content;
  const text = notes.join('\n');
  if (typeof content !== 'string') return [...content, { type: 'text', text }] as MessageContent;
  return content === '' ? text : `${content}\n\n${text}`;
}

/** Changes the tool messages of an answer: the answer itself, or those in the `update` of a `Command`. */
export function mapToolMessages(answer: ToolAnswer, change: (message: ToolMessage) => ToolMessage): ToolAnswer {
  if (!isCommand(answer)) return change(answer as ToolMessage);
  const changeIn = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changeIn);
    if (isPlainToolMessage(value)) return change(coerceMessageLikeToMessage(value as never) as ToolMessage);
    return ToolMessage.isInstance(value) ? change(value) : value;
  };
  const { update, goto, graph, resume } = answer as Command;
  // An update may also be a list of pairs, the name of a channel and its value.
  const changed = Array.isArray(update)
    ? update.map(([name, value]) => [name, changeIn(value)])
    : isPlainObject(update)
      ? Object.fromEntries(Object.entries(update).map(([name, value]) => [name, changeIn(value)]))
      : update;
  return new Command({ update: changed, goto, graph, resume } as never);
}

/** Whether a value is a tool message as a plain object, which the graph accepts too. */
function isPlainToolMessage(value: unknown): boolean {
  return isPlainObject(value) && (value['role'] === 'tool' || value['type'] === 'tool') && typeof value['tool_call_id'] === 'string';
}

/**
 * Returns a `Command` with changed tool messages in its `update`. Its other values stay as they are, because only the graph knows what they
 * mean. Notes are added to the message that answers the call.
 */
function changeCommand(call: Call, command: Command, { replacement, additions = [] }: FinishedToolCall, notes: readonly string[]) {
  const texts = [...additions, ...notes];
  if (replacement === undefined && texts.length === 0) return command;
  return mapToolMessages(command, (message) => {
    const content = replacement === undefined ? message.content : toContent(replacement.value);
    const changed = appendNotes(content, message.tool_call_id === call.id ? texts : []);
    return copyMessage(message, { content: changed, ...(replacement === undefined ? {} : withoutCopies) });
  });
}
