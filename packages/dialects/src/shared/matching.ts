import type { PatternError } from '@tenterhook/patterns';
import type { Diagnostic, HookDefinition, HookEventName } from '@tenterhook/protocol';
import type { EventContext } from './settings/group-format.js';
import type { DocumentPath } from './settings/reporter.js';
import { formatValue } from './text.js';

export type CompiledMatcher<Matcher> =
  | { readonly ok: true; readonly matcher: Matcher }
  | { readonly ok: false; readonly error: PatternError };

/** How the matchers of a format are read and compiled. */
export interface MatcherLanguage<Matcher> {
  readonly all: Matcher;
  /** The texts that match everything, as a missing matcher does. */
  readonly texts: readonly string[];
  /** Returns the field of the event that a matcher is compared with, or undefined if the event has no such field. */
  subjectOf(event: { readonly eventName: HookEventName; readonly dialectEvent: string }): string | undefined;
  /**
   * Compiles a matcher for an event with a field to match, and reports mistakes in valid matchers. Not called for texts that match
   * everything.
   */
  compile(text: string, place: DocumentPath, context: EventContext): CompiledMatcher<Matcher>;
  /** Returns a matcher for exactly these names, or an example of a matcher if the list is empty. */
  exactly(names: readonly string[]): string;
}

/** The matcher of a group, with its text for `list` and `explain`. With a `problem`, the hooks of the group cannot run. */
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
    const message = `The matcher must be a string, and is ${formatValue(text)}; the hooks of this group do not run.`;
    const remedy = `Write a string such as "${language.exactly(namesIn(text))}".`;
    const problem = reporter.report('invalid_matcher', 'error', place, message, { remedy, eventName });
    return { matcher: all, matcherText: formatValue(text), problem };
  }
  if (language.texts.includes(text)) return { matcher: all, matcherText: text };
  if (language.subjectOf(context) === undefined) {
    const message = `${dialectEvent} has no value to match; the matcher ${formatValue(text)} is ignored and the hooks run every time.`;
    const remedy = 'Remove the matcher, or decide inside the hook.';
    reporter.report('matcher_ignored', 'warning', place, message, { remedy, eventName });
    return { matcher: all, matcherText: text };
  }
  reporter.countPattern(text.length, place);
  const compiled = language.compile(text, place, context);
  if (compiled.ok) return { matcher: compiled.matcher, matcherText: text };
  const message = `The matcher ${formatValue(text)} is invalid; the hooks of this group do not run. ${compiled.error.message}.`;
  const problem = reporter.report('invalid_matcher', 'error', place, message, { remedy: compiled.error.remedy, eventName });
  return { matcher: all, matcherText: text, problem };
}

/** Returns the reason for `explain` if the matcher of a hook matches everything. `event` is the format's name of the event. */
export function reasonOfAll({ matcher }: Pick<HookDefinition, 'matcher'>, event: string, hasSubject: boolean): string {
  if (matcher === undefined) return `it has no matcher and runs on every ${event}`;
  const text = JSON.stringify(matcher);
  return hasSubject ? `its matcher ${text} matches every ${event}` : `${event} has nothing to match, so its matcher ${text} is ignored`;
}

/** Returns the names in a list of names, for a remedy. Returns an empty list for any other value. */
function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && /^\w+$/.test(item)) ? (value as string[]) : [];
}
