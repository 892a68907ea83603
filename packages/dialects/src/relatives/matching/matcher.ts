import type { MatchedTools } from '../../shared/lint/matched-tools.js';
import type { CompiledMatcher, MatcherLanguage } from '../../shared/matching.js';
import { compileNames, compilePattern, type NameMatcher, nameMatcherLanguage } from '../../shared/name-matcher.js';
import type { RelativeHost } from '../options.js';
import type { RelativeProduct } from '../product.js';
import { knownToolNames, mcpPrefix } from '../tools/tool-call.js';

/** Returns the matcher language of an agent. `toolNames` are the tools of the host, if they are known. */
export function matcherLanguage(host: RelativeHost, toolNames: readonly string[] = []): MatcherLanguage<NameMatcher> {
  const { product } = host;
  return nameMatcherLanguage({
    tools: matchedTools(host, toolNames),
    eventOf: (event) => product.events[event] ?? {},
    compile: (text, _event, onCompiled) => compileMatcher(text, product, onCompiled),
  });
}

/** A matcher with only these characters is a list of names, for agents that have such lists. */
const plain = /^[\w\- ,|]+$/;

function compileMatcher(
  text: string,
  { matcher, mcpAfterTool }: RelativeProduct,
  onCompiled: (instructions: number) => void,
): CompiledMatcher<NameMatcher> {
  if (matcher === 'names' && plain.test(text)) return compileNames(text.split(/[|,]/));
  if (!mcpAfterTool || !text.startsWith(mcpPrefix)) return compilePattern(text, { onCompiled });
  const names = text.slice(mcpPrefix.length);
  return compilePattern(`^${mcpPrefix}(?:${names === '*' ? '.*' : names})`, { onCompiled });
}

function matchedTools({ tools, product }: RelativeHost, toolNames: readonly string[]): MatchedTools {
  const isNames = product.matcher === 'names';
  const edit = product.tools.edit?.names[0] ?? 'Edit';
  const spelled = (names: readonly string[]) =>
    isNames ? names.join('|') : names.length === 1 ? `^${names[0]}$` : `^(${names.join('|')})$`;
  return {
    agent: product.agent,
    table: product.tools,
    known: [...knownToolNames(product), ...toolNames.flatMap((name) => tools.namesOf(name))],
    isWhole: isNames,
    namesOf: (name) => tools.namesOf(name),
    exactly: (names) => spelled(names.length === 0 ? [edit] : names),
    fileRemedy: `Write "matcher": "${spelled([edit])}", and compare the paths inside the hook.`,
  };
}
