import { compileRegex, compileWildcard } from '@tenterhook/patterns';
import { eventEntry, type HookDefinition, type HookEvent, type Selection } from '@tenterhook/protocol';
import { matcherSubject } from '@tenterhook/protocol/internal';
import { reportUnknownValues } from '../shared/lint/event-values.js';
import type { MatchedTools } from '../shared/lint/matched-tools.js';
import { explainInvalidMatcher, reportToolMatcher } from '../shared/lint/tool-matcher.js';
import { type CompiledMatcher, type MatcherLanguage, reasonOfAll } from '../shared/matching.js';
import { commandDataOf } from '../shared/settings/command-hooks.js';
import { canonicalTools } from '../shared/tools/canonical-tools.js';

/** A matcher: its text in the settings, and its compiled test. `all` matches everything. */
export type Matcher =
  | { readonly kind: 'all' }
  | { readonly kind: 'glob' | 'regex'; readonly text: string; readonly test: (subject: string) => boolean };

const maxGlobLength = 10_000;
const ownTools = Object.values(canonicalTools).flatMap(({ names }) => [...names]);

/** Returns the matcher language of this format (decisions 1 and 2). `toolNames` are the tools of the agent, if they are known. */
export function matcherLanguage(toolNames: readonly string[] = []): MatcherLanguage<Matcher> {
  const tools: MatchedTools = { agent: 'LLxprt Code', table: canonicalTools, known: [...ownTools, ...toolNames], isWhole: false, exactly };
  return {
    all: { kind: 'all' },
    texts: ['', '*'],
    subjectOf: ({ eventName }) => eventEntry(eventName).matcherField,
    compile(text, place, context) {
      const compiled = compileMatcher(text, (instructions) => context.reporter.countPattern(instructions, place));
      const { matcherField: field = '', matcherValues: values } = eventEntry(context.eventName);
      const ofTool = field === 'tool_name';
      if (!compiled.ok) return ofTool ? { ok: false, error: explainInvalidMatcher(text, compiled.error, tools) } : compiled;
      if (compiled.matcher.kind === 'all') return compiled;
      const { test } = compiled.matcher;
      if (ofTool) reportToolMatcher(text, test, { ...context, place }, tools);
      if (values !== undefined) reportUnknownValues(text, { ...context, place }, { field, values, compared: 'pattern', test });
      return compiled;
    },
    exactly,
  };
}

/**
 * Compiles a matcher (decision 1). A text of name characters, `*`, `?` and `|` is a glob if it contains `*` or `?`. Every other
 * text is a regular expression that may match a part of the subject; this includes a plain name. `.` in a regular expression and
 * `*` in a glob also match a newline (field failure 55), because for a guard a match too many is safer than a match too few.
 */
export function compileMatcher(text: string | undefined, onCompiled: (instructions: number) => void = () => {}): CompiledMatcher<Matcher> {
  if (text === undefined || text === '' || text === '*') return { ok: true, matcher: { kind: 'all' } };
  if (isGlob(text)) {
    if (text.length > maxGlobLength) {
      return {
        ok: false,
        error: { message: `The glob is ${text.length} characters long`, remedy: `Keep it below ${maxGlobLength} characters.` },
      };
    }
    const parts = text.split('|').map((part) => compileWildcard(part));
    return { ok: true, matcher: { kind: 'glob', text, test: (subject) => parts.some((matches) => matches(subject)) } };
  }
  const compiled = compileRegex(text, { dotMatchesNewline: true, onCompiled });
  return compiled.ok ? { ok: true, matcher: { kind: 'regex', text, test: compiled.test } } : compiled;
}

export function select(hook: HookDefinition, event: HookEvent): Selection {
  const { matcher } = commandDataOf<Matcher>(hook);
  const field = eventEntry(event.eventName).matcherField;
  if (matcher.kind === 'all') return { run: true, reason: reasonOfAll(hook, event.eventName, field !== undefined) };
  const subject = matcherSubject(event.eventName, event.input);
  const what = `the ${matcher.kind === 'glob' ? 'glob' : 'regular expression'} ${JSON.stringify(matcher.text)}`;
  // Only `explain` passes an event without this field. Whether the hook would run is then unknown, so the reason names the
  // condition.
  if (subject === undefined)
    return { run: false, skipReason: 'matcher', reason: `it runs when ${what} matches ${field}`, reconsider: true };
  return matcher.test(subject)
    ? { run: true, reason: `${what} matches ${field} ${JSON.stringify(subject)}` }
    : { run: false, skipReason: 'matcher', reason: `${what} does not match ${field} ${JSON.stringify(subject)}` };
}

function isGlob(text: string): boolean {
  return /^[A-Za-z0-9_|*?-]+$/.test(text) && /[*?]/.test(text);
}

function exactly(names: readonly string[]): string {
  if (names.length === 0) return 'write_*';
  return names.length > 1 ? `^(${names.join('|')})$` : `^${names[0]}$`;
}
