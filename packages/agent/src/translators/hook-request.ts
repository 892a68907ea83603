import type { HookToolConfig, LLMRequest } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import type { Fields } from './fields.js';
import type { HookMessage } from './hook-message.js';

/** What a translator found in a request of its SDK. A field is undefined if the request does not have it, or if hooks must not see it. */
export interface FoundInRequest {
  readonly model: unknown;
  readonly messages: readonly (HookMessage | undefined)[];
  readonly config: LLMRequest['config'];
  readonly toolConfig: HookToolConfig | undefined;
}

/** Returns the request for hooks. Fields without a value are left out, so that hooks in processes and in this process receive the same. */
export function showRequest({ model, messages, config, toolConfig }: FoundInRequest): LLMRequest {
  return {
    ...(typeof model === 'string' ? { model } : {}),
    messages: messages.filter((message) => message !== undefined),
    ...omitUndefined({ config, toolConfig }),
  };
}

type HookConfig = NonNullable<LLMRequest['config']>;

/** The SDK's field for each value of `config`. A value that is missing here is neither shown to hooks nor written. */
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

/** Returns the `config` of a request under the names of the hook format, or undefined if it has none of these values. */
export function showConfig(fields: Fields, names: ConfigNames): HookConfig | undefined {
  const shown = Object.entries(names).flatMap(([key, field]) => {
    const value = readers[key as keyof typeof readers](fields[field]);
    return value === undefined ? [] : [[key, value] as const];
  });
  return shown.length === 0 ? undefined : Object.fromEntries(shown);
}

/**
 * Returns the `config` values that a hook changed, under the SDK's names. Hooks return only what they change, so a missing value is
 * unchanged. Names that the hook format does not define are ignored, because they can mean different things in two SDKs.
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

/** Returns the model, if a hook names one. */
export function changedModel({ model }: LLMRequest): { model?: string } {
  return typeof model === 'string' && model !== '' ? { model } : {};
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Returns a list of texts. OpenAI also accepts a single text. */
function readTexts(value: unknown): string[] | undefined {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) && value.every((text) => typeof text === 'string') ? [...value] : undefined;
}

function isSame(before: number | string[] | undefined, after: number | string[]): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return before === after;
  return before.length === after.length && before.every((text, index) => text === after[index]);
}
