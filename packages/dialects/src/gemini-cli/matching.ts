import { compileRegex } from '@tenterhook/patterns';
import { eventEntry, type HookDefinition, type HookEvent, type Selection } from '@tenterhook/protocol';
import { matcherSubject } from '@tenterhook/protocol/internal';
import { reportUnknownValues } from '../shared/lint/event-values.js';
import type { MatchedTools } from '../shared/lint/matched-tools.js';
import { explainInvalidMatcher, reportToolMatcher } from '../shared/lint/tool-matcher.js';
import { type CompiledMatcher, type MatcherLanguage, reasonOfAll } from '../shared/matching.js';
import { commandDataOf } from '../shared/settings/command-hooks.js';
import type { EventContext } from '../shared/settings/group-format.js';
import type { DocumentPath } from '../shared/settings/reporter.js';
import { formatValue } from '../shared/text.js';
import { canonicalTools } from '../shared/tools/canonical-tools.js';
import { geminiEvent } from './input/event-table.js';
import type { GeminiHost } from './options.js';
import { knownToolNames, namesInInput } from './tools.js';

export type Matcher =
  | { readonly kind: 'all' }
  | { readonly kind: 'exact'; readonly text: string }
  | { readonly kind: 'regex'; readonly text: string; readonly test: (subject: string) => boolean };

/**
 * Returns the matcher language of this format. On tool events, a matcher is a regular expression that may match a part of the tool
 * name. On SessionStart, SessionEnd and PreCompress, a matcher must equal the whole value. `toolNames` are the tools of the agent,
 * if they are known.
 */
export function matcherLanguage({ namedTools }: GeminiHost, toolNames: readonly string[] = []): MatcherLanguage<Matcher> {
  const known = [...knownToolNames, ...namedTools, ...toolNames];
  const tools: MatchedTools = { agent: 'Gemini CLI', table: canonicalTools, known, isWhole: false, exactly };
  return {
    all: { kind: 'all' },
    texts: ['', '*'],
    subjectOf: ({ eventName }) => geminiEvent(eventName).subject,
    compile(text, place, context) {
      if (geminiEvent(context.eventName).subject === 'tool_name') return compileToolMatcher(text, place, context, tools);
      // Gemini CLI itself never sends the source `compress`, but hosts of other agents do. Hooks receive it unchanged.
      const { matcherField: field = '', matcherValues: values = [] } = eventEntry(context.eventName);
      reportUnknownValues(text, { ...context, place }, { field, values, compared: 'text', test: (value) => value === text });
      return { ok: true, matcher: { kind: 'exact', text } };
    },
    exactly,
  };
}

export function matches(matcher: Matcher, subject: string): boolean {
  switch (matcher.kind) {
    case 'all':
      return true;
    case 'exact':
      return matcher.text === subject;
    case 'regex':
      return matcher.test(subject);
  }
}

export function select(hook: HookDefinition, event: HookEvent, host: GeminiHost): Selection {
  const { matcher } = commandDataOf<Matcher>(hook);
  const { subject } = geminiEvent(event.eventName);
  if (matcher.kind === 'all') return { run: true, reason: reasonOfAll(hook, event.eventName, subject !== undefined) };
  const [what, does, not] =
    matcher.kind === 'regex'
      ? [`the regular expression ${JSON.stringify(matcher.text)}`, 'matches', 'does not match']
      : [`the matcher ${JSON.stringify(matcher.text)}`, 'equals', 'does not equal'];
  const subjects = getSubjects(event, host);
  // Only `explain` passes an event without this field. Whether the hook would run is then unknown, so the reason names the
  // condition.
  if (subjects === undefined)
    return { run: false, skipReason: 'matcher', reason: `it runs when ${what} ${does} ${subject}`, reconsider: true };
  const found = subjects.find((text) => matches(matcher, text));
  if (found !== undefined) return { run: true, reason: `${what} ${does} ${subject} ${JSON.stringify(found)}` };
  const tried = subjects.map((text) => JSON.stringify(text)).join(' or ');
  return { run: false, skipReason: 'matcher', reason: `${what} ${not} ${subject} ${tried}` };
}

function getSubjects({ eventName, input }: HookEvent, host: GeminiHost): readonly string[] | undefined {
  if (geminiEvent(eventName).subject === 'tool_name') return namesInInput(input, host);
  const subject = matcherSubject(eventName, input);
  return subject === undefined ? undefined : [subject];
}

function compileToolMatcher(text: string, place: DocumentPath, context: EventContext, tools: MatchedTools): CompiledMatcher<Matcher> {
  // `.` also matches a newline (field failure 55). For a guard, a match too many is safer than a match too few.
  const onCompiled = (instructions: number) => context.reporter.countPattern(instructions, place);
  const compiled = compileRegex(text, { dotMatchesNewline: true, onCompiled });
  if (compiled.ok) {
    reportToolMatcher(text, compiled.test, { ...context, place }, tools);
    return { ok: true, matcher: { kind: 'regex', text, test: compiled.test } };
  }
  // Gemini CLI accepts this pattern, but the linear-time engine does not, so the matcher is invalid. Comparing it as text was
  // rejected, because it would match other tools than in Gemini CLI.
  if (isJavaScriptPattern(text)) return compiled;
  const error = explainInvalidMatcher(text, compiled.error, tools);
  const message = `The matcher ${formatValue(text)} is not a valid regular expression; it is compared literally, and matches only a tool of exactly that name. ${error.message}.`;
  const remedy = formatGlobRemedy(text) ?? error.remedy;
  context.reporter.report('invalid_matcher', 'error', place, message, { remedy, eventName: context.eventName });
  return { ok: true, matcher: { kind: 'exact', text } };
}

/** Returns the remedy for a glob. Gemini CLI has no globs as matchers, but other agents do. */
function formatGlobRemedy(text: string): string | undefined {
  if (!/^[A-Za-z0-9_|*?-]+$/.test(text)) return undefined;
  return `Write "${exactly(text.replaceAll('*', '.*').replaceAll('?', '.').split('|'))}".`;
}

function exactly(names: readonly string[]): string {
  if (names.length === 0) return 'write_.*';
  return names.length > 1 ? `^(${names.join('|')})$` : `^${names[0]}$`;
}

/**
 * Tests whether JavaScript accepts a pattern. The pattern is only compiled and never compared with a text, because JavaScript's
 * engine can take exponential time.
 */
function isJavaScriptPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
