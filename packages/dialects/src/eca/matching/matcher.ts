import { compileRegex } from '@tenterhook/patterns';
import type { Diagnostic } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { DocumentPath, Reporter } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';
import { type EcaType, entryOf } from '../input/event-table.js';
import { explainError, reportDoubtfulMatcher } from '../lint/matchers.js';
import { readSelectors, selectorsText, type ToolSelector } from './tool-selectors.js';

/** Limits a hook to some events of its type. Without any of these fields, the hook runs on every event of its type. */
export interface EcaMatcher {
  /** Tests `server__tool`, the name of a tool with its server. */
  readonly matches?: (tool: string) => boolean;
  /** The entries of a matcher that is an object. */
  readonly selectors?: readonly ToolSelector[];
  /** The only trigger of a compaction on which the hook runs. */
  readonly trigger?: string;
}

/** The matcher of a hook, with its text in the settings. A hook whose matcher has a `problem` cannot run. */
export interface ReadMatcher extends EcaMatcher {
  readonly text?: string;
  readonly problem?: Diagnostic;
}

/**
 * Reads a matcher. There are three forms:
 * - For tools: a regular expression for the whole of `server__tool`. In it, `.` also matches a newline (decision 53, field failure
 *   55).
 * - For tools: an object with selectors.
 * - For compactions: the trigger.
 */
export function matcherField(written: unknown, path: DocumentPath, type: EcaType, reporter: Reporter): ReadMatcher {
  if (written === undefined || written === null) return {};
  const { eventName, ofTool, triggers } = entryOf(type);
  const place = [...path, 'matcher'];
  const report = (message: string, remedy: string) => ({
    text: formatValue(written),
    problem: reporter.report('invalid_matcher', 'error', place, message, { remedy, eventName }),
  });
  if (triggers !== undefined) {
    const known = triggers.map((trigger) => `"${trigger}"`).join(' or ');
    if (typeof written !== 'string') {
      return report(`The matcher must be ${known}, and is ${formatValue(written)}; the hook does not run.`, `Write ${known}.`);
    }
    if (!triggers.includes(written)) {
      const message = `The matcher ${formatValue(written)} is neither ${triggers.map((trigger) => `"${trigger}"`).join(' nor ')}; the hook never runs.`;
      reporter.report('unmatched_matcher', 'warning', place, message, { remedy: `Write ${known}.`, eventName });
    }
    return { text: written, trigger: written };
  }
  if (ofTool !== true) {
    const message = `${type} has no value to match; the matcher ${formatValue(written)} is ignored and the hook runs every time.`;
    reporter.report('matcher_ignored', 'warning', place, message, { remedy: 'Remove the matcher, or decide inside the hook.', eventName });
    return {};
  }
  if (isPlainObject(written)) {
    const read = readSelectors(written, { path: place, eventName, reporter });
    return { ...read, text: 'selectors' in read ? selectorsText(read.selectors) : formatValue(written) };
  }
  if (typeof written !== 'string') {
    const message = `The matcher must be a string or an object, and is ${formatValue(written)}; the hook does not run.`;
    return report(message, 'Write a regular expression such as "eca__shell_command" or "github__.*".');
  }
  const onCompiled = (instructions: number) => reporter.countPattern(instructions, place);
  reporter.countPattern(written.length, place);
  const compiled = compileRegex(written, { wholeMatch: true, dotMatchesNewline: true, onCompiled });
  if (!compiled.ok) {
    const error = explainError(written, compiled.error);
    const message = `The matcher ${formatValue(written)} is invalid; the hook does not run. ${error.message}.`;
    return { ...report(message, error.remedy), text: written };
  }
  reportDoubtfulMatcher(written, compiled.test, { place, eventName, reporter });
  return { matches: compiled.test, text: written };
}
