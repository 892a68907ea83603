import type { HookWarning } from '@tenterhook/protocol';
import { shown } from './reporter.js';

export interface LostAnswer extends HookWarning {
  readonly code: 'invalid_json' | 'decision_in_text';
}

/** The text begins with a brace, or one of its lines with that of an object; a brace alone begins many a line of code. */
const brokenObject = /^\s*\{|[\r\n][ \t]*\{\s*["']/;

/** Names that only an answer has, quoted as in JSON, in Python, or in a JSON text within another. */
const quotedField = /(?:decision|hookSpecificOutput)\\*["']\s*:|continue\\*["']\s*:\s*["'\\]*false/i;

/** The same as in JavaScript. Without quotes it takes the word behind it, or any sentence about a decision would do. */
const bareField = /\bdecision\s*:\s*["'`]?(?:deny|block|ask|allow|approve)\b|\bcontinue\s*:\s*false\b/i;

/**
 * What looks like an answer in a text that is none. It stays text, because whoever quotes a decision does not take one; but a
 * hook that meant it would otherwise fail in silence, so it is said.
 */
export function lostAnswer(text: string): LostAnswer | undefined {
  const broken = brokenObject.exec(text);
  if (broken !== null) {
    const message = `A line of stdout begins like a JSON object and is not valid JSON (${excerpt(text, broken.index)}); it was taken as text.`;
    return { code: 'invalid_json', message };
  }
  const brace = text.indexOf('{');
  const field = quotedField.exec(text) ?? (brace < 0 ? null : bareField.exec(text.slice(brace)));
  if (field === null) return undefined;
  const at = field.input === text ? field.index : brace + field.index;
  const message = `stdout speaks of a decision within a text (${excerpt(text, at - 20)}); it does not count. Print the JSON object on a line of its own.`;
  return { code: 'decision_in_text', message };
}

function excerpt(text: string, from: number): string {
  return shown(text.slice(Math.max(from, 0), Math.max(from, 0) + 100).trim());
}
