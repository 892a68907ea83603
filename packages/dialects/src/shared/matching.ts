import type { PatternError } from '@tenterhook/patterns';
import type { Diagnostic, HookDefinition, HookEventName, Stage } from '@tenterhook/protocol';
import type { EventContext } from './settings/group-format.js';
import type { DocumentPath } from './settings/reporter.js';
import { formatValue } from './text.js';

export type CompiledMatcher<Matcher> =
  | { readonly ok: true; readonly matcher: Matcher }
  | { readonly ok: false; readonly error: PatternError };

/** What a format's matchers are, and how they are tried. */
export interface MatcherLanguage<Matcher> {
  /** The matcher that fits everything. */
  readonly all: Matcher;
  /** The texts that fit everything, beside a matcher that is absent. */
  readonly texts: readonly string[];
  /** The field of the event that a matcher looks at; undefined where there is none. */
  subjectOf(event: { readonly eventName: HookEventName; readonly dialectEvent: string }): string | undefined;
  /** A text that does not fit everything, on an event that has a subject. What is to be said of one that can be used is reported here. */
  compile(text: string, place: DocumentPath, context: EventContext): CompiledMatcher<Matcher>;
  /** A matcher of these names and no others; of none, one that shows what a matcher is. */
  exactly(names: readonly string[]): string;
}

/** The matcher of a group, and why its hooks cannot run where it is none. `matcherText` is as written, for `list` and `explain`. */
export interface ReadMatcher<Matcher> {
  readonly matcher: Matcher;
  readonly matcherText?: string;
  readonly problem?: Diagnostic;
}

export function matcherField<Matcher>(
  text: unknown,
  path: DocumentPath,
  context: EventContext,
  language: MatcherLanguage<Matcher>,
): ReadMatcher<Matcher> {
  const { eventName, dialectEvent, reporter } = context;
  const { all } = language;
  if (text === undefined || text === null) return { matcher: all };
  const place = [...path, 'matcher'];
  if (typeof text !== 'string') {
    const message = `The matcher is ${formatValue(text)} and not a text; the hooks of this group do not run.`;
    const remedy = `Write a text such as "${language.exactly(namesIn(text))}".`;
    const problem = reporter.report('invalid_matcher', 'error', place, message, { remedy, eventName });
    return { matcher: all, matcherText: formatValue(text), problem };
  }
  if (language.texts.includes(text)) return { matcher: all, matcherText: text };
  if (language.subjectOf(context) === undefined) {
    const message = `${dialectEvent} has nothing that a matcher could look at; ${formatValue(text)} is ignored and the hooks run every time.`;
    const remedy = 'Remove the matcher, or decide inside the hook.';
    reporter.report('matcher_ignored', 'warning', place, message, { remedy, eventName });
    return { matcher: all, matcherText: text };
  }
  const compiled = language.compile(text, place, context);
  if (compiled.ok) return { matcher: compiled.matcher, matcherText: text };
  const message = `The matcher ${formatValue(text)} cannot be used; the hooks of this group do not run. ${compiled.error.message}.`;
  const problem = reporter.report('invalid_matcher', 'error', place, message, { remedy: compiled.error.remedy, eventName });
  return { matcher: all, matcherText: text, problem };
}

/** A list of names says what was meant; other values do not. */
function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && /^\w+$/.test(item)) ? (value as string[]) : [];
}

/** One stage, or a stage each when any group among these hooks is sequential (seed 001 §7.4, decision 16a). */
export function layOutBySequential(hooks: readonly HookDefinition[], isSequential: (hook: HookDefinition) => boolean): Stage[] {
  if (hooks.length === 0) return [];
  return hooks.some(isSequential) ? hooks.map((hook) => ({ hooks: [hook] })) : [{ hooks }];
}
