import type { CompiledMatcher, MatcherLanguage } from '../../shared/matching.js';
import { compileNames, compilePattern, type NameMatcher, nameMatcherLanguage } from '../../shared/name-matcher.js';
import { type ClaudeEvent, factsOf } from '../input/event-table.js';
import { matchedTools, reportServers } from '../lint/matchers.js';
import type { ClaudeHost } from '../options.js';

/** Returns the matcher language of this format. `toolNames` are the tools of the agent, if they are known. */
export function matcherLanguage(host: ClaudeHost, toolNames: readonly string[] = []): MatcherLanguage<NameMatcher> {
  return nameMatcherLanguage({
    tools: matchedTools(host, toolNames),
    eventOf: (event) => factsOf(event as ClaudeEvent),
    compile: (text, event, onCompiled) => compileMatcher(text, factsOf(event as ClaudeEvent).isList === true, onCompiled),
    reportNames: reportServers,
  });
}

/** A matcher with only these characters is a list of names. Any other matcher is a regular expression. */
const plain = /^[A-Za-z0-9_\- ,|]+$/;

/**
 * Compiles a matcher:
 * - A missing matcher, `""` and `*` match everything.
 * - Names with `|` or `,` between them are a list. A list matches a subject that equals one of the names.
 * - Any other text is a regular expression. It may match a part of the subject.
 *
 * With `isList`, every text is a list of names with `|` between them.
 */
export function compileMatcher(
  text: string | undefined,
  isList: boolean,
  onCompiled: (instructions: number) => void = () => {},
): CompiledMatcher<NameMatcher> {
  if (text === undefined || text === '' || text === '*') return { ok: true, matcher: { kind: 'all' } };
  if (isList || plain.test(text)) return compileNames(text.split(isList ? '|' : /[|,]/));
  return compilePattern(text, { dotMatchesNewline: true, onCompiled });
}
