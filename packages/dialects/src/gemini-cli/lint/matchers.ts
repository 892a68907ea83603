import { longerNames, reportPlainMatcher } from '../../shared/lint/plain-matcher.js';
import type { EventContext } from '../../shared/settings/group-format.js';
import type { DocumentPath } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';
import { canonicalTools } from '../../shared/tools/canonical-tools.js';
import type { ToolEntry, ToolKind } from '../../shared/tools/tool-table.js';
import { geminiEvent } from '../input/event-table.js';
import { knownToolNames } from '../tools.js';

/** What other agents call the tools of Gemini CLI, and the display names of Gemini CLI. Letter case, `_` and `-` do not count. */
const namesElsewhere: Readonly<Partial<Record<ToolKind, readonly string[]>>> = {
  shell: [
    'Bash',
    'PowerShell',
    'Shell',
    'run_command',
    'run_terminal_cmd',
    'run_in_terminal',
    'execute_command',
    'execute_bash',
    'exec_command',
  ],
  read: ['Read', 'View', 'view_file', 'fs_read', 'NotebookRead'],
  write: ['Write', 'create_file', 'write_to_file', 'fs_write'],
  edit: ['Edit', 'MultiEdit', 'edit_file', 'apply_patch', 'apply_diff', 'search_replace', 'str_replace', 'NotebookEdit'],
  find: ['find_files', 'file_search'],
  search: ['Grep', 'SearchText', 'codebase_search'],
  list: ['LS', 'ReadFolder', 'directory_tree'],
  'web-search': ['WebSearch', 'GoogleSearch'],
  subagent: ['Task', 'Agent', 'spawn_agent'],
  question: ['AskUserQuestion'],
};

/** Gemini CLI's names for each name in the table above, and for its own names in another spelling. */
const intendedNames: ReadonlyMap<string, readonly string[]> = new Map([
  ...(Object.entries(namesElsewhere) as [ToolKind, readonly string[]][]).flatMap(([kind, names]) =>
    names.map((name): [string, readonly string[]] => [normalize(name), canonicalTools[kind]?.names ?? []]),
  ),
  ...(Object.values(canonicalTools) as ToolEntry[]).flatMap(({ names }) =>
    names.map((name): [string, readonly string[]] => [normalize(name), [name]]),
  ),
]);

/** What a usable matcher of tools probably does not mean. `ofHost`: names that the host has for tools of its own. */
export function reportToolMatcher(
  text: string,
  test: (subject: string) => boolean,
  ofHost: readonly string[],
  place: DocumentPath,
  context: EventContext,
  exactly: (names: readonly string[]) => string,
): void {
  const { eventName, reporter } = context;
  const known = [...knownToolNames, ...ofHost];
  const inner = /^\/(.*)\/[a-z]*$/.exec(text)?.[1];
  if (inner !== undefined) {
    const message = `The slashes of the matcher ${formatValue(text)} are part of the pattern, and no tool name contains slashes; the hooks of this group never run.`;
    reporter.report('unmatched_matcher', 'warning', place, message, { remedy: `Write ${formatValue(inner)}.`, eventName });
  } else if (!reportUnknownToolNames(text, test, known, place, context)) {
    const longer = longerNames(text, test, known);
    if (longer.length > 0) reportPlainMatcher(text, longer, place, context, exactly);
  }
}

/** A matcher of a session's begin or end that is not one of the possible values: these are compared as a whole. */
export function reportUnknownValue(text: string, place: DocumentPath, { eventName, reporter }: EventContext): void {
  const { subject, values = [] } = geminiEvent(eventName);
  if (values.includes(text)) return;
  const meant = values.filter((value) => text.split(/[|,]/).some((part) => part.trim().toLowerCase() === value));
  const message = `The matcher ${formatValue(text)} must equal ${subject}, which is one of ${values.join(', ')}; the hooks of this group never run.`;
  const remedy =
    meant.length > 1
      ? `Write a group for each: ${meant.map((value) => `"matcher": "${value}"`).join(', ')}.`
      : `Write "matcher": "${meant[0] ?? values[0]}", or remove the matcher.`;
  reporter.report('unmatched_matcher', 'warning', place, message, { remedy, eventName });
}

/**
 * A matcher copied from another agent is a guard that never runs. Reports its names that are tools of other agents and match none of Gemini
 * CLI's, with the name to write. Returns whether it reported something.
 */
function reportUnknownToolNames(
  text: string,
  test: (subject: string) => boolean,
  known: readonly string[],
  place: DocumentPath,
  { eventName, reporter }: EventContext,
): boolean {
  const parts = text.split('|').map((part) => correctPart(part, test, known));
  const unknown = [...new Set(parts.flatMap(({ name }) => (name === undefined ? [] : [name])))];
  if (unknown.length === 0) return false;
  const are = unknown.length === 1 ? 'is not the name of a tool' : 'are not names of tools';
  const fit = unknown.length === 1 ? 'it matches' : 'they match';
  const message = `${unknown.map(formatValue).join(', ')} ${are} in Gemini CLI; ${fit} only a tool that the agent gives that name.`;
  const instead = [...new Set(parts.map((part) => part.text))].join('|');
  reporter.report('unmatched_matcher', 'warning', place, message, { remedy: `Write ${JSON.stringify(instead)}.`, eventName });
  return true;
}

/** One of the alternatives as the remedy writes it, and its name if that is another agent's. */
function correctPart(text: string, test: (subject: string) => boolean, known: readonly string[]): { text: string; name?: string } {
  const [, before = '', name = '', after = ''] = /^([\^(]*)([\w-]+)([)$]*)$/.exec(text) ?? [];
  const names = intendedNames.get(normalize(name));
  // A part of a known tool's name is not a mistake: matchers search.
  if (names === undefined || known.some((tool) => tool.includes(name)) || !test(name)) return { text };
  const instead = names.join('|');
  const isAlone = before === '' && after === '';
  return { name, text: `${before}${names.length === 1 || isAlone ? instead : `(${instead})`}${after}` };
}

function normalize(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}
