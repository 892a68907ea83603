import type { MatchedTools } from '../../shared/lint/matched-tools.js';
import type { MatcherPlace } from '../../shared/lint/plain-matcher.js';
import { formatValue } from '../../shared/text.js';
import type { ClaudeHost } from '../options.js';
import { claudeTools, knownToolNames } from '../tools/tool-table.js';

/** Returns the tool names that matchers of this format are compared with. */
export function matchedTools({ tools }: ClaudeHost, toolNames: readonly string[]): MatchedTools {
  return {
    agent: 'Claude Code',
    table: claudeTools,
    // Hooks receive the host's tools under Claude Code's names, so these names are known too.
    known: [...knownToolNames, ...toolNames.flatMap((name) => tools.namesOf(name))],
    isWhole: true,
    namesOf: (name) => tools.namesOf(name),
    exactly: (names) => (names.length === 0 ? 'Edit|Write' : names.join('|')),
    fileRemedy: 'Write "matcher": "Edit|Write" next to "hooks", and "if": "Edit(*.ts)" in the hook.',
    ruleRemedy: (matcher, rule) => `Write "matcher": ${formatValue(matcher)} next to "hooks", and "if": ${formatValue(rule)} in the hook.`,
  };
}

/**
 * Reports matchers that name a server without a tool, e.g. `mcp__github`, and returns whether there is one. They never match,
 * because a matcher is compared with whole tool names.
 */
export function reportServers(names: readonly string[], { place, reporter, eventName }: MatcherPlace): boolean {
  const servers = names.filter((name) => /^mcp__(?:(?!__).)+$/.test(name));
  for (const name of servers) {
    const message = `The matcher ${formatValue(name)} names only a server. It must match the whole name of a tool, so it never matches.`;
    reporter.report('unmatched_matcher', 'warning', place, message, { remedy: `Write ${formatValue(`${name}__.*`)}.`, eventName });
  }
  return servers.length > 0;
}
