import type { LLMRequest } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { Fields } from './fields.js';

type HookConfig = NonNullable<LLMRequest['config']>;

/** What one SDK calls the values of `config`; one it has no field for is left out, and so never shown or carried over. */
export type ConfigNames = Partial<Record<keyof typeof readers, string>>;

const readers = {
  temperature: readNumber,
  maxOutputTokens: readNumber,
  topP: readNumber,
  topK: readNumber,
  stopSequences: readTexts,
  candidateCount: readNumber,
  presencePenalty: readNumber,
  frequencyPenalty: readNumber,
} as const;

/** The values a request sets, under the names hooks know; undefined when it sets none. */
export function showConfig(fields: Fields, names: ConfigNames): HookConfig | undefined {
  const shown = Object.entries(names).flatMap(([key, field]) => {
    const value = readers[key as keyof typeof readers](fields[field]);
    return value === undefined ? [] : [[key, value] as const];
  });
  return shown.length === 0 ? undefined : Object.fromEntries(shown);
}

/**
 * The fields that differ from what was shown, under the SDK's names. A value that did not come back was not taken away: hooks return what
 * they change. Keys the stable format does not know are left: a name that means one thing in one SDK can mean another in the next.
 */
export function changedConfig(fields: Fields, returned: unknown, names: ConfigNames): Record<string, number | string[]> {
  if (!isPlainObject(returned)) return {};
  const changed = Object.entries(names).flatMap(([key, field]) => {
    const read = readers[key as keyof typeof readers];
    const [before, after] = [read(fields[field]), read(returned[key])];
    return after === undefined || isSame(before, after) ? [] : [[field, after] as const];
  });
  return Object.fromEntries(changed);
}

/** The model, where a hook names one. */
export function changedModel({ model }: LLMRequest): { model?: string } {
  return typeof model === 'string' && model !== '' ? { model } : {};
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** OpenAI takes a single text too. */
function readTexts(value: unknown): string[] | undefined {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) && value.every((text) => typeof text === 'string') ? [...value] : undefined;
}

function isSame(before: number | string[] | undefined, after: number | string[]): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return before === after;
  return before.length === after.length && before.every((text, index) => text === after[index]);
}
