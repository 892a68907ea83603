import { eventEntry } from '@tenterhook/protocol';
import { isPlainName, longerNames, reportPlainMatcher } from '../shared/lint/plain-matcher.js';
import type { CompiledMatcher, MatcherLanguage } from '../shared/matching.js';
import { canonicalTools } from '../shared/tools/canonical-tools.js';
import { compileMatcher, type Matcher } from './matcher.js';

const toolNames = Object.values(canonicalTools).flatMap(({ names }) => [...names]);

/** LLxprt's matchers as settings hold them (decisions 1 and 2). */
export const matcherLanguage: MatcherLanguage<Matcher> = {
  all: { kind: 'all' },
  texts: ['', '*'],
  subjectOf: ({ eventName }) => eventEntry(eventName).matcherField,
  compile(text, place, context): CompiledMatcher<Matcher> {
    const compiled = compileMatcher(text);
    if (!compiled.ok || compiled.matcher.kind === 'all') return compiled;
    const { eventName } = context;
    if (eventEntry(eventName).matcherField === 'tool_name' && isPlainName(text)) {
      // Said of every one: which tools an agent has beside those that are known here, nobody can tell (decision 1).
      reportPlainMatcher(text, longerNames(text, compiled.matcher.test, toolNames), place, context, exactly);
    }
    return compiled;
  },
  exactly,
};

function exactly(names: readonly string[]): string {
  if (names.length === 0) return 'write_*';
  return names.length > 1 ? `^(${names.join('|')})$` : `^${names[0]}$`;
}
