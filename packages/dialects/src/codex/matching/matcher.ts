import type { MatchedTools } from '../../shared/lint/matched-tools.js';
import type { CompiledMatcher, MatcherLanguage } from '../../shared/matching.js';
import { compileNames, compilePattern, type NameMatcher, nameMatcherLanguage } from '../../shared/name-matcher.js';
import { type CodexEvent, factsOf } from '../input/event-table.js';
import type { CodexHost } from '../options.js';
import { codexTools, knownToolNames } from '../tools/tool-table.js';

/** Returns the matcher language of this format. `toolNames` are the tools of the agent, if they are known. */
export function matcherLanguage(host: CodexHost, toolNames: readonly string[] = []): MatcherLanguage<NameMatcher> {
  return nameMatcherLanguage({
    tools: matchedTools(host, toolNames),
    eventOf: (event) => factsOf(event as CodexEvent),
    compile: (text, _event, onCompiled) => compileMatcher(text, onCompiled),
  });
}

/** A matcher with only these characters is a list of names. Any other matcher is a regular expression. */
const plain = /^[A-Za-z0-9_|]+$/;

/** Compiles a matcher. A list matches a subject that equals one of its names. A regular expression may match a part of the subject. */
function compileMatcher(text: string, onCompiled: (instructions: number) => void): CompiledMatcher<NameMatcher> {
  return plain.test(text) ? compileNames(text.split('|')) : compilePattern(text, { onCompiled });
}

function matchedTools({ tools }: CodexHost, toolNames: readonly string[]): MatchedTools {
  return {
    agent: 'Codex',
    table: codexTools,
    known: [...knownToolNames, ...toolNames.flatMap((name) => tools.namesOf(name))],
    isWhole: true,
    namesOf: (name) => tools.namesOf(name),
    exactly: (names) => (names.length === 0 ? 'apply_patch' : names.join('|')),
    fileRemedy: 'Write "matcher": "apply_patch", and compare the paths in the patch inside the hook.',
  };
}
