import type { ParseError } from '@tenterhook/runtime/jsonc';
import { printParseErrorCode } from '@tenterhook/runtime/jsonc';

/** A mistake in a text that is not valid JSON, as the end of a sentence, and the remedy. */
export interface SyntaxProblem {
  readonly what: string;
  readonly remedy: string;
}

/** The maximum length of an excerpt in a message, in characters. */
const maxExcerpt = 24;

const inQuotes = { what: 'keys and strings need double quotes', remedy: 'Write it in double quotes.' };

/** Plain descriptions of the parser's errors. The names of the errors would mean nothing to the author of a settings file. */
const problems: Readonly<Record<string, SyntaxProblem>> = {
  ColonExpected: { what: 'a colon is missing after the key', remedy: 'Write ":" between the key and its value.' },
  ValueExpected: { what: 'a value is missing', remedy: 'Write a value, or remove what is before it.' },
  CloseBraceExpected: { what: 'a "}" is missing', remedy: 'Write "}" at the end of the object.' },
  CloseBracketExpected: { what: 'a "]" is missing', remedy: 'Write "]" at the end of the array.' },
  PropertyNameExpected: { what: 'a key is missing', remedy: 'Write a key in double quotes, or remove the comma before it.' },
  EndOfFileExpected: {
    what: 'there is text after the end of the settings',
    remedy: 'Remove it, or remove the bracket that ends them too early.',
  },
  UnexpectedEndOfString: {
    what: 'a string is not closed on its line',
    remedy: 'Write a double quote at its end; a line break in a string is \\n.',
  },
  UnexpectedEndOfComment: { what: 'a comment is not closed', remedy: 'Write */ at its end.' },
  InvalidEscapeCharacter: {
    what: 'a backslash in a string begins an unknown escape',
    remedy: 'Write each backslash twice: "C:\\\\hooks". For double quotes in a string, write \\".',
  },
  InvalidUnicode: { what: '\\u in a string needs four hexadecimal digits', remedy: 'Write the character itself, or its four digits.' },
  InvalidCharacter: { what: 'a string contains a tab or another control character', remedy: 'Write \\t for a tab.' },
  InvalidNumberFormat: { what: 'a number is not valid', remedy: 'Write it in decimal digits, such as 5000.' },
  UnexpectedEndOfNumber: { what: 'a number is not complete', remedy: 'Write it in decimal digits, such as 5000.' },
  InvalidCommentToken: { what: 'a comment is not valid', remedy: 'Write // before a comment.' },
};

/**
 * Describes a text that is not JSON at all: YAML, or UTF-16, which PowerShell writes with `>`. UTF-16 was decoded as UTF-8, so the text
 * begins with replacement characters or contains the character with the code 0.
 */
export function describeOtherFormat(text: string): SyntaxProblem | undefined {
  if (/^\uFFFD\uFFFD|^[^\0]?\0/.test(text)) return { what: 'it is in UTF-16', remedy: 'Save it as UTF-8.' };
  const isYaml = /^\s*(?:#[^\n]*\n\s*)*(?:---|[A-Za-z][\w-]*:(?:\s|$))/.test(text);
  return isYaml ? { what: 'it looks like YAML', remedy: 'Write JSON: { "hooks": { … } }.' } : undefined;
}

/** Describes a syntax error in plain words. `lineOf` returns the line of an offset. */
export function describeSyntaxError({ error, offset }: ParseError, text: string, lineOf: (offset: number) => number): SyntaxProblem {
  const name = printParseErrorCode(error);
  if (name === 'CommaExpected') return describeComma(text, offset, lineOf);
  if (name === 'InvalidSymbol') {
    const word = /^[^\s,:[\]{}]*/.exec(text.slice(offset, offset + maxExcerpt))?.[0] ?? '';
    return /^['‘“”]/.test(word) ? inQuotes : { ...inQuotes, what: `${word} is not true, false, null or a number, and ${inQuotes.what}` };
  }
  return problems[name] ?? { what: name, remedy: 'Correct the syntax.' };
}

/** Describes a missing comma. It belongs after the previous value, which is often on an earlier line than the parser's error. */
function describeComma(text: string, offset: number, lineOf: (offset: number) => number): SyntaxProblem {
  const line = lineOf(offset);
  const before = lineOf(Math.max(0, text.slice(0, offset).trimEnd().length - 1));
  const where = before === line ? 'here' : `at the end of line ${before}`;
  return { what: `a comma is missing ${before === line ? 'before this value' : `before line ${line}`}`, remedy: `Write a comma ${where}.` };
}
