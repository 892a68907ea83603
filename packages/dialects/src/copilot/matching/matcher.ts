import type { MatchedTools } from '../../shared/lint/matched-tools.js';
import type { MatcherLanguage } from '../../shared/matching.js';
import { compileNames, compilePattern, type NameMatcher, nameMatcherLanguage } from '../../shared/name-matcher.js';
import { type CopilotEvent, eventOfKey, factsOf } from '../input/event-table.js';
import type { CopilotHost } from '../options.js';
import { claudeNamesOf, copilotTools, copilotToolsAsClaude, knownToolNames } from '../tools/tool-table.js';

/** Names of tools with `|` between them. */
const listOfNames = /^[\w-]+(?:\|[\w-]+)*$/;

/** Returns the matcher language of keys with a small letter: a regular expression for the whole name. */
export function camelLanguage(host: CopilotHost, toolNames: readonly string[] = []): MatcherLanguage<NameMatcher> {
  const own = toolNames.flatMap((name) => host.tools.namesOf(name));
  return nameMatcherLanguage({
    tools: { ...matchedTools(own), table: copilotTools, exactly: (names) => (names.length === 0 ? 'create' : names.join('|')) },
    texts: [],
    isAnchored: true,
    eventOf,
    compile: (text, _event, onCompiled) =>
      text === ''
        ? { ok: false, error: { message: 'It is empty', remedy: 'Remove the matcher to match everything.' } }
        : compilePattern(text, { wholeMatch: true, onCompiled }),
  });
}

/**
 * Returns the matcher language of keys with a capital letter: names of Copilot or Claude Code, or a regular expression for the whole name in
 * Claude Code. On other events than those of tools, it is a regular expression for the whole value.
 */
export function pascalLanguage(host: CopilotHost, toolNames: readonly string[] = []): MatcherLanguage<NameMatcher> {
  const own = toolNames.flatMap((name) => host.tools.namesOf(name)).flatMap((name) => [name, ...claudeNamesOf(name)]);
  return nameMatcherLanguage({
    tools: { ...matchedTools(own), table: copilotToolsAsClaude, exactly: (names) => (names.length === 0 ? 'Write' : names.join('|')) },
    texts: ['', '*', '**'],
    isAnchored: true,
    eventOf,
    compile: (text, event, onCompiled) =>
      eventOf(event).ofTool === true && listOfNames.test(text)
        ? compileNames(text.split('|'))
        : compilePattern(text, { wholeMatch: true, onCompiled }),
  });
}

function eventOf(key: string) {
  const { subject, ofTool } = factsOf(eventOfKey(key) as CopilotEvent);
  return { ...(subject === undefined ? {} : { subject }), ...(ofTool === undefined ? {} : { ofTool }) };
}

function matchedTools(toolNames: readonly string[]): Omit<MatchedTools, 'table' | 'exactly'> {
  return {
    agent: 'Copilot',
    known: [...new Set([...knownToolNames, ...toolNames])],
    isWhole: true,
    fileRemedy: 'Match the tool, and compare the paths inside the hook.',
  };
}
