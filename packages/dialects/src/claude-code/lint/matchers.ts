import type { PatternError } from '@tenterhook/patterns';
import { explainInvalidMatcher, type MatchedTools } from '../../shared/lint/tool-matcher.js';
import type { EventContext } from '../../shared/settings/group-format.js';
import type { DocumentPath } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';
import type { ClaudeHost } from '../options.js';
import { claudeTools, knownToolNames } from '../tools/tool-table.js';

/** The tools as matchers of this format see them. */
export function matchedTools({ tools }: ClaudeHost, toolNames: readonly string[]): MatchedTools {
  return {
    agent: 'Claude Code',
    table: claudeTools,
    // Hooks receive the tools of the host under the names of Claude Code.
    known: [...knownToolNames, ...toolNames.flatMap((name) => tools.namesOf(name))],
    isWhole: true,
    separator: /[|,]/,
    namesOf: (name) => tools.namesOf(name),
    exactly: (names) => (names.length === 0 ? 'Edit|Write' : names.join('|')),
    fileRemedy: 'Write "matcher": "Edit|Write" next to "hooks", and "if": "Edit(*.ts)" in the hook.',
  };
}

/** What an invalid matcher of tools was probably meant as, instead of what the pattern engine says of it. */
export function explainError(text: string, error: PatternError, tools: MatchedTools): PatternError {
  if (!isRule(text)) return explainInvalidMatcher(text, error, tools);
  const message = 'It looks like a permission rule; a matcher is a name or a regular expression';
  return { message, remedy: formatRuleRemedy(text) };
}

/** A permission rule that is a valid regular expression. Returns whether it is one. */
export function reportRule(text: string, place: DocumentPath, { reporter, eventName }: EventContext): boolean {
  if (!isRule(text)) return false;
  const message = `The matcher ${formatValue(text)} looks like a permission rule, but is a regular expression that is searched for in the name of the tool.`;
  reporter.report('unmatched_matcher', 'warning', place, message, { remedy: formatRuleRemedy(text), eventName });
  return true;
}

/** The name of a server without a tool, which is compared with the whole name. Returns whether there is one. */
export function reportServers(names: readonly string[], place: DocumentPath, { reporter, eventName }: EventContext): boolean {
  const servers = names.filter((name) => /^mcp__(?:(?!__).)+$/.test(name));
  for (const name of servers) {
    const message = `The matcher ${formatValue(name)} is compared with the whole name of a tool, and names only its server; it never matches.`;
    reporter.report('unmatched_matcher', 'warning', place, message, { remedy: `Write ${formatValue(`${name}__.*`)}.`, eventName });
  }
  return servers.length > 0;
}

/** Names that are not one of the possible values of an event's field. */
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

/** A permission rule belongs in "if": as a matcher it is searched for in the name of the tool. */
function isRule(text: string): boolean {
  return /^\w+\(.*\)$/s.test(text.trim());
}

function formatRuleRemedy(text: string): string {
  return `Write "matcher": ${formatValue(text.slice(0, text.indexOf('(')))} next to "hooks", and "if": ${formatValue(text)} in the hook.`;
}
