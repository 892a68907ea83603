import type { EventContext } from '../groups/group-format.js';
import type { MatcherLanguage } from '../groups/matcher-field.js';
import type { DocumentPath } from '../settings/reporter.js';
import { shown } from '../shown.js';
import { type ClaudeEvent, factsOf } from './event-facts.js';
import { type ClaudeMatcher, compileMatcher } from './matcher.js';
import type { ClaudeHost } from './options.js';
import { knownToolNames } from './tool-names.js';

export function matcherLanguage(host: ClaudeHost): MatcherLanguage<ClaudeMatcher> {
  return {
    all: { kind: 'all' },
    texts: ['', '*'],
    subjectOf: ({ dialectEvent }) => factsOf(dialectEvent as ClaudeEvent).subject,
    compile(text, place, context) {
      const facts = factsOf(context.dialectEvent as ClaudeEvent);
      const compiled = compileMatcher(text, facts.isList === true);
      if (compiled.ok && facts.ofTool === true) reportStrangeTools(text, compiled.matcher, place, context, host);
      return compiled;
    },
    exactly: (names) => (names.length === 0 ? 'Edit|Write' : names.join('|')),
  };
}

/** Names are compared as a whole and with their letters, so that a slip in one is a hook that never fires: it is said. */
function reportStrangeTools(text: string, matcher: ClaudeMatcher, place: DocumentPath, context: EventContext, host: ClaudeHost): void {
  const { reporter, eventName } = context;
  if (matcher.kind === 'regex') {
    if (!/^\w+\(.*\)$/.test(text.trim())) return;
    const message = `The matcher ${shown(text)} looks like a permission rule, and is searched for in the name of the tool as a regular expression.`;
    const remedy = `Write "matcher": ${shown(text.slice(0, text.indexOf('(')))} beside the hooks, and "if": ${shown(text)} in the hook.`;
    reporter.report('unmatched_matcher', 'warning', place, message, { remedy, eventName });
  }
  if (matcher.kind !== 'names') return;
  for (const name of matcher.names) {
    const instead = insteadOf(name, host);
    if (instead === undefined) continue;
    const message = `The matcher names ${shown(name)}, and names are compared whole; nothing here is told as that.`;
    reporter.report('unmatched_matcher', 'warning', place, message, { remedy: `Write ${shown(instead)}.`, eventName });
  }
}

function insteadOf(name: string, { tools }: ClaudeHost): string | undefined {
  if (knownToolNames.includes(name)) return undefined;
  const told = tools.namesOf(name)[0];
  if (told !== undefined && told !== name) return told;
  if (/^mcp__(?:(?!__).)+$/.test(name)) return `${name}__.*`;
  return knownToolNames.find((known) => known.toLowerCase() === name.toLowerCase());
}
