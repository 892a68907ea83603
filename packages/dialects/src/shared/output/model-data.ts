import { isPlainObject } from '@tenterhook/runtime/json';

/**
 * Converts a model request into canonical form (decision 14). The canonical form has the fields `messages` and `config`. Hooks may also
 * print a form with the fields `contents`, `systemInstruction` and `generationConfig`. Each of its `parts` is a string or `{ text }`.
 */
export function canonicalRequest(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  const { contents, systemInstruction, generationConfig, ...rest } = value;
  const request: Record<string, unknown> = { ...rest };
  if (contents !== undefined || systemInstruction !== undefined) {
    const messages = Array.isArray(contents) ? contents.map(messageOf) : [];
    const system = systemInstruction === undefined ? [] : [{ ...messageOf(systemInstruction), role: 'system' }];
    request['messages'] ??= [...system, ...messages];
  }
  if (generationConfig !== undefined) request['config'] ??= generationConfig;
  return request;
}

/**
 * Converts a model response into canonical form. Parts of the form `{ text }` become strings. A response with only a `text` is canonical.
 */
export function canonicalResponse(value: unknown): unknown {
  if (!isPlainObject(value) || !Array.isArray(value['candidates'])) return value;
  const candidates = value['candidates'].map((candidate: unknown) => {
    if (!isPlainObject(candidate) || !isPlainObject(candidate['content']) || !Array.isArray(candidate['content']['parts']))
      return candidate;
    return { ...candidate, content: { ...candidate['content'], parts: candidate['content']['parts'].map(partText) } };
  });
  return { ...value, candidates };
}

function messageOf(content: unknown): Record<string, unknown> {
  if (!isPlainObject(content)) return { role: 'user', content };
  const { parts, ...rest } = content;
  const text = Array.isArray(parts)
    ? parts
        .map(partText)
        .filter((part) => typeof part === 'string')
        .join('')
    : content['content'];
  return { ...rest, role: content['role'] ?? 'user', content: text };
}

function partText(part: unknown): unknown {
  return isPlainObject(part) && typeof part['text'] === 'string' && Object.keys(part).length === 1 ? part['text'] : part;
}
