import { type Fields, fieldsOf, joinTextParts, listOf, rewriteTextParts, withFields } from '@tenterhook/agent/internal';

/** The options of `generate()` and `stream()` of an agent. */
export type CallOptions = Readonly<Record<string, unknown>>;

const textParts = {
  textOf(part: unknown) {
    const { type, text } = fieldsOf(part);
    return type === 'text' && typeof text === 'string' ? text : undefined;
  },
  withText: (part: unknown, text: string): unknown => withFields(fieldsOf(part), { text }),
};

/** Returns the prompt of the user: the text, or that of the last message. Undefined if the last message is not the user's, as after an approval. */
export function readPrompt({ prompt, messages }: CallOptions): string | undefined {
  if (typeof prompt === 'string') return prompt;
  const last = fieldsOf(listOf(prompt ?? messages).at(-1));
  if (last['role'] !== 'user') return undefined;
  const { content } = last;
  return typeof content === 'string' ? content : joinTextParts(textParts, listOf(content));
}

/** Returns the options with this prompt. Files and images of the user's message stay. */
export function writePrompt(options: CallOptions, text: string): CallOptions {
  if (typeof options['prompt'] === 'string') return withFields(options, { prompt: text });
  const field = options['prompt'] === undefined ? 'messages' : 'prompt';
  const messages = listOf(options[field]);
  const last = fieldsOf(messages.at(-1));
  return withFields(options, { [field]: [...messages.slice(0, -1), withFields(last, { content: writeContent(last['content'], text) })] });
}

function writeContent(content: unknown, text: string): unknown {
  if (typeof content === 'string') return text;
  const parts = listOf(content);
  const hasText = parts.some((part) => textParts.textOf(part) !== undefined);
  return hasText ? rewriteTextParts(textParts, parts, text) : [...parts, { type: 'text', text }];
}

/** Returns the options of the call that continues a conversation: its messages, the answer, and the next prompt. */
export function continueCall({ prompt, messages, ...options }: CallOptions, answer: readonly unknown[], next: string): CallOptions {
  const before: readonly unknown[] = typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : listOf(prompt ?? messages);
  return { ...options, messages: [...before, ...answer, { role: 'user', content: next } satisfies Fields] };
}
