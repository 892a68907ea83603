import { compileRegex } from '@tenterhook/patterns';
import type { HookDefinition, Selection, Stage } from '@tenterhook/protocol';
import { reportUnknownValues } from './lint/event-values.js';
import type { MatchedTools } from './lint/matched-tools.js';
import type { MatcherPlace } from './lint/plain-matcher.js';
import { explainInvalidMatcher, reportToolMatcher } from './lint/tool-matcher.js';
import { type CompiledMatcher, type MatcherLanguage, reasonOfAll } from './matching.js';

/** A compiled matcher. `all` matches every event. The names of a list are kept, so that a misspelt name can be reported. */
export type NameMatcher =
  | { readonly kind: 'all' }
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'regex'; readonly test: (subject: string) => boolean };

/** What a matcher of one event is compared with. */
export interface MatchedEvent {
  /** The field of stdin. Missing on events without such a field. */
  readonly subject?: string;
  /** The values of `subject`, if they are a closed list. */
  readonly values?: readonly string[];
  /** True if the event is about one tool call. */
  readonly ofTool?: true;
}

export interface NameMatcherFormat {
  readonly tools: MatchedTools;
  /** The texts that match everything, as a missing matcher does. @default `''` and `*` */
  readonly texts?: readonly string[];
  /** True if a regular expression must match the whole subject. @default it may match a part */
  readonly isAnchored?: boolean;
  eventOf(dialectEvent: string): MatchedEvent;
  /** Compiles a matcher of an event. Calls `onCompiled` with the number of instructions of a pattern. */
  compile(text: string, dialectEvent: string, onCompiled: (instructions: number) => void): CompiledMatcher<NameMatcher>;
  /** Reports names that never match, and returns whether there are any. @default nothing is reported */
  reportNames?(names: readonly string[], at: MatcherPlace): boolean;
}

/** Returns a matcher language in which a matcher is a list of whole names or a regular expression. */
export function nameMatcherLanguage({
  tools,
  texts = ['', '*'],
  isAnchored = false,
  ...format
}: NameMatcherFormat): MatcherLanguage<NameMatcher> {
  return {
    all: { kind: 'all' },
    texts,
    subjectOf: ({ dialectEvent }) => format.eventOf(dialectEvent).subject,
    compile(text, place, context) {
      const { ofTool, subject: field = '', values } = format.eventOf(context.dialectEvent);
      const onCompiled = (instructions: number) => context.reporter.countPattern(instructions, place);
      const compiled = format.compile(text, context.dialectEvent, onCompiled);
      if (!compiled.ok) return { ok: false, error: ofTool === true ? explainInvalidMatcher(text, compiled.error, tools) : compiled.error };
      const { matcher } = compiled;
      const at = { ...context, place };
      const test = (subject: string) => matches(matcher, subject);
      const isNames = matcher.kind === 'names';
      const isReported = isNames && format.reportNames?.(matcher.names, at) === true;
      if (ofTool === true && !isReported) reportToolMatcher(text, test, at, { ...tools, isWhole: isNames || isAnchored, isList: isNames });
      if (values !== undefined) reportUnknownValues(text, at, { field, values, compared: isNames ? 'list' : 'pattern', test });
      return compiled;
    },
    exactly: tools.exactly,
  };
}

/** Compiles a list of names. A list matches a subject that equals one of the names. */
export function compileNames(parts: readonly string[]): CompiledMatcher<NameMatcher> {
  const names = parts.map((part) => part.trim()).filter((name) => name !== '');
  if (names.length > 0) return { ok: true, matcher: { kind: 'names', names } };
  return { ok: false, error: { message: 'It is empty', remedy: 'Write a name, or remove the matcher to match everything.' } };
}

/** Compiles a regular expression. */
export function compilePattern(text: string, options: Parameters<typeof compileRegex>[1]): CompiledMatcher<NameMatcher> {
  const compiled = compileRegex(text, options);
  return compiled.ok ? { ok: true, matcher: { kind: 'regex', test: compiled.test } } : compiled;
}

export function matches(matcher: NameMatcher, subject: string): boolean {
  switch (matcher.kind) {
    case 'all':
      return true;
    case 'names':
      return matcher.names.includes(subject);
    case 'regex':
      return matcher.test(subject);
  }
}

/** The matcher of a hook, and what it is compared with. */
export interface MatchedHook {
  /** The format's name of the event. */
  readonly event: string;
  readonly matcher: NameMatcher;
  readonly subject: string | undefined;
  /** Returns the texts that the matcher is compared with, or undefined if the event does not have the field. */
  subjects(): readonly string[] | undefined;
}

/** Selects a hook by its matcher. */
export function selectByMatcher(hook: HookDefinition, { event, matcher, subject, subjects: read }: MatchedHook): Selection {
  if (matcher.kind === 'all') return { run: true, reason: reasonOfAll(hook, event, subject !== undefined) };
  const what = `${matcher.kind === 'names' ? 'the matcher' : 'the regular expression'} ${JSON.stringify(hook.matcher)}`;
  const subjects = read();
  // Only `explain` passes an event without this field. Whether the hook would run is then unknown, so the reason names the condition.
  if (subjects === undefined)
    return { run: false, skipReason: 'matcher', reason: `it runs when ${what} matches ${subject}`, reconsider: true };
  const found = subjects.find((text) => matches(matcher, text));
  if (found !== undefined) return { run: true, reason: `${what} matches ${subject} ${JSON.stringify(found)}` };
  const tried = subjects.map((text) => JSON.stringify(text)).join(' or ');
  return { run: false, skipReason: 'matcher', reason: `${what} does not match ${subject} ${tried}` };
}

/** Plans all hooks as one stage, for formats whose hooks start at the same time. Their rewrites are applied in this order. */
export function layOutTogether(hooks: readonly HookDefinition[]): Stage[] {
  return hooks.length === 0 ? [] : [{ hooks }];
}
