import { eventEntry } from '@tenterhook/protocol';
import type { CompiledMatcher, MatcherLanguage } from '../groups/matcher-field.js';
import { isPlainName, longerNames, reportPlainMatcher } from '../groups/plain-matcher.js';
import { canonicalTools } from '../tools/canonical-tools.js';
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
      const longer = longerNames(text, compiled.matcher.test, toolNames);
      // Of names that are known whole there is nothing to say; which ones an agent has beside an unknown one, nobody knows (decision 1).
      const isKnown = text.split('|').every((name) => toolNames.includes(name));
      if (longer.length > 0 || !isKnown) reportPlainMatcher(text, longer, place, context, exactly);
    }
    return compiled;
  },
  exactly,
};

function exactly(names: readonly string[]): string {
  if (names.length === 0) return 'write_*';
  return names.length > 1 ? `^(${names.join('|')})$` : `^${names[0]}$`;
}
