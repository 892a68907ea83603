import type { MatchedTools } from '../../shared/lint/matched-tools.js';
import type { MatcherLanguage } from '../../shared/matching.js';
import { compilePattern, type NameMatcher, nameMatcherLanguage } from '../../shared/name-matcher.js';
import { type AntigravityEvent, factsOf } from '../input/event-table.js';
import type { AntigravityHost } from '../options.js';
import { antigravityTools, knownToolNames } from '../tools/tool-table.js';

/** The field of stdin that a matcher is compared with. */
export const subject = 'toolCall.name';

/**
 * Returns the matcher language of this format: every matcher is a regular expression. Whether it must match the whole name is unverified, so
 * it may match a part: a guard that runs too often is safer than one that does not run.
 */
export function matcherLanguage(host: AntigravityHost, toolNames: readonly string[] = []): MatcherLanguage<NameMatcher> {
  return nameMatcherLanguage({
    tools: matchedTools(host, toolNames),
    eventOf: (event) => (factsOf(event as AntigravityEvent).ofTool === true ? { subject, ofTool: true } : {}),
    compile: (text, _event, onCompiled) => compilePattern(text, { onCompiled }),
  });
}

function matchedTools({ tools }: AntigravityHost, toolNames: readonly string[]): MatchedTools {
  return {
    agent: 'Antigravity',
    table: antigravityTools,
    known: [...knownToolNames, ...toolNames.flatMap((name) => tools.namesOf(name))],
    isWhole: false,
    namesOf: (name) => tools.namesOf(name),
    exactly: (names) => (names.length === 0 ? '^write_to_file$' : `^(${names.join('|')})$`),
    fileRemedy: 'Write "matcher": "^(write_to_file|replace_file_content)$", and compare the paths inside the hook.',
  };
}
