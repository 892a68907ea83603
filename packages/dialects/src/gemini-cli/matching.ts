import { compileRegex } from '@tenterhook/patterns';
import type { EventContext } from '../shared/groups/group-format.js';
import type { CompiledMatcher, MatcherLanguage } from '../shared/groups/matcher-field.js';
import { longerNames, reportPlainMatcher } from '../shared/groups/plain-matcher.js';
import { formatValue } from '../shared/settings/format-value.js';
import type { DocumentPath } from '../shared/settings/reporter.js';
import { geminiEvent } from './input/event-table.js';
import { reportStrangeTools, toolNames } from './lint/matchers.js';
import type { GeminiHost } from './options.js';

/** A matcher as it is tried. `all` fits everything. */
export type Matcher =
  | { readonly kind: 'all' }
  | { readonly kind: 'exact'; readonly text: string }
  | { readonly kind: 'regex'; readonly text: string; readonly test: (subject: string) => boolean };

/** Tools are searched for a regular expression; what a session begins or ends with is compared as a whole. */
export function matcherLanguage({ namedTools }: GeminiHost): MatcherLanguage<Matcher> {
  return {
    all: { kind: 'all' },
    texts: ['', '*'],
    subjectOf: ({ eventName }) => geminiEvent(eventName).subject,
    compile: (text, place, context) =>
      geminiEvent(context.eventName).subject === 'tool_name' ? ofTool(text, place, context, namedTools) : ofSession(text, place, context),
    exactly,
  };
}

/** Whether a matcher fits one of the names of a thing. */
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

function ofTool(text: string, place: DocumentPath, context: EventContext, ofHost: readonly string[]): CompiledMatcher<Matcher> {
  const { eventName, reporter } = context;
  // `.` stands for a newline too: a guard that matches too much is safer than one that silently matches too little (field failure 55).
  const compiled = compileRegex(text, { dotMatchesNewline: true });
  if (!compiled.ok) {
    // What Gemini CLI's own engine takes and this one does not would fit other tools there than a text that is compared.
    if (isJavaScriptPattern(text)) return compiled;
    const message = `The matcher ${formatValue(text)} is no regular expression; it is compared as it stands, and fits only a tool of exactly that name. ${compiled.error.message}.`;
    reporter.report('invalid_matcher', 'error', place, message, { remedy: remedyFor(text) ?? compiled.error.remedy, eventName });
    return { ok: true, matcher: { kind: 'exact', text } };
  }
  const inner = /^\/(.*)\/[a-z]*$/.exec(text)?.[1];
  if (inner !== undefined) {
    const message = `The slashes of the matcher ${formatValue(text)} are part of the pattern, and no name of a tool holds them; the hooks of this group never run.`;
    reporter.report('unmatched_matcher', 'warning', place, message, { remedy: `Write ${formatValue(inner)}.`, eventName });
  } else if (!reportStrangeTools(text, compiled.test, ofHost, place, context)) {
    const known = [...toolNames, ...ofHost];
    const longer = longerNames(text, compiled.test, known);
    if (longer.length > 0) reportPlainMatcher(text, longer, place, context, exactly);
  }
  return { ok: true, matcher: { kind: 'regex', text, test: compiled.test } };
}

function ofSession(text: string, place: DocumentPath, { eventName, reporter }: EventContext): CompiledMatcher<Matcher> {
  const { subject, values = [] } = geminiEvent(eventName);
  if (!values.includes(text)) {
    const meant = values.filter((value) => text.split(/[|,]/).some((part) => part.trim().toLowerCase() === value));
    const message = `${formatValue(text)} is compared with ${subject} as it stands, and is none of ${values.join(', ')}; the hooks of this group never run.`;
    const remedy =
      meant.length > 1
        ? `Write a group for each: ${meant.map((value) => `"matcher": "${value}"`).join(', ')}.`
        : `Write "matcher": "${meant[0] ?? values[0]}", or leave it out.`;
    reporter.report('unmatched_matcher', 'warning', place, message, { remedy, eventName });
  }
  return { ok: true, matcher: { kind: 'exact', text } };
}

/** A glob, which other agents have and this one does not, says what was meant. */
function remedyFor(text: string): string | undefined {
  if (!/^[A-Za-z0-9_|*?-]+$/.test(text)) return undefined;
  return `Write "${exactly(text.replaceAll('*', '.*').replaceAll('?', '.').split('|'))}".`;
}

function exactly(names: readonly string[]): string {
  if (names.length === 0) return 'write_.*';
  return names.length > 1 ? `^(${names.join('|')})$` : `^${names[0]}$`;
}

/** Read and never tried: an engine that backtracks must not see a subject. */
function isJavaScriptPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
