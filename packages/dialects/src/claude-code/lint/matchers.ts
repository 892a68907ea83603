import type { PatternError } from '@tenterhook/patterns';
import { explainInvalidMatcher, type MatchedTools } from '../../shared/lint/tool-matcher.js';
import type { EventContext } from '../../shared/settings/group-format.js';
import type { DocumentPath } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';
import type { ClaudeHost } from '../options.js';
import { claudeTools, knownToolNames } from '../tools/tool-table.js';

/** The tool names that matchers of this format are compared with. */
export function matchedTools({ tools }: ClaudeHost, toolNames: readonly string[]): MatchedTools {
  return {
    agent: 'Claude Code',
    table: claudeTools,
    // Hooks receive the host's tools under Claude Code's names.
    known: [...knownToolNames, ...toolNames.flatMap((name) => tools.namesOf(name))],
    isWhole: true,
    separator: /[|,]/,
    namesOf: (name) => tools.namesOf(name),
    exactly: (names) => (names.length === 0 ? 'Edit|Write' : names.join('|')),
    fileRemedy: 'Write "matcher": "Edit|Write" next to "hooks", and "if": "Edit(*.ts)" in the hook.',
  };
}

/**
 * If an invalid matcher looks like a permission rule, returns an error that explains this. Otherwise returns the error of the pattern
 * engine.
 */
export function explainError(text: string, error: PatternError, tools: MatchedTools): PatternError {
  if (!isRule(text)) return explainInvalidMatcher(text, error, tools);
  const message = 'It looks like a permission rule; a matcher is a name or a regular expression';
  return { message, remedy: formatRuleRemedy(text) };
}

/** Reports a matcher that is a permission rule and by chance a valid regular expression. Returns true if it reported one. */
export function reportRule(text: string, place: DocumentPath, { reporter, eventName }: EventContext): boolean {
  if (!isRule(text)) return false;
  const message = `The matcher ${formatValue(text)} looks like a permission rule. It is read as a regular expression, which is compared with the name of the tool.`;
  reporter.report('unmatched_matcher', 'warning', place, message, { remedy: formatRuleRemedy(text), eventName });
  return true;
}

/**
 * Reports a matcher that is the name of a server without a tool, which never matches, because it is compared with whole tool names. Returns
 * true if it reported one.
 */
export function reportServers(names: readonly string[], place: DocumentPath, { reporter, eventName }: EventContext): boolean {
  const servers = names.filter((name) => /^mcp__(?:(?!__).)+$/.test(name));
  for (const name of servers) {
    const message = `The matcher ${formatValue(name)} names only a server. It must match the whole name of a tool, so it never matches.`;
    reporter.report('unmatched_matcher', 'warning', place, message, { remedy: `Write ${formatValue(`${name}__.*`)}.`, eventName });
  }
  return servers.length > 0;
}

/** Reports names that are not among the possible values of the event's field. */
export function reportUnknownValues(
  names: readonly string[],
  values: readonly string[],
  place: DocumentPath,
  { reporter, eventName, dialectEvent }: EventContext,
): void {
  for (const name of names.filter((text) => !values.includes(text))) {
    const message = `The matcher ${formatValue(name)} is not a value that ${dialectEvent} can have.`;
    reporter.report('unmatched_matcher', 'warning', place, message, { remedy: `Write one of ${values.join(', ')}.`, eventName });
  }
}

/**
 * Tests for a permission rule such as `Bash(git *)`, which belongs in "if". As a matcher it would be a regular expression that is searched
 * for in the name of the tool.
 */
function isRule(text: string): boolean {
  return /^\w+\(.*\)$/s.test(text.trim());
}

function formatRuleRemedy(text: string): string {
  return `Write "matcher": ${formatValue(text.slice(0, text.indexOf('(')))} next to "hooks", and "if": ${formatValue(text)} in the hook.`;
}
