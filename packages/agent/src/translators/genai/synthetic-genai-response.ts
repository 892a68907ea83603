import { isPlainObject } from '@tenterhook/runtime/json';
import { fieldsOf, listOf } from '../fields.js';
import { genAiTextParts } from './genai-parts.js';

/**
 * A response nobody asked a model for. It has the getters that callers of the SDK read, `text` and `functionCalls`; the SDK's own class
 * is not imported, because a host without that SDK has none. The getters for data and code are absent, which says the same: there is none.
 */
export class SyntheticGenAiResponse {
  readonly candidates: readonly object[] = [];

  get text(): string | undefined {
    const texts = partsOfFirst(this.candidates).flatMap((part) => genAiTextParts.textOf(part) ?? []);
    return texts.length === 0 ? undefined : texts.join('');
  }

  get functionCalls(): object[] | undefined {
    const calls = partsOfFirst(this.candidates).map((part) => fieldsOf(part)['functionCall']);
    return calls.some(isPlainObject) ? calls.filter(isPlainObject) : undefined;
  }
}

function partsOfFirst([first]: readonly object[]): readonly unknown[] {
  return listOf(fieldsOf(fieldsOf(first)['content'])['parts']);
}
