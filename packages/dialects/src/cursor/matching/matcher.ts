import type { MatchedTools } from '../../shared/lint/matched-tools.js';
import type { MatcherLanguage } from '../../shared/matching.js';
import { compilePattern, type NameMatcher, nameMatcherLanguage } from '../../shared/name-matcher.js';
import { type CursorEvent, factsOf } from '../input/event-table.js';
import type { CursorHost } from '../options.js';
import { cursorTools, knownToolNames } from '../tools/tool-table.js';

/** Returns the matcher language of this format: every matcher is a regular expression that may match a part of the value. */
export function matcherLanguage(host: CursorHost, toolNames: readonly string[] = []): MatcherLanguage<NameMatcher> {
  return nameMatcherLanguage({
    tools: matchedTools(host, toolNames),
    eventOf: (event) => {
      const { subject, ofTool, sentinel } = factsOf(event as CursorEvent);
      return {
        ...(subject === undefined ? {} : { subject: subject === 'name' ? 'the name of the event' : subject }),
        ...(ofTool === undefined ? {} : { ofTool }),
        ...(sentinel === undefined ? {} : { values: [sentinel] }),
      };
    },
    compile: (text, _event, onCompiled) => compilePattern(text, { onCompiled }),
  });
}

function matchedTools({ tools }: CursorHost, toolNames: readonly string[]): MatchedTools {
  return {
    agent: 'Cursor',
    table: cursorTools,
    known: [...knownToolNames, ...toolNames.flatMap((name) => tools.namesOf(name))],
    isWhole: false,
    namesOf: (name) => tools.namesOf(name),
    exactly: (names) => (names.length === 0 ? '^Write$' : `^(${names.join('|')})$`),
    fileRemedy: 'Write "matcher": "^Write$", and compare the paths inside the hook.',
  };
}
