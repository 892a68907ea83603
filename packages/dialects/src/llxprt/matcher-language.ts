import { eventEntry } from '@tenterhook/protocol';
import type { CompiledMatcher, MatcherLanguage } from '../groups/matcher-field.js';
import { shown } from '../shown.js';
import { compileMatcher, isPlainName, type Matcher } from './matcher.js';

/** LLxprt's matchers as settings hold them (decisions 1 and 2). */
export const matcherLanguage: MatcherLanguage<Matcher> = {
  all: { kind: 'all' },
  texts: ['', '*'],
  subjectOf: ({ eventName }) => eventEntry(eventName).matcherField,
  compile(text, place, { eventName, reporter }): CompiledMatcher<Matcher> {
    const compiled = compileMatcher(text);
    if (compiled.ok && eventEntry(eventName).matcherField === 'tool_name' && isPlainName(text)) {
      const message = `${shown(text)} is searched for anywhere in the tool name, so it also matches longer names.`;
      const remedy = `Write "${exactly(text.split('|'))}" to mean exactly that.`;
      reporter.report('plain_matcher', 'note', place, message, { remedy, eventName });
    }
    return compiled;
  },
  exactly,
};

function exactly(names: readonly string[]): string {
  if (names.length === 0) return 'write_*';
  return names.length > 1 ? `^(${names.join('|')})$` : `^${names[0]}$`;
}
