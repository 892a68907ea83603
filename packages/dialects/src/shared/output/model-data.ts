import { isPlainObject } from '@tenterhook/runtime/json';

/**
 * Model data of a hook in either of the shapes the documents show, to the canonical one (decision 14): seed 000 writes
 * `contents`, `systemInstruction` and `generationConfig`, seed 001 `messages` and `config`. `parts` are texts or `{ text }`.
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

/** `{ text }` parts become texts. A response that is one `text` and nothing else is fine as it is. */
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
