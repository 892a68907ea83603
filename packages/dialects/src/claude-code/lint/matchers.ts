import type { PatternError } from '@tenterhook/patterns';
import type { EventContext } from '../../shared/settings/group-format.js';
import type { DocumentPath } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';
import type { ClaudeHost } from '../options.js';
import { knownToolNames } from '../tools/tool-table.js';

/** What an invalid matcher of tools was probably meant as, instead of what the pattern engine says of it. */
export function findMatcherProblem(text: string): PatternError | undefined {
  if (isRule(text)) {
    const message = 'It looks like a permission rule; a matcher is a name or a regular expression';
    return { message, remedy: formatRuleRemedy(text) };
  }
  // `*.ts`: a matcher looks at the name of a tool, and not at its arguments.
  if (!/^\*+[./]/.test(text)) return undefined;
  return {
    message: 'It looks like a file pattern; a matcher is compared with the name of the tool',
    remedy: 'Write "matcher": "Edit|Write" next to "hooks", and "if": "Edit(*.ts)" in the hook.',
  };
}

/** A permission rule that is a valid regular expression. Returns whether it is one. */
export function reportRule(text: string, place: DocumentPath, { reporter, eventName }: EventContext): boolean {
  if (!isRule(text)) return false;
  const message = `The matcher ${formatValue(text)} looks like a permission rule, but is a regular expression that is searched for in the name of the tool.`;
  reporter.report('unmatched_matcher', 'warning', place, message, { remedy: formatRuleRemedy(text), eventName });
  return true;
}

/** Names are compared whole and with letter case, so a mistake in a name is a hook that never runs. */
export function reportUnknownToolNames(
  names: readonly string[],
  place: DocumentPath,
  { reporter, eventName }: EventContext,
  host: ClaudeHost,
): void {
  for (const name of names) {
    const instead = findIntendedName(name, host);
    if (instead === undefined) continue;
    const message = `The matcher ${formatValue(name)} is compared with the whole name, and no tool is reported to hooks under that name.`;
    reporter.report('unmatched_matcher', 'warning', place, message, { remedy: `Write ${formatValue(instead)}.`, eventName });
  }
}

/** Names that are not one of the possible values of an event's field. */
export function reportUnknownValues(
  names: readonly string[],
  values: readonly string[],
  place: DocumentPath,
  { reporter, eventName, dialectEvent }: EventContext,
): void {
  for (const name of names.filter((text) => !values.includes(text))) {
    const message = `The matcher ${formatValue(name)} is not a value that ${dialectEvent} can have.`;
    reporter.report('unmatched_matcher', 'warning', place, message, { remedy: `Write one of ${values.join(', ')}.`, eventName });
  }
}

/** A permission rule belongs in "if": as a matcher it is searched for in the name of the tool. */
function isRule(text: string): boolean {
  return /^\w+\(.*\)$/s.test(text.trim());
}

function formatRuleRemedy(text: string): string {
  return `Write "matcher": ${formatValue(text.slice(0, text.indexOf('(')))} next to "hooks", and "if": ${formatValue(text)} in the hook.`;
}

function findIntendedName(name: string, { tools }: ClaudeHost): string | undefined {
  if (knownToolNames.includes(name)) return undefined;
  const [mapped] = tools.namesOf(name);
  if (mapped !== name) return mapped;
  if (/^mcp__(?:(?!__).)+$/.test(name)) return `${name}__.*`;
  return knownToolNames.find((known) => known.toLowerCase() === name.toLowerCase());
}
