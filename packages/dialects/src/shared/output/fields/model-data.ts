import type { HookWarning } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { reportOtherSpellings } from './printed-fields.js';

/**
 * Converts a model request into canonical form, which has the fields `messages` and `config` (decision 14). Hooks may also print
 * the form with the fields `contents`, `systemInstruction` and `generationConfig`, in which each of the `parts` is a string or `{
 * text }`.
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
 * Converts a model response into canonical form. Parts of the form `{ text }` become strings. A response that has only a `text` is
 * canonical.
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

/** Names of an object in requests of the model's API. Published hooks put the fields into this object, but no format reads it. */
const apiNames = ['functionCallingConfig', 'function_calling_config'];

/**
 * Returns a printed `toolConfig` without the object of the model's API, or undefined if nothing else is in it. The object is not
 * used, because the agents do not use it. A warning reports it: the author expects that the hook limits the tools.
 */
export function usableToolConfig(printed: unknown, path: string, warnings: HookWarning[]): unknown {
  if (!isPlainObject(printed)) return printed;
  reportOtherSpellings(printed, ['mode', 'allowedFunctionNames'], path, warnings);
  const nested = apiNames.filter((name) => Object.hasOwn(printed, name));
  if (nested.length === 0) return printed;
  for (const name of nested) {
    const message = `${path}.${name} has no effect; it was dropped. Write its "mode" and "allowedFunctionNames" directly into toolConfig.`;
    warnings.push({ code: 'no_effect', message });
  }
  const kept = Object.entries(printed).filter(([name]) => !nested.includes(name));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
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
