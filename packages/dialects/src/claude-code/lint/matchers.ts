import type { PatternError } from '@tenterhook/patterns';
import type { MatcherLanguage } from '../../shared/matching.js';
import type { EventContext } from '../../shared/settings/group-format.js';
import type { DocumentPath } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';
import { type ClaudeEvent, factsOf } from '../input/event-table.js';
import { type ClaudeMatcher, type CompiledMatcher, compileMatcher } from '../matching/matcher.js';
import type { ClaudeHost } from '../options.js';
import { knownToolNames } from '../tool-names.js';

export function matcherLanguage(host: ClaudeHost): MatcherLanguage<ClaudeMatcher> {
  return {
    all: { kind: 'all' },
    texts: ['', '*'],
    subjectOf: ({ dialectEvent }) => factsOf(dialectEvent as ClaudeEvent).subject,
    compile(text, place, context) {
      const facts = factsOf(context.dialectEvent as ClaudeEvent);
      const compiled = compileMatcher(text, facts.isList === true);
      if (facts.ofTool === true && isRule(text))
        return compiled.ok ? withRule(text, compiled, place, context) : { ok: false, error: ruleError(text) };
      if (!compiled.ok) return facts.ofTool === true && isFilePattern(text) ? { ok: false, error: filePatternError } : compiled;
      if (facts.ofTool === true) reportStrangeTools(compiled.matcher, place, context, host);
      if (facts.values !== undefined) reportStrangeValues(compiled.matcher, facts.values, place, context);
      return compiled;
    },
    exactly: (names) => (names.length === 0 ? 'Edit|Write' : names.join('|')),
  };
}

/** A permission rule, which belongs into "if": as a matcher it is searched for in the name of the tool. */
function isRule(text: string): boolean {
  return /^\w+\(.*\)$/s.test(text.trim());
}

function ruleRemedy(text: string): string {
  return `Write "matcher": ${formatValue(text.slice(0, text.indexOf('(')))} beside the hooks, and "if": ${formatValue(text)} in the hook.`;
}

function ruleError(text: string): PatternError {
  return { message: 'It looks like a permission rule, and a matcher is a name or a regular expression', remedy: ruleRemedy(text) };
}

function withRule(text: string, compiled: CompiledMatcher, place: DocumentPath, { reporter, eventName }: EventContext): CompiledMatcher {
  const message = `The matcher ${formatValue(text)} looks like a permission rule, and is searched for in the name of the tool as a regular expression.`;
  reporter.report('unmatched_matcher', 'warning', place, message, { remedy: ruleRemedy(text), eventName });
  return compiled;
}

/** `*.ts`: a matcher looks at tools, and not at what they are called with. */
function isFilePattern(text: string): boolean {
  return /^\*+[./]/.test(text);
}

const filePatternError: PatternError = {
  message: 'It looks like a pattern of files, and a matcher looks at the name of the tool',
  remedy: 'Write "matcher": "Edit|Write" beside the hooks, and "if": "Edit(*.ts)" in the hook.',
};

/** Names are compared as a whole and with their letters, so that a slip in one is a hook that never fires: it is said. */
function reportStrangeTools(matcher: ClaudeMatcher, place: DocumentPath, { reporter, eventName }: EventContext, host: ClaudeHost): void {
  if (matcher.kind !== 'names') return;
  for (const name of matcher.names) {
    const instead = insteadOf(name, host);
    if (instead === undefined) continue;
    const message = `The matcher names ${formatValue(name)}, and names are compared whole; nothing here is told as that.`;
    reporter.report('unmatched_matcher', 'warning', place, message, { remedy: `Write ${formatValue(instead)}.`, eventName });
  }
}

function reportStrangeValues(
  matcher: ClaudeMatcher,
  values: readonly string[],
  place: DocumentPath,
  { reporter, eventName, dialectEvent }: EventContext,
): void {
  const strange = matcher.kind === 'names' ? matcher.names.filter((name) => !values.includes(name)) : [];
  for (const name of strange) {
    const message = `The matcher names ${formatValue(name)}, which ${dialectEvent} is never told of.`;
    reporter.report('unmatched_matcher', 'warning', place, message, { remedy: `Write one of ${values.join(', ')}.`, eventName });
  }
}

function insteadOf(name: string, { tools }: ClaudeHost): string | undefined {
  if (knownToolNames.includes(name)) return undefined;
  const told = tools.namesOf(name)[0];
  if (told !== undefined && told !== name) return told;
  if (/^mcp__(?:(?!__).)+$/.test(name)) return `${name}__.*`;
  return knownToolNames.find((known) => known.toLowerCase() === name.toLowerCase());
}
