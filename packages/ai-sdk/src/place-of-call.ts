import { fieldsOf, fieldsOfAll, type PlacedCall, type Run } from '@tenterhook/agent/internal';

/** A call in the messages of a conversation, and its place there. */
export interface FoundCall {
  readonly id: string;
  readonly place: string;
}

/** Returns the place of a call that the model makes after these messages. They are those of the app, or the prompt of a model. */
export function placeOfNext(run: Run, messages: readonly unknown[] | undefined, call: PlacedCall): string {
  return read(run, messages ?? []).conversation.placeOf(call);
}

/** Returns the calls in the messages, each with its place. */
export function findCalls(run: Run, messages: readonly unknown[]): readonly FoundCall[] {
  return read(run, messages).calls;
}

function read(run: Run, messages: readonly unknown[]) {
  const conversation = run.readConversation();
  const calls: FoundCall[] = [];
  for (const message of messages) {
    const { role, content } = fieldsOf(message);
    if (role !== 'assistant') continue;
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : fieldsOfAll(content);
    const made = parts.flatMap(toCall).map((call) => ({ id: call.id, place: conversation.placeOf(call) }));
    calls.push(...made);
    const texts = parts.map(({ type, text }) => (type === 'text' ? String(text) : ''));
    conversation.add(texts.join(''));
    for (const { place } of made) conversation.add(place);
  }
  return { conversation, calls };
}

function toCall({ type, toolCallId, toolName, input }: Readonly<Record<string, unknown>>): PlacedCall[] {
  return type === 'tool-call' ? [{ id: String(toolCallId), name: String(toolName), input }] : [];
}
