import type { HookDefinition, HookEvent, Selection } from '@tenterhook/protocol';
import { selectByMatcher } from '../../shared/name-matcher.js';
import { findOtherResult } from '../../shared/tool-result.js';
import { type CursorEvent, factsOf } from '../input/event-table.js';
import { hasUnreadableCommand, isFailure, subjectsOf } from '../input/payload.js';
import type { CursorHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { isOfKind } from '../tools/tool-call.js';

/**
 * Selects a hook. A call of a tool fires several events of Cursor, which are one event here. So the kind of the tool is compared first, then
 * the matcher, then the result of the tool.
 */
export function select(hook: HookDefinition, event: HookEvent, host: CursorHost): Selection {
  const { event: name, matcher } = dataOf(hook);
  const other = findOtherKind(name, event, host);
  if (other !== undefined) return other;
  const { subject } = factsOf(name);
  if (subject === 'command' && matcher.kind !== 'all' && hasUnreadableCommand(event, host)) {
    // A guard that runs too often is safer than one that does not run.
    return { run: true, reason: 'the command of the call is not a text, so its matcher cannot be compared and it runs' };
  }
  const byMatcher = selectByMatcher(hook, {
    event: name,
    matcher,
    subject: subject === 'name' ? 'the name of the event' : subject,
    subjects: () => subjectsOf(event, name, host),
  });
  // The command of a call may be rewritten so that the matcher fits.
  if (!byMatcher.run) return subject === 'command' ? { ...byMatcher, reconsider: true } : byMatcher;
  return findOtherResult(factsOf(name).result, event, isFailure) ?? findOldSession(name, event) ?? byMatcher;
}

function findOtherKind(name: CursorEvent, { input }: HookEvent, host: CursorHost): Selection | undefined {
  const { kind } = factsOf(name);
  const isKind = kind === undefined || isOfKind(kind, input, host);
  if (isKind === true) return undefined;
  const what = { shell: 'shell commands', mcp: 'tools of MCP servers', read: 'tools that read files', change: 'tools that change files' };
  const reason = `${name} is only for ${what[kind as keyof typeof what]}`;
  // Only `explain` passes an event without a tool. Whether the hook would run is then unknown.
  return { run: false, skipReason: 'condition', reason, ...(isKind === undefined ? { reconsider: true } : {}) };
}

/** Cursor fires sessionStart only for a new chat. */
function findOldSession(name: CursorEvent, { input }: HookEvent): Selection | undefined {
  if (name !== 'sessionStart' || (input['source'] !== 'resume' && input['source'] !== 'compress')) return undefined;
  return {
    run: false,
    skipReason: 'condition',
    reason: `sessionStart is only for new chats, and the source is ${JSON.stringify(input['source'])}`,
  };
}
