import { formatValue } from '../text.js';
import type { Doubt, MatchedTools } from './matched-tools.js';

/** No tool name has these characters, unless the agent has such a tool. */
const foreignCharacters = {
  ',': 'a comma',
  ' ': 'a blank',
  ';': 'a semicolon',
  '&': '"&"',
  '"': 'a quotation mark',
  "'": 'a quotation mark',
};

/**
 * Finds a matcher, or an alternative in it, that no tool name can match. Its author probably meant a list with blanks or commas, or
 * a negation. `correct` corrects the name of a tool for the remedy. Complicated patterns are not examined, because their authors
 * wrote them deliberately. So no parser for regular expressions is needed.
 */
export function findImpossible(text: string, tools: MatchedTools, correct: (name: string) => string): Doubt | undefined {
  const negated = /^[\^(\s]*!(.*)$/s.exec(text)?.[1];
  if (negated !== undefined) return describeNegation(text, negated);
  if (hasOptionalGroup(text)) return undefined;
  const parts = text.split(tools.isList === true ? /[|,]/ : '|').map((part) => (tools.isList === true ? part.trim() : literalsOf(part)));
  const found = Object.entries(foreignCharacters).filter(
    ([character]) => parts.some((part) => hasLiteral(part, character)) && !tools.known.some((name) => name.includes(character)),
  );
  const why =
    found.length > 0
      ? `no tool name contains ${[...new Set(found.map(([, name]) => name))].join(' or ')}`
      : tools.isList !== true && parts.some((part) => /.\^|\$./.test(part))
        ? '"^" and "$" in the middle of a pattern never match'
        : undefined;
  if (why === undefined) return undefined;
  const remedy = `Write ${JSON.stringify(matcherOf(text, tools, correct))}.`;
  return { message: `The matcher ${formatValue(text)} cannot match the tools that it names: ${why}.`, remedy };
}

function describeNegation(text: string, negated: string): Doubt {
  const name = negated.replace(/[)$\s]+$/, '');
  const message = `The matcher ${formatValue(text)} never matches: "!" does not negate a matcher, and no tool name contains "!".`;
  return { message, remedy: `Remove the matcher, and end the hook with exit code 0 if the tool is ${name}.` };
}

/** Tests for an optional group. Such a group can make a matcher match although one of its alternatives is impossible. */
function hasOptionalGroup(text: string): boolean {
  return /\)[?*{]/.test(text);
}

/** Removes escapes, classes, repetition counts and parentheses from an alternative. */
function literalsOf(part: string): string {
  return part
    .replace(/\\.|\[\^?\]?[^\]]*\]/gs, 'x')
    .replace(/\{\d*,?\d*\}/g, '+')
    .replace(/\(\?[a-zA-Z<>:]*|[()]/g, '');
}

/** Tests whether an alternative contains a character that is not optional. */
function hasLiteral(part: string, character: string): boolean {
  const at = part.indexOf(character);
  return at >= 0 && (!'?*'.includes(part[at + 1] ?? 'x') || hasLiteral(part.slice(at + 1), character));
}

/** Returns the matcher for the names that a text lists. */
function matcherOf(text: string, tools: MatchedTools, correct: (name: string) => string): string {
  const names = text
    .split(/[\s,;&|"']+|\$\^?|\^/)
    .map((name) => name.replace(/^\(|\)$/g, ''))
    .filter((name) => name !== '');
  const corrected = [...new Set(names.flatMap((name) => correct(name).split('|')))];
  return corrected.every((name) => /^[\w-]+$/.test(name)) ? tools.exactly(corrected) : corrected.join('|');
}
