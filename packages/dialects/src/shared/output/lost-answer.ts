import type { HookWarning } from '@tenterhook/protocol';
import { formatValue } from '../text.js';
import type { AnswerWords } from './answer-keywords.js';

/** What a hook writes to. */
export type Stream = 'stdout' | 'stderr';

export interface LostAnswer extends HookWarning {
  readonly code: 'invalid_json' | 'decision_in_text';
}

/** The text begins with a brace, or one of its lines with that of an object; a brace alone begins many a line of code. */
const brokenObject = /^\s*\{|[\r\n][ \t]*\{\s*["']/;

/**
 * What looks like an answer in a text that is none. It stays text, because whoever quotes a decision does not take one; but a
 * hook that meant it would otherwise fail in silence, so it is said.
 */
export function lostAnswer(text: string, words: AnswerWords, stream: Stream = 'stdout'): LostAnswer | undefined {
  const broken = brokenObject.exec(text);
  if (broken !== null) {
    const message = `A line of ${stream} begins like a JSON object and is not valid JSON (${excerpt(text, broken.index)}); it was taken as text.`;
    return { code: 'invalid_json', message };
  }
  const brace = text.indexOf('{');
  const field = words.quotedField.exec(text) ?? (brace < 0 ? null : words.bareField.exec(text.slice(brace)));
  if (field === null) return undefined;
  const at = field.input === text ? field.index : brace + field.index;
  const message = `${stream} speaks of a decision within a text (${excerpt(text, at - 20)}); it does not count. Print the JSON object on a line of its own.`;
  return { code: 'decision_in_text', message };
}

function excerpt(text: string, from: number): string {
  return formatValue(text.slice(Math.max(from, 0), Math.max(from, 0) + 100).trim());
}
