import { type Compiled, compileRegex } from '@tenterhook/patterns';
import { reportUnknownValues } from '../../shared/lint/event-values.js';
import { explainInvalidMatcher, reportToolMatcher } from '../../shared/lint/tool-matcher.js';
import type { MatcherLanguage } from '../../shared/matching.js';
import { type ClaudeEvent, factsOf } from '../input/event-table.js';
import { matchedTools, reportServers } from '../lint/matchers.js';
import type { ClaudeHost } from '../options.js';

/** A compiled matcher. `all` matches every event. The names of a list are kept, so that a misspelt name can be reported. */
export type ClaudeMatcher =
  | { readonly kind: 'all' }
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'regex'; readonly test: (subject: string) => boolean };

export type CompiledMatcher =
  | { readonly ok: true; readonly matcher: ClaudeMatcher }
  | { readonly ok: false; readonly error: { readonly message: string; readonly remedy: string } };

/** Returns the matcher language of this format. `toolNames` are the tools of the agent, if they are known. */
export function matcherLanguage(host: ClaudeHost, toolNames: readonly string[] = []): MatcherLanguage<ClaudeMatcher> {
  const tools = matchedTools(host, toolNames);
  return {
    all: { kind: 'all' },
    texts: ['', '*'],
    subjectOf: ({ dialectEvent }) => factsOf(dialectEvent as ClaudeEvent).subject,
    compile(text, place, context) {
      const { isList, ofTool, subject: field = '', values } = factsOf(context.dialectEvent as ClaudeEvent);
      const compiled = compileMatcher(text, isList === true, (instructions) => context.reporter.countPattern(instructions, place));
      if (!compiled.ok) return { ok: false, error: ofTool === true ? explainInvalidMatcher(text, compiled.error, tools) : compiled.error };
      const { matcher } = compiled;
      const at = { ...context, place };
      const test = (subject: string) => matches(matcher, subject);
      const isNames = matcher.kind === 'names';
      if (ofTool === true && !(isNames && reportServers(matcher.names, at)))
        reportToolMatcher(text, test, at, { ...tools, isWhole: isNames, isList: isNames });
      if (values !== undefined) reportUnknownValues(text, at, { field, values, compared: isNames ? 'list' : 'pattern', test });
      return compiled;
    },
    exactly: tools.exactly,
  };
}

/** A matcher with only these characters is a list of names. Any other matcher is a regular expression. */
const plain = /^[A-Za-z0-9_\- ,|]+$/;

/**
 * Compiles a matcher:
 * - An absent matcher, `""` and `*` match everything.
 * - Names with `|` or `,` between them are a list. A list matches a subject that is equal to one of the names.
 * - Any other text is a regular expression. It may match a part of the subject.
 * With `isList`, every text is a list of names with `|` between them.
 */
export function compileMatcher(
  text: string | undefined,
  isList: boolean,
  onCompiled: (instructions: number) => void = () => {},
): CompiledMatcher {
  if (text === undefined || text === '' || text === '*') return { ok: true, matcher: { kind: 'all' } };
  if (isList || plain.test(text)) return compileNames(text.split(isList ? '|' : /[|,]/));
  const compiled: Compiled = compileRegex(text, { dotMatchesNewline: true, onCompiled });
  return compiled.ok ? { ok: true, matcher: { kind: 'regex', test: compiled.test } } : compiled;
}

export function matches(matcher: ClaudeMatcher, subject: string): boolean {
  switch (matcher.kind) {
    case 'all':
      return true;
    case 'names':
      return matcher.names.includes(subject);
    case 'regex':
      return matcher.test(subject);
  }
}

function compileNames(parts: readonly string[]): CompiledMatcher {
  const names = parts.map((part) => part.trim()).filter((name) => name !== '');
  if (names.length > 0) return { ok: true, matcher: { kind: 'names', names } };
  return { ok: false, error: { message: 'It is empty', remedy: 'Write a name, or remove the matcher to match everything.' } };
}
