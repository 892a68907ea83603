import { formatValue } from '../text.js';
import type { Doubt, MatchedTools } from './matched-tools.js';

/**
 * Explains a matcher that is a permission rule such as `Bash(git *)`. As a regular expression, it is searched for in the name of the tool,
 * and the parentheses are a group. `correct` corrects the name of a tool for the remedy. Returns undefined for other matchers.
 */
export function findRule(
  text: string,
  tools: MatchedTools,
  correct: (name: string) => string,
): (Doubt & { readonly what: string }) | undefined {
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
