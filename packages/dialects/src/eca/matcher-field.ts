import { compileRegex } from '@tenterhook/patterns';
import type { Diagnostic } from '@tenterhook/protocol';
import type { DocumentPath, Reporter } from '../shared/settings/reporter.js';
import { formatValue } from '../shared/text.js';
import { type EcaType, entryOf } from './event-types.js';
import { matcherOfName } from './tools.js';

/** The matcher of a hook, and why the hook cannot run where it is none. */
export interface ReadMatcher {
  readonly matches?: (tool: string) => boolean;
  readonly text?: string;
  readonly problem?: Diagnostic;
}

/** A regular expression that must match the whole of `server__tool`, a newline in it included (decision 53, field failure 55). */
export function matcherField(written: unknown, path: DocumentPath, type: EcaType, reporter: Reporter): ReadMatcher {
  if (written === undefined || written === null) return {};
  const { eventName, ofTool } = entryOf(type);
  const place = [...path, 'matcher'];
  if (ofTool !== true) {
    const message = `${type} has nothing that a matcher could look at; ${formatValue(written)} is ignored and the hook runs every time.`;
    reporter.report('matcher_ignored', 'warning', place, message, { remedy: 'Remove the matcher, or decide inside the hook.', eventName });
    return {};
  }
  if (typeof written !== 'string') {
    const message = `The matcher is ${formatValue(written)} and not a text; the hook does not run.`;
    const remedy = 'Write a regular expression such as "eca__shell_command" or "github__.*".';
    return { text: formatValue(written), problem: reporter.report('invalid_matcher', 'error', place, message, { remedy, eventName }) };
  }
  const compiled = compileRegex(written, { wholeMatch: true, dotMatchesNewline: true });
  if (!compiled.ok) {
    const message = `The matcher ${formatValue(written)} cannot be used; the hook does not run. ${compiled.error.message}.`;
    const problem = reporter.report('invalid_matcher', 'error', place, message, { remedy: compiled.error.remedy, eventName });
    return { text: written, problem };
  }
  const doubt = doubtAbout(written);
  if (doubt !== undefined) {
    const { severity, why, remedy } = doubt;
    reporter.report('unmatched_matcher', severity, place, `${formatValue(written)} ${why}`, { remedy: `Write "${remedy}".`, eventName });
  }
  return { matches: compiled.test, text: written };
}

interface Doubt {
  readonly severity: 'warning' | 'note';
  readonly why: string;
  readonly remedy: string;
}

/** What compiles and can hardly be meant: the names and globs of other agents. */
function doubtAbout(pattern: string): Doubt | undefined {
  if (pattern === '') return { severity: 'warning', why: 'matches no tool: it has to match the whole of server__tool.', remedy: '.*' };
  const names = /^[\w|-]+$/.test(pattern) ? pattern.split('|') : [];
  if (names.length > 0 && names.every((name) => !name.includes('__'))) {
    const why = 'can match no tool: it is compared with the whole of server__tool, and has no server.';
    return { severity: 'warning', why, remedy: names.map(matcherOfName).join('|') };
  }
  if (/__\*/.test(pattern)) {
    const why = 'is a regular expression, in which "_*" means any number of "_": it is not the glob that it looks like.';
    return { severity: 'warning', why, remedy: pattern.replaceAll('__*', '__.*') };
  }
  if (!pattern.startsWith('mcp__')) return undefined;
  const why = 'has mcp__ in front, which server__tool has nowhere else than in the names of some agents.';
  return { severity: 'note', why, remedy: pattern.slice('mcp__'.length) };
}
