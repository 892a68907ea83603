import type { PatternError } from '@tenterhook/patterns';
import { formatValue } from '../text.js';
import { namesInstead } from '../tools/names-instead.js';
import { findImpossible } from './impossible-matcher.js';
import type { Doubt, MatchedTools } from './matched-tools.js';
import { longerNames, type MatcherPlace, reportPlainMatcher } from './plain-matcher.js';

/**
 * Returns the error for an invalid matcher. If the matcher is a permission rule or a file pattern, the error names this mistake.
 * Otherwise it is the error of the pattern engine.
 */
export function explainInvalidMatcher(text: string, error: PatternError, tools: MatchedTools): PatternError {
  const rule = findRule(text, tools, (name) => correctName(name, tools));
  if (rule !== undefined) return { message: rule.what, remedy: rule.remedy };
  if (!looksLikeFiles(text)) return error;
  return { message: 'It looks like a file pattern; a matcher is compared with the name of the tool', remedy: formatFileRemedy(tools) };
}

/**
 * Reports a valid matcher that probably does not match what its author intended, e.g. a glob or a tool name of another agent. Only
 * the first mistake is reported, because it usually explains the others.
 */
export function reportToolMatcher(text: string, test: (subject: string) => boolean, at: MatcherPlace, tools: MatchedTools): void {
  const correct = (name: string) => correctName(name, tools);
  const doubt =
    findRule(text, tools, correct) ??
    findSlashes(text) ??
    findFiles(text, test, tools) ??
    findImpossible(text, tools, correct) ??
    findForeignNames(text, test, tools) ??
    findRepeatedLetter(text, test, tools);
  if (doubt !== undefined) {
    const { place, reporter, eventName } = at;
    reporter.report('unmatched_matcher', 'warning', place, doubt.message, { remedy: doubt.remedy, eventName });
  } else if (!tools.isWhole) {
    const longer = longerNames(text, test, tools.known);
    if (longer.length > 0) reportPlainMatcher(text, longer, at, tools.exactly);
  }
}

/**
 * Finds a matcher that is a permission rule, e.g. `Bash(git *)`. As a matcher it is a regular expression with a group. `correct`
 * corrects the name of a tool for the remedy. Returns undefined for other matchers.
 */
function findRule(text: string, tools: MatchedTools, correct: (name: string) => string): (Doubt & { readonly what: string }) | undefined {
  const name = /^(\w+)\(.*\)$/s.exec(text.trim())?.[1];
  if (name === undefined) return undefined;
  const tool = correct(name);
  if (tool === name && !tools.known.includes(name)) return undefined;
  const matcher = tools.exactly([tool]);
  const remedy =
    tools.ruleRemedy?.(matcher, text) ?? `Write "matcher": ${formatValue(matcher)}, and compare its arguments inside the hook.`;
  const message = `The matcher ${formatValue(text)} looks like a permission rule. It is read as a regular expression, which is compared with the name of the tool.`;
  return { what: 'It looks like a permission rule; a matcher is compared with the name of the tool', message, remedy };
}

function findSlashes(text: string): Doubt | undefined {
  const inner = /^\/(.*)\/[a-z]*$/s.exec(text)?.[1];
  if (inner === undefined) return undefined;
  const message = `The matcher ${formatValue(text)} never matches: its slashes are part of the pattern, and no tool name contains a slash.`;
  return { message, remedy: `Write ${formatValue(inner)}.` };
}

function findFiles(text: string, test: (subject: string) => boolean, tools: MatchedTools): Doubt | undefined {
  if (!looksLikeFiles(text) || tools.known.some(test)) return undefined;
  const message = `The matcher ${formatValue(text)} looks like a file pattern, but is compared with the name of the tool; it matches no known tool.`;
  return { message, remedy: formatFileRemedy(tools) };
}

function formatFileRemedy({ fileRemedy, exactly, table }: MatchedTools): string {
  const names = [...(table.write?.names ?? []), ...(table.edit?.names ?? [])];
  return fileRemedy ?? `Write "matcher": ${formatValue(exactly(names))}, and compare the path inside the hook.`;
}

