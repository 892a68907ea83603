import { type Diagnostic, eventEntry } from '@tenterhook/protocol';
import type { DocumentPath } from '../settings/reporter.js';
import { shown } from '../shown.js';
import type { EventContext } from './group-context.js';
import { compileMatcher, isPlainName, type Matcher } from './matcher.js';

/** The matcher of a group, and why its hooks cannot run where it is none. */
export interface ReadMatcher {
  readonly matcher: Matcher;
  readonly matcherText?: string;
  readonly invalidGroup?: Diagnostic;
}

export function matcherField(text: unknown, path: DocumentPath, { eventName, reporter }: EventContext): ReadMatcher {
  const all: Matcher = { kind: 'all' };
  if (text === undefined || text === null) return { matcher: all };
  const place = [...path, 'matcher'];
  if (typeof text !== 'string') {
    const message = `The matcher is ${shown(text)} and not a text; the hooks of this group do not run.`;
    const invalidGroup = reporter.report('invalid_matcher', 'error', place, message, { remedy: remedyForValue(text), eventName });
    return { matcher: all, matcherText: shown(text), invalidGroup };
  }
  const { matcherField: field } = eventEntry(eventName);
  if (field === undefined) {
    if (text !== '' && text !== '*') {
      const message = `${eventName} has nothing that a matcher could look at; ${shown(text)} is ignored and the hooks run every time.`;
      const remedy = 'Remove the matcher, or decide inside the hook.';
      reporter.report('matcher_ignored', 'warning', place, message, { remedy, eventName });
    }
    return { matcher: all, matcherText: text };
  }
  const compiled = compileMatcher(text);
  if (!compiled.ok) {
    const message = `The matcher ${shown(text)} cannot be used; the hooks of this group do not run. ${compiled.error.message}.`;
    const invalidGroup = reporter.report('invalid_matcher', 'error', place, message, { remedy: compiled.error.remedy, eventName });
    return { matcher: all, matcherText: text, invalidGroup };
  }
  if (field === 'tool_name' && isPlainName(text)) {
    const message = `${shown(text)} is searched for anywhere in the tool name, so it also matches longer names.`;
    reporter.report('plain_matcher', 'note', place, message, { remedy: `Write "${exactly(text)}" to mean exactly that.`, eventName });
  }
  return { matcher: compiled.matcher, matcherText: text };
}

/** A list of names says what was meant; other values do not. */
function remedyForValue(value: unknown): string {
  const names = Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && /^\w+$/.test(item));
  return `Write a text such as "${names ? exactly((value as string[]).join('|')) : 'write_*'}".`;
}

function exactly(names: string): string {
  return names.includes('|') ? `^(${names})$` : `^${names}$`;
}