/** Finds names of other agents' tools. A matcher with such a name was copied from another agent, and never matches. */
function findForeignNames(text: string, test: (subject: string) => boolean, tools: MatchedTools): Doubt | undefined {
  const parts = text.split(tools.isList === true ? /[|,]/ : '|').map((part) => correctPart(part, test, tools));
  const unknown = [...new Set(parts.flatMap(({ name }) => (name === undefined ? [] : [name])))];
  if (unknown.length === 0) return undefined;
  const are = unknown.length === 1 ? 'is not the name of a tool' : 'are not names of tools';
  const match = unknown.length === 1 ? 'it matches' : 'they match';
  const message = `${unknown.map(formatValue).join(', ')} ${are} in ${tools.agent}; ${match} only a tool to which the agent gives that name.`;
  return { message, remedy: `Write ${JSON.stringify([...new Set(parts.map((part) => part.text))].join('|'))}.` };
}

/**
 * Converts a tool's name in any agent into this agent's names for the tool, with `|` between them. Any other text is returned
 * unchanged.
 */
function correctName(name: string, { table, known, namesOf = () => [] }: MatchedTools): string {
  const mapped = namesOf(name).filter((other) => other !== name);
  const instead = mapped.length > 0 ? mapped.slice(0, 1) : namesInstead(name, table, known);
  return instead.length === 0 ? name : instead.join('|');
}

/** Corrects one alternative of a matcher for the remedy. `name` is set only if the alternative is a name of another agent. */
function correctPart(written: string, test: (subject: string) => boolean, tools: MatchedTools): { text: string; name?: string } {
  const { known, isWhole } = tools;
  const text = written.trim();
  const [, before = '', name = '', after = ''] = /^([\^(]*)([\w-]+)([)$]*)$/.exec(text) ?? [];
  // If matchers of the format may match a part of the name, a part of a known tool's name is valid too.
  const isKnown = isWhole ? known.includes(name) : known.some((tool) => tool.includes(name));
  if (name === '' || isKnown || !test(name)) return { text: written };
  const names = correctName(name, tools);
  if (names === name) return { text: written };
  const isAlone = before === '' && after === '';
  return { name, text: `${before}${isAlone || !names.includes('|') ? names : `(${names})`}${after}` };
}

/**
 * Finds a glob in place of a regular expression, e.g. `^run_*$`. Here `*` repeats the `_` before it, so the pattern matches only
 * `run`, `run_`, `run__` and so on. Without the final `$` the mistake has no effect: `^run_*` matches every name that begins with
 * `run`.
 */
function findRepeatedLetter(text: string, test: (subject: string) => boolean, { known, isWhole }: MatchedTools): Doubt | undefined {
  const [, letter] = /([\w-])\*/.exec(text) ?? [];
  if (letter === undefined || !(isWhole || text.endsWith('$')) || known.some(test)) return undefined;
  const message = `In the matcher ${formatValue(text)}, "*" repeats the character before it ("${letter}"), and no known tool matches. To match any text, write ".*".`;
  return { message, remedy: `Write ${formatValue(text.replace(/([\w-])\*/g, '$1.*'))}.` };
}

/**
 * File extensions for which hooks are often written. The list is short, because a tool's name may contain a dot too, e.g.
 * `page.get`.
 */
const extensions =
  'bash|cc|cfg|cjs|conf|cpp|cs|css|csv|env|go|hpp|html|ini|ipynb|java|js|json|jsonc|jsx|key|kt|less|lock|lua|md|mjs|pem|php|pl|proto|ps1|py|rb|rs|scala|scss|sh|sql|svelte|swift|tf|toml|ts|tsx|txt|vue|xml|ya?ml|zig';

const suffix = new RegExp(
  String.raw`(?:[*\w)\]]|^)\\?\.(?:(?:${extensions})\??|\((?:${extensions}|\|)+\)|\{(?:${extensions}|,)+\})\$?$`,
  'i',
);

/** Tests whether a matcher of tools looks like a pattern for file paths, e.g. `src/**`, `*.ts`, `\.py$`. */
function looksLikeFiles(text: string): boolean {
  return /^\*+[./]|[\w*.]\/|\/[\w*.]|\*\*/.test(text) || suffix.test(text);
}
